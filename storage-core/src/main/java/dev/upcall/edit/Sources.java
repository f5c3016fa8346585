package dev.upcall.edit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Content in order, put together from both ends, to be cut into runs from the front. */
final class Sources {
  private final Deque<Source> parts = new ArrayDeque<>();
  private long bytes;

  /** Bytes of a piece go before what is there. */
  void addFirst(int piece, long from, long to) {
    if (from < to) {
      parts.addFirst(new Source.Old(piece, from, to));
      bytes += to - from;
    }
  }

  /** Bytes of a piece go behind what is there. */
  void addLast(int piece, long from, long to) {
    if (from < to) {
      parts.addLast(new Source.Old(piece, from, to));
      bytes += to - from;
    }
  }

  /** All that the edit brings goes behind what is there. */
  void addFresh(long count) {
    if (count > 0) {
      parts.addLast(new Source.Fresh(0, count));
      bytes += count;
    }
  }

  /** How much there is. */
  long bytes() {
    return bytes;
  }

  /** Takes so many bytes from the front; there must be as many. */
  List<Source> take(long count) {
    List<Source> taken = new ArrayList<>();
    long left = count;
    while (left > 0) {
      Source part = parts.removeFirst();
      if (part.bytes() > left) {
        parts.addFirst(cut(part, part.from() + left, part.to()));
        part = cut(part, part.from(), part.from() + left);
      }
      taken.add(part);
      left -= part.bytes();
    }
    bytes -= count;
    return Source.joined(taken);
  }

  private static Source cut(Source part, long from, long to) {
    return switch (part) {
      case Source.Old old -> new Source.Old(old.piece(), from, to);
      case Source.Fresh _ -> new Source.Fresh(from, to);
    };
  }
}
