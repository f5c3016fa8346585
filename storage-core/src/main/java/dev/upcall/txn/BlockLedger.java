package dev.upcall.txn;

import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Who owns which block, as a verification finds out; and what is wrong. */
final class BlockLedger {
  private static final int MAX_PROBLEMS = 100;

  private final FreeMap map;
  private final long dataStart;
  private final BitSet owned = new BitSet();
  private final List<VerifyReport.Problem> problems = new ArrayList<>();
  private long problemCount;
  private long ownedBlocks;

  /**
   * A ledger in which nobody owns anything.
   *
   * @param map the free-space map of the checkpoint; only what is committed counts
   * @param dataStart the first block that may have an owner
   */
  BlockLedger(FreeMap map, long dataStart) {
    this.map = map;
    this.dataStart = dataStart;
  }

  /** Whether a volume is small enough for a ledger in memory. */
  static boolean fits(long volumeBlocks) {
    return volumeBlocks <= Integer.MAX_VALUE;
  }

  /** How many blocks have an owner. */
  long ownedBlocks() {
    return ownedBlocks;
  }

  /** How many blocks should have one. */
  long committedBlocks() {
    return map.committedBlocks();
  }

  /** Whether an extent lies where extents may lie. */
  boolean isInside(Extent extent) {
    return extent.block() >= dataStart && extent.end() <= map.totalBlocks();
  }

  /** One block gets an owner; false if it has one already. */
  boolean claim(long block, String owner) {
    if (block < dataStart || block >= map.totalBlocks()) {
      problem(block, owner + " lies outside of the volume's extents");
      return true;
    }
    if (!map.isCommitted(new Extent(block, 1))) {
      problem(block, owner + " lies in a block that the free-space map says is free");
    }
    if (owned.get((int) block)) {
      return false;
    }
    owned.set((int) block);
    ownedBlocks++;
    return true;
  }

  /** All blocks of an extent get an owner. */
  void claim(Extent extent, String owner) {
    for (long block = extent.block(); block < extent.end(); block++) {
      if (!claim(block, owner)) {
        problem(block, owner + " lies in a block that belongs to something else");
        return;
      }
    }
  }

  /** Looks for committed blocks that nobody owns. */
  void findLost() {
    long block = dataStart;
    while (block < map.totalBlocks()) {
      long first = block;
      while (block < map.totalBlocks() && isLost(block)) {
        block++;
      }
      if (block > first) {
        problem(first, (block - first) + " committed blocks belong to nothing");
      }
      block++;
    }
  }

  private boolean isLost(long block) {
    return !owned.get((int) block) && map.isCommitted(new Extent(block, 1));
  }

  void problem(long block, String what) {
    problemCount++;
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(new VerifyReport.Problem(block * Disk.BLOCK_BYTES, what));
    }
  }

  List<VerifyReport.Problem> problems() {
    return problems;
  }

  long problemCount() {
    return problemCount;
  }
}
