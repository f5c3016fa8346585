package dev.upcall.txn.volume;

import dev.upcall.base.Invariants;
import dev.upcall.io.seal.KeySlots;
import java.util.List;

/**
 * The state of a store as of a checkpoint: where everything begins. Encoded by {@link
 * SuperblockCodec}.
 *
 * @param volumeId a random number given at format, in every structure of the volume
 * @param sequence the {@link Epoch}: grows by one with every superblock written, and with every
 *     opening to write
 * @param scn the last commit that the trees contain; replay starts behind it
 * @param log where replay reads the log from
 * @param roots the trees' roots, at most {@link #MAX_ROOTS}
 * @param mapSequence the newest image of the free-space map that belongs to this superblock
 * @param mapDigest a digest over the checksums of that image's chunks
 * @param layout where the fixed structures lie
 * @param volumeBlocks the volume's size
 * @param capBlocks the size beyond which the volume may not grow at present
 * @param nextInodeId the lowest id that was never given to a segment
 * @param features what the volume uses beyond version 3: bits of {@link StoreFeature}
 * @param keySlots what opens a volume that is {@link StoreFeature#SEALED}; of others {@link
 *     KeySlots#NONE}
 */
public record Superblock(
    long volumeId,
    long sequence,
    long scn,
    LogPoint log,
    List<StoreRoot> roots,
    long mapSequence,
    long mapDigest,
    VolumeLayout layout,
    long volumeBlocks,
    long capBlocks,
    long nextInodeId,
    long features,
    KeySlots keySlots) {
  /** The newest version of the volume format: that of a volume with {@link #features}. */
  public static final int FORMAT_VERSION = 4;

  /** The version of a volume that uses no features. */
  public static final int PLAIN_FORMAT_VERSION = 3;

  /**
   * The oldest version that it reads: one without trees 6 to 8, which are empty then, and, as
   * version 2, with one copy of the free-space map, which it keeps. Opening such a volume makes it
   * one of {@link #PLAIN_FORMAT_VERSION} before anything else is written.
   */
  public static final int OLDEST_FORMAT_VERSION = 1;

  /** How many roots fit. */
  public static final int MAX_ROOTS = 32;

  /** Checks the relations between the fields. */
  public Superblock {
    roots = List.copyOf(roots);
    Invariants.check(roots.size() <= MAX_ROOTS, "too many roots", roots.size());
    Invariants.check((features & ~StoreFeature.KNOWN) == 0, "unknown features", features);
    Invariants.check(
        StoreFeature.SEALED.isIn(features) || keySlots.used() == 0, "keys of a plain volume");
    Invariants.check(
        volumeBlocks >= layout.dataStart() && volumeBlocks <= capBlocks,
        "volume size against cap",
        volumeBlocks,
        capBlocks);
    Invariants.check(
        capBlocks <= layout.maxBlocks(), "cap against map", capBlocks, layout.maxBlocks());
  }

  /** That of a volume that is not encrypted. */
  public Superblock(
      long volumeId,
      long sequence,
      long scn,
      LogPoint log,
      List<StoreRoot> roots,
      long mapSequence,
      long mapDigest,
      VolumeLayout layout,
      long volumeBlocks,
      long capBlocks,
      long nextInodeId,
      long features) {
    this(
        volumeId,
        sequence,
        scn,
        log,
        roots,
        mapSequence,
        mapDigest,
        layout,
        volumeBlocks,
        capBlocks,
        nextInodeId,
        features,
        KeySlots.NONE);
  }

  /** Whether all but the superblocks is encrypted. */
  public boolean isSealed() {
    return StoreFeature.SEALED.isIn(features);
  }

  /** The same state under the next sequence. */
  Superblock raised() {
    return withSequence(sequence + 1);
  }

  /** Whether both lead to the same state. */
  boolean isSameState(Superblock other) {
    return equals(other.withSequence(sequence));
  }

  private Superblock withSequence(long other) {
    return new Superblock(
        volumeId,
        other,
        scn,
        log,
        roots,
        mapSequence,
        mapDigest,
        layout,
        volumeBlocks,
        capBlocks,
        nextInodeId,
        features,
        keySlots);
  }

  /** The version of the format that the volume has. */
  public int formatVersion() {
    return features == 0 ? PLAIN_FORMAT_VERSION : FORMAT_VERSION;
  }

  /** Checks that this one may take the place of a durable one. */
  public void checkFollows(Superblock before) {
    Invariants.check(volumeId == before.volumeId, "other volume", volumeId, before.volumeId);
    Invariants.check(sequence == before.sequence + 1, "sequence", sequence, before.sequence);
    Invariants.check(scn >= before.scn, "SCN of a superblock goes back", scn, before.scn);
    // Blocks before the older start may have been written again.
    Invariants.check(
        log.position() >= before.log.position(),
        "log start goes back",
        log.position(),
        before.log.position());
    Invariants.check(
        mapSequence > before.mapSequence, "map's sequence", mapSequence, before.mapSequence);
    Invariants.check((before.features & ~features) == 0, "features go", before.features, features);
    Invariants.check(isSealed() == before.isSealed(), "a seal comes or goes", before.features);
    Invariants.check(
        nextInodeId >= before.nextInodeId, "ids come again", nextInodeId, before.nextInodeId);
  }
}
