package dev.upcall.space;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The blocks that snapshots hold. A block that the store no longer needs, and that the last
 * checkpoint does not need either, is <em>kept</em> instead of free as long as a snapshot has it:
 * nobody hands it out, punches it or cuts it off.
 *
 * <pre>
 *   pending --release--> kept, if a snapshot holds it, else free
 *   kept --sweep, when no snapshot holds it any more--> free
 * </pre>
 *
 * <p>Not part of the image of the map, where a kept block is free: who opens the volume learns from
 * the snapshots which ones are held ({@link #load}).
 */
public final class HeldBlocks {
  /** No more blocks are given back in one step: each of them is looked for in memory. */
  static final int STEP_BLOCKS = 1024;

  private static final int PIECES_PER_STEP = 16;

  /** There is no more to sweep. */
  public static final long END = -1;

  private final FreeMapConfig config;
  private final RunIndex free;
  private final Bits committed;
  private final Bits held;
  private final Bits kept;
  private final List<SnapshotBlocks> holders = new ArrayList<>();
  private long keptBlocks;

  HeldBlocks(FreeMapConfig config, RunIndex free, MapChunks chunks) {
    this.config = config;
    this.free = free;
    this.committed = chunks.committed();
    long bits = chunks.committed().size();
    this.held = new Bits(bits);
    this.kept = new Bits(bits);
  }

  /** How many blocks are kept for nothing but snapshots. */
  public long keptBlocks() {
    return keptBlocks;
  }

  /** Takes a snapshot that is on the volume: fill it, and {@link #load} each of its chunks. */
  public SnapshotBlocks open(long totalBlocks) {
    SnapshotBlocks blocks = newBlocks(totalBlocks);
    add(blocks);
    return blocks;
  }

  SnapshotBlocks newBlocks(long totalBlocks) {
    return new SnapshotBlocks(config, totalBlocks, holders.isEmpty() ? null : holders.getLast());
  }

  /** A snapshot begins to hold, chunk by chunk. */
  void add(SnapshotBlocks blocks) {
    holders.add(blocks);
  }

  /** A chunk of a snapshot is known; none of its blocks is free. */
  void hold(SnapshotBlocks blocks, int chunk) {
    held.setAll(first(chunk) / 64, Invariants.present(blocks.words(chunk), "a chunk"));
  }

  /** Opening: as {@link #hold}, and what seemed free is kept. Before anything is handed out. */
  public void load(SnapshotBlocks blocks, int chunk) {
    hold(blocks, chunk);
    long end = first(chunk + 1);
    long at = first(chunk);
    while (at < end) {
      Extent run = free.firstFit(at, 1);
      if (run == null || run.block() >= end) {
        return;
      }
      long runEnd = Math.min(run.end(), end);
      long from = held.next(run.block(), runEnd, true);
      at = held.next(from, runEnd, false);
      if (from < at) {
        free.take(from, at);
        keep(from, at);
      }
    }
  }

  private long first(int chunk) {
    return (long) chunk * config.chunkBlocks();
  }

  private void keep(long from, long to) {
    kept.set(from, to);
    keptBlocks += to - from;
  }

  /**
   * Nobody needs an extent any more but perhaps snapshots: what they do not hold is free.
   *
   * @param unused asked for each piece that they do not hold; who reads the others goes on
   * @param used receives the pieces that are still in use
   */
  void release(Extent extent, Predicate<Extent> unused, List<Extent> used) {
    long at = extent.block();
    while (at < extent.end()) {
      long from = held.next(at, extent.end(), true);
      if (at < from) {
        Extent piece = new Extent(at, from - at);
        if (unused.test(piece)) {
          free.add(at, from);
        } else {
          used.add(piece);
        }
      }
      at = held.next(from, extent.end(), false);
      if (from < at) {
        keep(from, at);
      }
    }
  }

  /** A snapshot holds nothing any more; {@link #sweep} over the whole volume gives it back. */
  public void remove(SnapshotBlocks blocks) {
    Invariants.check(holders.remove(blocks), "a snapshot that holds nothing lets go");
  }

  /** Broken on purpose: the snapshots hold nothing, as if nobody had asked them at the opening. */
  public void forget() {
    holders.clear();
  }

  /**
   * Frees what is kept and no longer held, from a block on: a bounded piece of work.
   *
   * @param unused asked for each piece; what is still in use stays kept, until another sweep
   * @return where to go on, or {@link #END}
   */
  public long sweep(long from, Predicate<Extent> unused) {
    int chunk = (int) (from / config.chunkBlocks());
    long end = first(chunk + 1);
    if (end > held.size()) {
      return END;
    }
    long[] union = union(chunk);
    Bits gone = new Bits(config.chunkBlocks());
    for (int i = 0; i < union.length; i++) {
      gone.setWord(i, kept.word(first(chunk) / 64 + i) & ~union[i]);
    }
    int chunkBlocks = config.chunkBlocks();
    long left = STEP_BLOCKS;
    long at = gone.next(from - first(chunk), chunkBlocks, true);
    for (int pieces = 0; pieces < PIECES_PER_STEP && left > 0 && at < chunkBlocks; pieces++) {
      long to = gone.next(at, Math.min(chunkBlocks, at + left), false);
      Extent piece = new Extent(first(chunk) + at, to - at);
      if (unused.test(piece)) {
        kept.clear(piece.block(), piece.end());
        keptBlocks -= piece.blocks();
        free.add(piece.block(), piece.end());
      }
      left -= to - at;
      at = gone.next(to, chunkBlocks, true);
    }
    if (at == chunkBlocks) {
      settle(chunk, union);
    }
    return first(chunk) + at;
  }

  /** What the snapshots hold of a chunk, all together. */
  private long[] union(int chunk) {
    long[] union = new long[config.chunkBlocks() / 64];
    for (SnapshotBlocks holder : holders) {
      long[] words = holder.words(chunk);
      for (int i = 0; words != null && i < union.length; i++) {
        union[i] |= words[i];
      }
    }
    return union;
  }

  /** From now on only that much is held of a chunk, and what could not be freed. */
  private void settle(int chunk, long[] union) {
    for (int i = 0; i < union.length; i++) {
      long word = first(chunk) / 64 + i;
      held.setWord(word, union[i] | kept.word(word));
    }
  }

  /** How many chunks {@link #count} looks at. */
  public int chunks() {
    return (int) (held.size() / config.chunkBlocks());
  }

  /**
   * Counts in one chunk what would be free without snapshots.
   *
   * @param snapshots whose exclusive blocks are wanted
   * @param exclusive for each of them, what is added: blocks that only it holds
   * @return blocks that at least one holds, and that the store itself does not need
   */
  public long count(int chunk, List<SnapshotBlocks> snapshots, long[] exclusive) {
    int length = config.chunkBlocks() / 64;
    long[] once = new long[length];
    long[] twice = new long[length];
    for (SnapshotBlocks holder : holders) {
      long[] words = holder.words(chunk);
      for (int i = 0; words != null && i < length; i++) {
        twice[i] |= once[i] & words[i];
        once[i] |= words[i];
      }
    }
    long all = 0;
    for (int i = 0; i < length; i++) {
      long unneeded = ~committed.word(first(chunk) / 64 + i);
      all += Long.bitCount(once[i] & unneeded);
      once[i] &= ~twice[i] & unneeded;
    }
    for (int i = 0; i < length; i++) {
      // Few words have blocks that only one holds.
      for (int s = 0; once[i] != 0 && s < exclusive.length; s++) {
        long[] words = snapshots.get(s).words(chunk);
        exclusive[s] += words == null ? 0 : Long.bitCount(once[i] & words[i]);
      }
    }
    return all;
  }

  /** The volume has another size. */
  void resize(long totalBlocks) {
    long bits = (long) config.chunks(totalBlocks) * config.chunkBlocks();
    held.resize(bits);
    kept.resize(bits);
  }
}
