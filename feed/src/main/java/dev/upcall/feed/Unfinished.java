package dev.upcall.feed;

import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.Origin;
import dev.upcall.journal.entry.Submission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Requests of which the queue has shown some parts: where they are, so that they are read once more
 * when the last one is there. Until then nothing of them is in the store, and the position stays
 * before the oldest one.
 */
final class Unfinished {
  /** By producer, in the order in which they began; one of each. */
  private final Map<UUID, Parts> requests = new LinkedHashMap<>();

  /** A request whose last part may be missing. */
  static final class Parts {
    private final Origin origin;
    private final Submission submission;
    private final Position before;
    private final List<Long> indexes = new ArrayList<>();
    private long seenNanos;

    private Parts(Origin origin, Submission submission, Position before) {
      this.origin = origin;
      this.submission = submission;
      this.before = before;
    }

    Origin origin() {
      return origin;
    }

    Submission submission() {
      return submission;
    }

    /** Where its parts are, in order. */
    List<Long> indexes() {
      return indexes;
    }
  }

  /** Its first part; what its producer had not finished must be dropped before. */
  void begin(Entry first, Submission submission, long index, Position before, long nowNanos) {
    Parts parts = new Parts(first.origin(), submission, before);
    parts.indexes.add(index);
    parts.seenNanos = nowNanos;
    requests.put(first.origin().producer(), parts);
  }

  /** A further part; the request it belongs to, or null when that has not begun. */
  @Nullable Parts add(Entry part, long index, long nowNanos) {
    Parts parts = requests.get(part.origin().producer());
    if (parts == null
        || !parts.origin.equals(part.origin())
        || parts.indexes.size() != part.part()) {
      return null;
    }
    parts.indexes.add(index);
    parts.seenNanos = nowNanos;
    return parts;
  }

  /** What that producer has not finished never will be; whether there was something. */
  boolean drop(UUID producer) {
    return requests.remove(producer) != null;
  }

  /** Drops what has not got a part for so long; how many. */
  int dropOlder(long nowNanos, long limitNanos) {
    int before = requests.size();
    requests.values().removeIf(parts -> nowNanos - parts.seenNanos >= limitNanos);
    return before - requests.size();
  }

  boolean isEmpty() {
    return requests.isEmpty();
  }

  /** The position that may be committed when everything up to {@code last} is done but these. */
  Position safe(Position last) {
    return requests.isEmpty() ? last : requests.values().iterator().next().before;
  }
}
