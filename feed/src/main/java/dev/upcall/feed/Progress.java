package dev.upcall.feed;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How far a queue was read, and which of the requests in it are not over. What may be noted is the
 * entry before the oldest of them: everything up to there is over, whatever is behind it.
 */
final class Progress {
  /** In the order of their first entries. */
  private final Set<Asked> open = new LinkedHashSet<>();

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
  void begin(Asked request) {
    open.add(request);
  }

  /** A request is over: done, refused or given up. */
  void end(Asked request) {
    open.remove(request);
  }

  /** What may be noted together with the end of requests. */
  Position safeWith(Set<Asked> ending) {
    for (Asked each : open) {
      if (!ending.contains(each)) {
        return each.before();
      }
    }
    return last;
  }
}
