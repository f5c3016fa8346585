package dev.upcall.space;

import dev.upcall.base.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * The free blocks that the allocator does not have, because the device may have no room for them,
 * or because somebody is at work on them.
 *
 * <pre>
 *   backed (the allocator's) --holdToPunch--> held --unbacked--> hole
 *      ^                                      |  ^                |
 *      +---------------- backed --------------+  +--holdToBack----+
 *                                             |  |
 *   backed --doubtAll--> doubtful &lt;--doubted--+  +--holdToBack, holdToPunch-- doubtful
 * </pre>
 *
 * <p><em>Backed</em>: the device has room for the block, so writing it cannot find the device full.
 * <em>Hole</em>: it was given back to the device. <em>Doubtful</em>: nobody knows, as with every
 * free block of a volume that was just opened: to be backed before it is used, and to be punched
 * before it counts as given back. What is held belongs to whoever holds it.
 */
public final class Unbacked {
  private final RunIndex backed;
  private final RunIndex doubtful = new RunIndex();
  private final RunIndex holes = new RunIndex();
  private long heldBlocks;

  /** Nothing is unbacked. */
  Unbacked(RunIndex backed) {
    this.backed = backed;
  }

  /** How many blocks: doubtful ones, holes, and those that are held. */
  public long blocks() {
    return doubtful.blocks() + holes.blocks() + heldBlocks;
  }

  /** Blocks that may have room on the device, or not. */
  public long doubtfulBlocks() {
    return doubtful.blocks();
  }

  /** From now on no free block counts as backed: the volume was opened. */
  public void doubtAll() {
    for (Extent run : backed.atLeast(1)) {
      backed.take(run.block(), run.end());
      doubtful.add(run.block(), run.end());
    }
  }

  /**
   * Holds the blocks that are best backed next, for {@link #backed} or {@link #unbacked}: a run of
   * that length, rather a doubtful one than a hole, else the longest.
   *
   * @param atMost no more at once
   * @param doubtfulFirst no hole as long as there is anything doubtful
   * @return null if there is nothing to back
   */
  public @Nullable Extent holdToBack(long atMost, boolean doubtfulFirst) {
    Extent run = doubtful.bestFit(atMost);
    if (run == null) {
      Extent hole = holes.bestFit(atMost);
      Extent longest = doubtful.largest();
      if (longest != null && (doubtfulFirst || hole == null)) {
        run = longest;
      } else {
        run = hole == null ? holes.largest() : hole;
      }
    }
    if (run == null) {
      return null;
    }
    Extent extent = new Extent(run.block(), Math.min(atMost, run.blocks()));
    return hold(doubtful.isFree(run.block(), run.blocks()) ? doubtful : holes, extent);
  }

  /** The longest run of doubtful blocks, or null. */
  public @Nullable Extent longestDoubtful() {
    return doubtful.largest();
  }

  /** The longest run of backed blocks, or null. */
  public @Nullable Extent longestBacked() {
    return backed.largest();
  }

  /**
   * Holds blocks to be given back to the device, for {@link #unbacked} or {@link #doubted}.
   *
   * @param extent all of them backed, or all doubtful
   */
  public void holdToPunch(Extent extent) {
    hold(doubtful.isFree(extent.block(), extent.blocks()) ? doubtful : backed, extent);
  }

  private Extent hold(RunIndex from, Extent extent) {
    from.take(extent.block(), extent.end());
    heldBlocks += extent.blocks();
    return extent;
  }

  private void letGo(Extent extent, RunIndex to) {
    Invariants.check(
        extent.blocks() <= heldBlocks, "more than is held", extent.blocks(), heldBlocks);
    heldBlocks -= extent.blocks();
    to.add(extent.block(), extent.end());
  }

  /** The device has room for what was held: the allocator may have it. */
  public void backed(Extent held) {
    letGo(held, backed);
  }

  /** The device has none, or not for all of it. */
  public void unbacked(Extent held) {
    letGo(held, holes);
  }

  /** Whether the device has room for what was held is not known. */
  public void doubted(Extent held) {
    letGo(held, doubtful);
  }

  /** The free run of one kind that ends at an address, or null. */
  @Nullable Extent endingAt(long address) {
    Extent run = backed.endingAt(address);
    if (run == null) {
      run = doubtful.endingAt(address);
    }
    return run == null ? holes.endingAt(address) : run;
  }

  /** The volume ends here now; everything behind is free and nobody holds it. */
  void cutOff(long total, long oldTotal) {
    long end = oldTotal;
    while (end > total) {
      Extent run = Invariants.present(endingAt(end), "free blocks at the end");
      long start = Math.max(total, run.block());
      RunIndex from =
          backed.isFree(start, end - start)
              ? backed
              : doubtful.isFree(start, end - start) ? doubtful : holes;
      from.take(start, end);
      end = start;
    }
  }
}
