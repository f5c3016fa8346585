package dev.upcall.journal.trace;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/** The longest stalls of the store's thread, and what it did just before. */
public final class Stalls {
  /** How many records before a stall are kept. */
  public static final int BEFORE = 12;

  private static final Comparator<Stall> BY_LENGTH =
      Comparator.comparingLong((Stall stall) -> stall.record().extra())
          .thenComparingLong(stall -> stall.record().atNanos());

  private final int most;
  private final Deque<TraceRecord> before = new ArrayDeque<>();
  private final PriorityQueue<Stall> longest = new PriorityQueue<>(BY_LENGTH);
  private long count;

  /**
   * An upcall that took too long.
   *
   * @param record of it
   * @param before what was recorded before it, oldest first; turns are left out
   */
  public record Stall(TraceRecord record, List<TraceRecord> before) {
    /** Copies the list. */
    public Stall {
      before = List.copyOf(before);
    }
  }

  private Stalls(int most) {
    this.most = most;
  }

  /** Looks at all records, and keeps so many of the longest. */
  public static Stalls of(TraceSource.Cursor records, int most) throws IOException {
    Stalls stalls = new Stalls(most);
    records.read(stalls::take);
    return stalls;
  }

  private void take(TraceRecord one) {
    if (one.kind() == TraceKind.STALL) {
      count++;
      longest.add(new Stall(one, List.copyOf(before)));
      if (longest.size() > most) {
        longest.remove();
      }
    } else if (one.kind() != TraceKind.TURN) {
      before.addLast(one);
      if (before.size() > BEFORE) {
        before.removeFirst();
      }
    }
  }

  /** All that were recorded. */
  public long count() {
    return count;
  }

  /** The longest first. */
  public List<Stall> longest() {
    List<Stall> sorted = new ArrayList<>(longest);
    sorted.sort(BY_LENGTH.reversed());
    return sorted;
  }
}
