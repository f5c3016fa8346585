package dev.upcall.bench.proxy.finite;

import dev.upcall.bench.proxy.place.Packing;
import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.RequestTrace;
import java.util.Arrays;

/**
 * Places that are chosen with the whole trace at hand. Objects that are asked for once are never
 * cached. The others are packed by popularity until the file is full; each that is left, by
 * popularity too, shares the slot of the most popular object of its class whose time in the file,
 * from first to last reference, does not overlap its own. One that finds none is never cached.
 */
final class FutureTable {
  private static final long NOWHERE = -1;

  private final long[] offsets;
  private final int[] first;
  private final int[] last;

  /** The slots of one class: where each is, and the times for which it is taken. */
  private static final class Taken {
    private final int end;
    private long[] offsets = new long[16];

    /** The times of each slot in order, two numbers for each object. */
    private int[][] times = new int[16][];

    /** The longest time for which a slot is free, so that most need no closer look. */
    private int[] longestFree = new int[16];

    private int size;

    /**
     * None.
     *
     * @param end of all times
     */
    Taken(int end) {
      this.end = end;
    }

    void add(long offset, int from, int to) {
      if (size == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * size);
        times = Arrays.copyOf(times, 2 * size);
        longestFree = Arrays.copyOf(longestFree, 2 * size);
      }
      offsets[size] = offset;
      times[size] = new int[] {from, to};
      longestFree[size] = longestFree(times[size]);
      size++;
    }

    /** The offset of the first slot that is free for a time, which is taken; else nowhere. */
    long share(int from, int to) {
      int wanted = to - from + 1;
      for (int slot = 0; slot < size; slot++) {
        if (longestFree[slot] >= wanted && isFree(times[slot], from, to)) {
          int[] more = Arrays.copyOf(times[slot], times[slot].length + 2);
          more[more.length - 2] = from;
          more[more.length - 1] = to;
          // Times of one slot do not overlap: sorting numbers keeps the pairs together.
          Arrays.sort(more);
          times[slot] = more;
          longestFree[slot] = longestFree(more);
          return offsets[slot];
        }
      }
      return NOWHERE;
    }

    private static boolean isFree(int[] taken, int from, int to) {
      for (int i = 0; i < taken.length; i += 2) {
        if (from <= taken[i + 1] && taken[i] <= to) {
          return false;
        }
      }
      return true;
    }

    private int longestFree(int[] taken) {
      int longest = 0;
      int free = 0;
      for (int i = 0; i < taken.length; i += 2) {
        longest = Math.max(longest, taken[i] - free);
        free = taken[i + 1] + 1;
      }
      return Math.max(longest, end - free);
    }
  }

  private FutureTable(int objects) {
    offsets = new long[objects];
    first = new int[objects];
    last = new int[objects];
    Arrays.fill(offsets, NOWHERE);
    Arrays.fill(first, -1);
  }

  /** The table of a trace of small objects, and a file of so many bytes. */
  static FutureTable of(RequestTrace trace, long fileBytes) {
    FutureTable table = new FutureTable(trace.objects());
    int[] counts = new int[trace.objects()];
    for (int i = 0; i < trace.length(); i++) {
      int object = trace.object(i);
      counts[object]++;
      table.first[object] = table.first[object] < 0 ? i : table.first[object];
      table.last[object] = i;
    }
    table.place(trace, popular(counts), fileBytes);
    return table;
  }

  /** Objects that are asked for twice at least, the most popular first; else by number. */
  private static int[] popular(int[] counts) {
    long[] keys = new long[counts.length];
    int size = 0;
    for (int object = 0; object < counts.length; object++) {
      if (counts[object] > 1) {
        keys[size++] = (long) -counts[object] << Integer.SIZE | object;
      }
    }
    long[] sorted = Arrays.copyOf(keys, size);
    Arrays.sort(sorted);
    return Arrays.stream(sorted).mapToInt(key -> (int) key).toArray();
  }

  private void place(RequestTrace trace, int[] popular, long fileBytes) {
    Packing packing = new Packing.Aligned(fileBytes);
    Taken[] slots = new Taken[Segments.CLASSES];
    Arrays.setAll(slots, i -> new Taken(trace.length()));
    boolean isFull = false;
    for (int object : popular) {
      int segmentClass = Segments.classOf(trace.sizeBytes(object));
      long offset = isFull ? Packing.FULL : packing.place(segmentClass);
      isFull |= offset == Packing.FULL;
      if (offset == Packing.FULL) {
        offset = slots[segmentClass].share(first[object], last[object]);
      } else {
        slots[segmentClass].add(offset, first[object], last[object]);
      }
      offsets[object] = offset;
    }
  }

  /** Whether an object is ever in the file. */
  boolean isCached(int object) {
    return offsets[object] != NOWHERE;
  }

  long offset(int object) {
    return offsets[object];
  }

  /** The request that brings an object into the file. */
  int first(int object) {
    return first[object];
  }
}
