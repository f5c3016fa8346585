package dev.upcall.sim.drive;

import java.util.ArrayDeque;

/**
 * What a drive has read ahead. The newest segment grows while the heads stay behind the last read;
 * how far it is follows from the time alone.
 */
final class ReadSegments {
  /** Blocks [first, end) in memory. */
  private record Segment(long first, long end) {}

  private final DriveConfig.ReadAhead config;
  private final Mechanism mechanism;
  private final ArrayDeque<Segment> segments = new ArrayDeque<>();
  private boolean growing;
  private long growsFromNanos;

  ReadSegments(DriveConfig.ReadAhead config, Mechanism mechanism) {
    this.config = config;
    this.mechanism = mechanism;
  }

  /** Whether the memory holds all of blocks [first, end). */
  boolean holds(long first, long end, long nowNanos) {
    for (Segment segment : segments) {
      long reach = growing && segment.equals(segments.peekLast()) ? reach(nowNanos) : segment.end;
      if (segment.first <= first && end <= reach) {
        return true;
      }
    }
    return false;
  }

  /**
   * How long until blocks up to {@code end} are in memory if the heads go on reading as they do; -1
   * if the heads are not on their way there.
   */
  long comingNanos(long first, long end, long nowNanos) {
    if (!growing) {
      return -1;
    }
    Segment newest = segments.getLast();
    long reach = reach(nowNanos);
    boolean moving = reach < newest.end + config.segmentBlocks();
    if (!moving || first < newest.first || first > reach) {
      return -1;
    }
    return growsFromNanos + mechanism.passNanos(newest.end, end) - nowNanos;
  }

  /** Blocks [first, end) were read, and the heads go on behind them. */
  void read(long first, long end, long nowNanos) {
    if (config.segments() == 0) {
      return;
    }
    stop(nowNanos);
    Segment newest = segments.peekLast();
    long from = first;
    if (newest != null && newest.first <= first && first <= newest.end) {
      segments.removeLast();
      from = newest.first;
    } else if (segments.size() == config.segments()) {
      segments.removeFirst();
    }
    segments.addLast(new Segment(Math.max(from, end - config.segmentBlocks()), end));
    growing = true;
    growsFromNanos = nowNanos;
  }

  /** The heads leave: the newest segment stays as it is now. */
  void stop(long nowNanos) {
    if (growing) {
      long end = reach(nowNanos);
      growing = false;
      Segment newest = segments.removeLast();
      segments.addLast(new Segment(Math.max(newest.first, end - config.segmentBlocks()), end));
    }
  }

  /** Blocks [first, end) are written. */
  void forget(long first, long end, long nowNanos) {
    Segment newest = segments.peekLast();
    if (growing && newest.first < end && first < newest.end + config.segmentBlocks()) {
      stop(nowNanos);
    }
    segments.removeIf(segment -> segment.first < end && first < segment.end);
  }

  /** The end of the newest segment at a moment. */
  private long reach(long nowNanos) {
    long end = segments.getLast().end;
    long passed = nowNanos - growsFromNanos;
    long low = 0;
    long high = config.segmentBlocks();
    while (low < high) {
      long middle = (low + high + 1) / 2;
      if (mechanism.passNanos(end, end + middle) <= passed) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return end + low;
  }
}
