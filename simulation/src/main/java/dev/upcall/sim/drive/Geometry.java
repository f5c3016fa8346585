package dev.upcall.sim.drive;

import dev.upcall.base.Invariants;

/** How a drive is built, as far as positions go. */
public sealed interface Geometry {
  /** The heads of such a drive, at its first block. */
  Mechanism mechanism();

  /** How large it is. */
  long blocks();

  /**
   * Platters: a seek curve, rotation by the angle at which a block lies, and zones with fewer
   * blocks a track towards the inside.
   *
   * @param blocks the size
   * @param rotationNanos one revolution
   * @param leastSeekNanos from one track to the next
   * @param seekSpanNanos what a full stroke takes beyond that; less far by the square root
   * @param outerTrackBlocks blocks of a track in the first zone
   * @param innerTrackBlocks and in the last
   * @param zones how many zones
   */
  record Platters(
      long blocks,
      long rotationNanos,
      long leastSeekNanos,
      long seekSpanNanos,
      int outerTrackBlocks,
      int innerTrackBlocks,
      int zones)
      implements Geometry {
    /** Checks the relations. */
    public Platters {
      Invariants.check(rotationNanos > 0 && leastSeekNanos >= 0 && seekSpanNanos >= 0, "times");
      Invariants.check(
          innerTrackBlocks > 0 && innerTrackBlocks <= outerTrackBlocks, "track", innerTrackBlocks);
      Invariants.check(
          zones > 0 && blocks / zones >= outerTrackBlocks, "a zone holds a track, zones", zones);
    }

    @Override
    public Mechanism mechanism() {
      return new PlatterMechanism(this);
    }
  }

  /**
   * Groups of cylinders, with one cost inside and one between them: the counted costs of the paper
   * about proxy caches.
   *
   * @param blocks the size
   * @param groupBlocks blocks of a group
   * @param nearNanos to another place in the same group
   * @param farNanos to another group
   * @param blockNanos one block passes
   */
  record Groups(long blocks, long groupBlocks, long nearNanos, long farNanos, long blockNanos)
      implements Geometry {
    /** Checks the relations. */
    public Groups {
      Invariants.check(blocks > 0 && groupBlocks > 0, "blocks", blocks, groupBlocks);
      Invariants.check(nearNanos >= 0 && farNanos >= nearNanos, "near and far", nearNanos);
      Invariants.check(blockNanos > 0, "block", blockNanos);
    }

    @Override
    public Mechanism mechanism() {
      return new GroupMechanism(this);
    }
  }
}
