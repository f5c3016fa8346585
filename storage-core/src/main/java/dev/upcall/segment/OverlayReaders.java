package dev.upcall.segment;

import dev.upcall.base.Invariants;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who reads values of an overlay's history, and the pins of parts that only they still see. A part
 * that its owner gives up is kept by the newest value that is read and has it; when that is read no
 * more, by the next older one that has it, or by none.
 *
 * <p>Nothing here depends on how many parts there are, nor but for logarithms on how many readers:
 * every change asks here. The owner's thread, in its upcalls.
 */
final class OverlayReaders {
  /** One value that is read. */
  private static final class Read {
    int readers;

    /** The pins that it keeps, of the latest parts first: older values do not have those. */
    PriorityQueue<Overlay.Part> kept =
        new PriorityQueue<>(Comparator.comparingLong(Overlay.Part::since).reversed());
  }

  /** Made for the first one who reads: most histories have none, and there are many at once. */
  private @Nullable TreeMap<Long, Read> read;

  /** One more reads the value of a number. */
  void add(long number) {
    if (read == null) {
      read = new TreeMap<>();
    }
    read.computeIfAbsent(number, _ -> new Read()).readers++;
  }

  /** One reads it no more. */
  void remove(long number) {
    TreeMap<Long, Read> all = Invariants.present(read, "readers of an overlay");
    Read value = Invariants.present(all.get(number), "a reader of an overlay that is released");
    value.readers--;
    if (value.readers > 0) {
      return;
    }
    all.remove(number);
    Map.Entry<Long, Read> older = all.lowerEntry(number);
    for (Overlay.Part part = value.kept.peek();
        part != null && (older == null || part.since() > older.getKey());
        part = value.kept.peek()) {
      value.kept.remove();
      part.lease().release();
    }
    if (older != null) {
      handOver(value, older.getValue());
    }
  }

  /** The smaller part moves to the larger: none moves more often than its part can double. */
  private static void handOver(Read from, Read to) {
    boolean fewer = from.kept.size() <= to.kept.size();
    PriorityQueue<Overlay.Part> moved = fewer ? from.kept : to.kept;
    PriorityQueue<Overlay.Part> all = fewer ? to.kept : from.kept;
    all.addAll(moved);
    to.kept = all;
  }

  /**
   * The owner gives a part up, and its pin.
   *
   * @param number of the last value that has it
   */
  void gone(Overlay.Part part, long number) {
    Map.Entry<Long, Read> last = read == null ? null : read.floorEntry(number);
    if (last == null || last.getKey() < part.since()) {
      part.lease().release();
    } else {
      last.getValue().kept.add(part);
    }
  }
}
