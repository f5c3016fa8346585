package dev.upcall.feed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Requests of which the queue has shown some parts, one of each producer. Until the last part is
 * there nothing of them is in the store; then their parts are read again.
 */
final class Unfinished {
  /** By producer. */
  private final Map<UUID, Asked> requests = new LinkedHashMap<>();

  /** Begins; what its producer had not finished must be dropped before. */
  void begin(Asked request) {
    requests.put(request.producer(), request);
  }

  /** A further part; the request it belongs to, or null when that has not begun. */
  @Nullable Asked add(Arrival.Part part, long nowNanos) {
    Asked request = requests.get(part.entry().origin().producer());
    return request != null && request.take(part, nowNanos) ? request : null;
  }

  /** What that producer has not finished is not here any more; null if there was nothing. */
  @Nullable Asked drop(UUID producer) {
    return requests.remove(producer);
  }

  /** Drops what has not got a part for so long. */
  List<Asked> dropOlder(long nowNanos, long limitNanos) {
    List<Asked> dropped = new ArrayList<>();
    for (Asked request : List.copyOf(requests.values())) {
      if (nowNanos - request.seenNanos() >= limitNanos) {
        dropped.add(request);
        requests.remove(request.producer());
      }
    }
    return dropped;
  }

  boolean has(UUID producer) {
    return requests.containsKey(producer);
  }

  /** All of them. */
  Stream<Asked> all() {
    return requests.values().stream();
  }

  /** The one whose newest part is the oldest; null when there is none. */
  @Nullable Asked oldest() {
    return requests.values().stream().min(Comparator.comparingLong(Asked::seenNanos)).orElse(null);
  }
}
