package dev.upcall.feed;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How far a queue was read, and which of the requests in it are not over. What may be noted is the
 * entry before the oldest of them: everything up to there is over, whatever is behind it.
 */
final class Progress {
  /** By the index of the first entry: the entry before it. */
  private final TreeMap<Long, Position> open = new TreeMap<>();

  private Position last;

  Progress(Position start) {
    this.last = start;
  }

  /** The newest entry that was read. */
  Position last() {
    return last;
  }

  /** An entry is the next one that was read. */
  void read(Arrival entry) {
    last = new Position(last.generation(), entry.index(), entry.checksum());
  }

  /** A request begins with the entry that is read next. */
  void begin(long firstIndex) {
    open.put(firstIndex, last);
  }

  /** A request is over: done, refused or given up. */
  void end(long firstIndex) {
    open.remove(firstIndex);
  }

  /** What may be noted together with the end of requests, given their first indexes. */
  Position safeWith(Set<Long> ending) {
    for (Map.Entry<Long, Position> each : open.entrySet()) {
      if (!ending.contains(each.getKey())) {
        return each.getValue();
      }
    }
    return last;
  }
}
