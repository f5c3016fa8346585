package dev.upcall.sim.drive;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The blocks in a drive's write cache, and the syncs that wait for them. A run that is on its way
 * to the medium keeps its room, and can be read, until it has arrived.
 */
final class UnwrittenBlocks {
  /** Blocks [first, end). */
  record Run(long first, long end) {
    boolean touches(long otherFirst, long otherEnd) {
      return first < otherEnd && otherFirst < end;
    }
  }

  private static final Run NOTHING = new Run(0, 0);

  private static final class Flush {
    private final Runnable done;
    private final long before;
    private int left;

    private Flush(Runnable done, long before, int left) {
      this.done = done;
      this.before = before;
      this.left = left;
    }
  }

  private final int capacity;

  /** When each block was first written since it was last on the medium. */
  private final TreeMap<Long, Long> blocks = new TreeMap<>();

  private final List<Flush> flushes = new ArrayList<>();
  private final List<Long> ages = new ArrayList<>();
  private Run leaving = NOTHING;
  private long writes;

  UnwrittenBlocks(int capacity) {
    this.capacity = capacity;
  }

  boolean isEmpty() {
    return blocks.isEmpty() && ages.isEmpty();
  }

  /** Whether a sync waits. */
  boolean isWanted() {
    return !flushes.isEmpty();
  }

  /** Takes blocks [first, end), if there is room. */
  boolean take(long first, long end) {
    int known = blocks.subMap(first, end).size();
    if (blocks.size() + ages.size() + (end - first) - known > capacity) {
      return false;
    }
    writes++;
    for (long at = first; at < end; at++) {
      blocks.putIfAbsent(at, writes);
    }
    return true;
  }

  /** Whether all of blocks [first, end) are here. */
  boolean holds(long first, long end) {
    for (long at = first; at < end; at++) {
      if (!blocks.containsKey(at) && !leaving.touches(at, at + 1)) {
        return false;
      }
    }
    return true;
  }

  /** Blocks [first, end) need not be written any more. */
  void forget(long first, long end) {
    Map<Long, Long> range = blocks.subMap(first, end);
    List<Long> gone = List.copyOf(range.values());
    range.clear();
    arrived(gone);
  }

  /** Takes out the run that is next at or behind a block, else the first one, of so many blocks. */
  Run leave(long head, int most) {
    Invariants.check(ages.isEmpty(), "one run at a time");
    Long first = blocks.ceilingKey(head);
    long at = first == null ? blocks.firstKey() : first;
    long from = at;
    for (Long age = blocks.remove(at); age != null; age = blocks.remove(at)) {
      ages.add(age);
      at++;
      if (at - from == most) {
        break;
      }
    }
    leaving = new Run(from, at);
    return leaving;
  }

  /** The run that was taken out last is on the medium. */
  void left() {
    List<Long> gone = List.copyOf(ages);
    ages.clear();
    leaving = NOTHING;
    arrived(gone);
  }

  /** What is here now shall be on the medium. */
  void flush(Runnable done) {
    flushes.add(new Flush(done, writes, blocks.size() + ages.size()));
  }

  private void arrived(List<Long> gone) {
    for (Flush flush : flushes) {
      for (long age : gone) {
        flush.left -= age <= flush.before ? 1 : 0;
      }
    }
    Iterator<Flush> each = flushes.iterator();
    List<Runnable> ready = new ArrayList<>();
    while (each.hasNext()) {
      Flush flush = each.next();
      if (flush.left == 0) {
        each.remove();
        ready.add(flush.done);
      }
    }
    ready.forEach(Runnable::run);
  }
}
