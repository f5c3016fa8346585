package dev.upcall.space;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The free runs: disjoint, never touching, found by address and by size. */
final class RunIndex {
  /** (block, blocks) */
  private final PairSet byAddress = new PairSet();

  /** (blocks, block) */
  private final PairSet bySize = new PairSet();

  private long blocks;

  /** How many blocks the runs have together. */
  long blocks() {
    return blocks;
  }

  private void insert(long start, long end) {
    byAddress.add(start, end - start);
    bySize.add(end - start, start);
  }

  private void delete(long start, long end) {
    Invariants.check(
        byAddress.remove(start, end - start) && bySize.remove(end - start, start),
        "free run",
        start,
        end);
  }

  private @Nullable Extent run(long position) {
    return position == PairSet.NONE
        ? null
        : new Extent(byAddress.first(position), byAddress.second(position));
  }

  /** The run that begins at or before an address, the nearest. */
  private @Nullable Extent atOrBefore(long address) {
    return run(byAddress.lower(address, Long.MAX_VALUE));
  }

  /** Adds blocks that are not in it, joining them with their neighbours. */
  void add(long start, long end) {
    long from = start;
    long to = end;
    Extent before = atOrBefore(start);
    if (before != null) {
      Invariants.check(before.end() <= start, "free twice", start, end);
      if (before.end() == start) {
        from = before.block();
      }
    }
    Extent after = run(byAddress.ceiling(start, 0));
    if (after != null) {
      Invariants.check(after.block() >= end, "free twice", start, end);
      if (after.block() == end) {
        to = after.end();
      }
    }
    if (from < start) {
      delete(from, start);
    }
    if (to > end) {
      delete(end, to);
    }
    insert(from, to);
    blocks += end - start;
  }

  /** Takes blocks out that lie inside one run. */
  void take(long start, long end) {
    Extent run = atOrBefore(start);
    if (run == null || run.end() < end) {
      Invariants.check(false, "not free", start, end);
      return;
    }
    delete(run.block(), run.end());
    if (run.block() < start) {
      insert(run.block(), start);
    }
    if (end < run.end()) {
      insert(end, run.end());
    }
    blocks -= end - start;
  }

  /** The smallest run of at least so many blocks, of those the lowest. */
  @Nullable Extent bestFit(long atLeast) {
    long position = bySize.ceiling(atLeast, 0);
    return position == PairSet.NONE
        ? null
        : new Extent(bySize.second(position), bySize.first(position));
  }

  /** The largest run, of those the highest. */
  @Nullable Extent largest() {
    long position = bySize.end();
    return position == PairSet.NONE
        ? null
        : new Extent(bySize.second(position), bySize.first(position));
  }

  /** The first place at or behind an address with at least so many free blocks behind it. */
  @Nullable Extent firstFit(long address, long atLeast) {
    Extent around = atOrBefore(address);
    if (around != null && around.end() - address >= atLeast) {
      return new Extent(address, around.end() - address);
    }
    return run(byAddress.firstWithSecond(byAddress.ceiling(address, 0), atLeast));
  }

  /** Whether these blocks are free, all of them. */
  boolean isFree(long start, long atLeast) {
    Extent around = atOrBefore(start);
    return around != null && around.end() - start >= atLeast;
  }

  /** The address behind the last run, 0 if there is none. */
  long end() {
    Extent last = run(byAddress.end());
    return last == null ? 0 : last.end();
  }

  /** The run that ends at an address, or null. */
  @Nullable Extent endingAt(long address) {
    Extent before = atOrBefore(address - 1);
    return before != null && before.end() == address ? before : null;
  }

  /** All runs of at least so many blocks, ascending by address. */
  List<Extent> atLeast(long minBlocks) {
    List<Extent> found = new ArrayList<>();
    long position = byAddress.firstWithSecond(byAddress.start(), minBlocks);
    while (position != PairSet.NONE) {
      found.add(new Extent(byAddress.first(position), byAddress.second(position)));
      position = byAddress.next(position);
      position = byAddress.firstWithSecond(position, minBlocks);
    }
    return found;
  }
}
