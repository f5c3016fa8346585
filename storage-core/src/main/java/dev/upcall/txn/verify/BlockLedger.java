package dev.upcall.txn.verify;

import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.SnapshotBlocks;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.state.SharedRun;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Who owns which block, as a verification finds out; and what is wrong. A block that the tree of
 * shared blocks counts must have exactly so many owners, every other one.
 */
final class BlockLedger {
  /** There are no more blocks to look at. */
  static final long END = -1;

  /** So many blocks are looked at in one upcall. */
  static final int BLOCKS_PER_PART = 4096;

  private static final int MAX_PROBLEMS = 100;

  /**
   * The blocks of one state of the store: of a checkpoint, or of a snapshot.
   *
   * @param has whether a block of the volume is one of them
   * @param totalBlocks the volume's size
   * @param blocks how many there are
   */
  record Committed(LongPredicate has, long totalBlocks, long blocks) {}

  /**
   * Blocks without an owner in a state.
   *
   * @param fixedBlocks before the first that may have one
   * @param snapshotBlocks of those behind, how many are another state's
   * @param freeBlocks the others
   */
  record Kept(long fixedBlocks, long snapshotBlocks, long freeBlocks) {}

  /** What a free-space map says, which nobody changes any more. */
  static Committed of(FreeMap map) {
    return new Committed(
        block -> map.isCommitted(new Extent(block, 1)), map.totalBlocks(), map.committedBlocks());
  }

  /** What a snapshot holds. */
  static Committed of(SnapshotBlocks held, long totalBlocks) {
    return new Committed(held::contains, totalBlocks, held.blocks());
  }

  private final Committed map;
  private final long dataStart;
  private final LongConsumer disputed;
  private final @Nullable BlockLedger parent;
  private final String snapshot;
  private final BitSet owned = new BitSet();
  private final BitSet kept = new BitSet();
  private final BitSet damaged = new BitSet();
  private final Set<Long> damagedSegments = new TreeSet<>();
  private final SharedLedger shared = new SharedLedger();
  private final List<VerifyReport.Problem> problems = new ArrayList<>();
  private long problemCount;
  private long metadataBlocks;
  private long ownedBlocks;

  /** Right before where {@link #findLost} is. */
  private long lostBlocks;

  /**
   * A ledger in which nobody owns anything.
   *
   * @param map what must have an owner
   * @param dataStart the first block that may have an owner
   * @param disputed hears of each block that has more owners than it may have
   */
  BlockLedger(Committed map, long dataStart, LongConsumer disputed) {
    this(map, dataStart, disputed, null, "");
  }

  private BlockLedger(
      Committed map,
      long dataStart,
      LongConsumer disputed,
      @Nullable BlockLedger parent,
      String snapshot) {
    this.map = map;
    this.dataStart = dataStart;
    this.disputed = disputed;
    this.parent = parent;
    this.snapshot = snapshot;
  }

  /** A ledger of another state of the same volume; what is wrong there is wrong here. */
  BlockLedger ofSnapshot(String name, Committed held) {
    return new BlockLedger(held, dataStart, disputed, this, name);
  }

  /**
   * Blocks are those of another state, too: some from one on.
   *
   * @return where to go on, or {@link #END}
   */
  long keep(Committed other, long from) {
    long to = partEnd(from);
    for (long block = Math.max(dataStart, from); block < to; block++) {
      if (other.has().test(block) && !map.has().test(block)) {
        kept.set((int) block);
      }
    }
    return to < map.totalBlocks() ? to : END;
  }

  private long partEnd(long from) {
    return Math.min(from + BLOCKS_PER_PART, map.totalBlocks());
  }

  /** Blocks without an owner in this state. */
  Kept kept() {
    long snapshotBlocks = kept.cardinality();
    long free = map.totalBlocks() - dataStart - map.blocks() - snapshotBlocks;
    return new Kept(dataStart, snapshotBlocks, free);
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
    return map.blocks();
  }

  /** Whether an extent lies where extents may lie. */
  boolean isInside(Extent extent) {
    return extent.block() >= dataStart && extent.end() <= map.totalBlocks();
  }

  /** Blocks have more than one owner. Before any of them is claimed. */
  void share(SharedRun run) {
    if (!isInside(new Extent(run.block(), run.blocks()))) {
      problem(run.block(), "shared blocks lie outside of the volume's extents");
    } else if (!shared.add(run)) {
      problem(run.block(), "blocks are counted as shared twice");
    }
  }

  /** Whether a block has one owner at least, and may have more. */
  boolean isClaimedAndShared(long block) {
    return isInside(new Extent(block, 1)) && owned.get((int) block) && shared.users(block) > 1;
  }

  /** How many blocks have more than one owner. */
  long sharedBlocks() {
    return shared.blocks();
  }

  /** One block gets an owner; false if it has as many as it may have. */
  boolean claim(long block, String owner) {
    if (block < dataStart || block >= map.totalBlocks()) {
      problem(block, owner + " lies outside of the volume's extents");
      return true;
    }
    if (!map.has().test(block)) {
      problem(block, owner + " lies in a block that the free-space map says is free");
    }
    if (owned.get((int) block)) {
      boolean mayBe = shared.claimAgain(block);
      if (!mayBe) {
        disputed.accept(block);
      }
      return mayBe;
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

  /** A block that is no content has an owner. */
  boolean claimMetadata(long block, String owner) {
    metadataBlocks++;
    return claim(block, owner);
  }

  /** An extent that is no content has an owner. */
  void claimMetadata(Extent extent, String owner) {
    metadataBlocks += extent.blocks();
    claim(extent, owner);
  }

  /** How many blocks that are no content were claimed. */
  long metadataBlocks() {
    return metadataBlocks;
  }

  /** Looks for shared blocks with too few owners. */
  void findUnused() {
    shared.forEachMissing(
        (block, users, found) ->
            problem(block, "counted as shared by %d, found with %d".formatted(users, found)));
  }

  /**
   * Looks for committed blocks that nobody owns: among some from one on, each behind those of the
   * call before.
   *
   * @return where to go on, or {@link #END}
   */
  long findLost(long from) {
    long to = partEnd(from);
    for (long block = Math.max(dataStart, from); block < to; block++) {
      if (isLost(block)) {
        lostBlocks++;
      } else {
        endLost(block);
      }
    }
    if (to < map.totalBlocks()) {
      return to;
    }
    endLost(to);
    return END;
  }

  private void endLost(long behind) {
    if (lostBlocks > 0) {
      problem(behind - lostBlocks, lostBlocks + " committed blocks belong to nothing");
      lostBlocks = 0;
    }
  }

  private boolean isLost(long block) {
    return !owned.get((int) block) && map.has().test(block);
  }

  void problem(long block, String what) {
    problem(block, what, null);
  }

  /** Something is wrong in a segment that has a name. */
  void problemIn(long segment, String what) {
    problem(0, what, new VerifyReport.InFile(snapshot, segment, -1));
  }

  /** Content of a file cannot be read. */
  void damage(long block, String what, CheckedState.Run run) {
    damaged.set((int) block);
    damagedSegments.add(run.owner().id());
    long offset = run.owner().inOrder() ? run.entry().firstNeeding(block) * Disk.BLOCK_BYTES : -1;
    problem(
        block,
        "content of " + run.owner() + (offset < 0 ? "" : " from its byte " + offset + " on") + what,
        new VerifyReport.InFile(snapshot, run.owner().id(), offset));
  }

  /** Whether a block of content was found damaged. */
  boolean isDamaged(long block) {
    return damaged.get((int) block);
  }

  /** Whether some content of a segment was found damaged. */
  boolean isDamagedSegment(long id) {
    return damagedSegments.contains(id);
  }

  private void problem(long block, String what, VerifyReport.@Nullable InFile inFile) {
    if (parent != null) {
      parent.problem(block, "snapshot " + snapshot + ": " + what, inFile);
      return;
    }
    problemCount++;
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(
          new VerifyReport.Problem(block * Disk.BLOCK_BYTES, what, Optional.ofNullable(inFile)));
    }
  }

  List<VerifyReport.Problem> problems() {
    return problems;
  }

  long problemCount() {
    return problemCount;
  }
}
