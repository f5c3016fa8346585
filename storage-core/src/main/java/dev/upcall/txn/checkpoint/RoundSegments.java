package dev.upcall.txn.checkpoint;

import dev.upcall.txn.state.SegmentTable;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a round of write-back, in order: those with unplaced content when it began, met
 * one by one, since a copy of them all would hold the thread for as long as there are many. Those
 * that come again go first.
 */
final class RoundSegments {
  /** There is no segment left. */
  static final long NONE = SegmentTable.Walk.END;

  private final ArrayDeque<Long> first = new ArrayDeque<>();
  private SegmentTable.@Nullable Walk others;

  /** None are left; a round begins. */
  void begin(SegmentTable table) {
    first.clear();
    others = table.walk();
  }

  /** Finds the one whose turn it is, again until it has had it; or {@link #NONE}: all have. */
  long next() {
    Long present = first.peekFirst();
    if (present != null) {
      return present;
    }
    long next = others == null ? NONE : others.next();
    if (next == NONE) {
      others = null;
    } else {
      first.addFirst(next);
    }
    return next;
  }

  /** The {@link #next} one has had its turn. */
  void remove() {
    first.removeFirst();
  }

  /** A segment that was found is left out, if it would be next. */
  void leaveOut(long segment) {
    Long present = first.peekFirst();
    if (present != null && present == segment) {
      first.removeFirst();
    }
  }

  /** Whether no round is under way, or nobody can be {@link #next} in it. */
  boolean isOver() {
    return first.isEmpty() && others == null;
  }

  /** Has a segment come first, unless it does. */
  void addFirst(long segment) {
    Long present = first.peekFirst();
    if (present == null || present != segment) {
      first.addFirst(segment);
    }
  }

  /** The round is over. */
  void clear() {
    first.clear();
    others = null;
  }
}
