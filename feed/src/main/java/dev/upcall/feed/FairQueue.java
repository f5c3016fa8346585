package dev.upcall.feed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait to be done, in the order of each producer. Producers are served in turn, one
 * request of each; who was served goes to the end.
 */
final class FairQueue {
  /** In whose turn it is. */
  private final SequencedMap<UUID, ArrayDeque<Asked>> waiting = new LinkedHashMap<>();

  /** Who has to wait although he has requests. */
  private final Set<UUID> resting = new LinkedHashSet<>();

  private int size;
  private long bytes;

  void add(Asked request) {
    waiting.computeIfAbsent(request.producer(), _ -> new ArrayDeque<>()).add(request);
    size++;
    bytes += request.bytes();
  }

  int size() {
    return size;
  }

  /** What the requests brought. */
  long bytes() {
    return bytes;
  }

  boolean has(UUID producer) {
    return waiting.containsKey(producer);
  }

  /** Nothing of this producer is given out until {@link #wake}. */
  void rest(UUID producer) {
    resting.add(producer);
  }

  void wake(UUID producer) {
    resting.remove(producer);
  }

  /** All that wait. */
  Stream<Asked> all() {
    return waiting.values().stream().flatMap(Collection::stream);
  }

  /** What a group may be made of. */
  interface Limits {
    /** Whether one more of this producer may come in, of whom the group has some already. */
    boolean admits(Asked request, int ofItsProducer);
  }

  /** A large content whose turn it is; null when there is none. */
  @Nullable Asked firstLarge() {
    for (Map.Entry<UUID, ArrayDeque<Asked>> each : waiting.entrySet()) {
      Asked first = each.getValue().getFirst();
      if (first.work() instanceof Work.Large && !resting.contains(each.getKey())) {
        return first;
      }
    }
    return null;
  }

  /**
   * Those whose turn it is, without large contents; they stay until {@link #remove}.
   *
   * @param maxBytes of more than one
   */
  List<Asked> next(int limit, long maxBytes, Limits limits) {
    List<Asked> group = new ArrayList<>();
    Map<UUID, Iterator<Asked>> turns = new LinkedHashMap<>();
    waiting.forEach(
        (producer, requests) -> {
          if (!resting.contains(producer)) {
            turns.put(producer, requests.iterator());
          }
        });
    long groupBytes = 0;
    for (int round = 0; !turns.isEmpty(); round++) {
      Iterator<Iterator<Asked>> turn = turns.values().iterator();
      while (turn.hasNext()) {
        Iterator<Asked> of = turn.next();
        Asked request = of.hasNext() ? of.next() : null;
        if (request == null
            || request.work() instanceof Work.Large
            || !limits.admits(request, round)) {
          turn.remove();
          continue;
        }
        groupBytes += request.bytes();
        if (group.size() == limit || (groupBytes > maxBytes && !group.isEmpty())) {
          return group;
        }
        group.add(request);
      }
    }
    return group;
  }

  /** They are over: each the next one of its producer, who goes to the end. */
  void remove(List<Asked> group) {
    for (Asked request : group) {
      UUID producer = request.producer();
      ArrayDeque<Asked> of = waiting.get(producer);
      if (of == null || of.pollFirst() != request) {
        throw new IllegalStateException("not the next of its producer: " + request.origin());
      }
      if (of.isEmpty()) {
        waiting.remove(producer);
      } else {
        waiting.putLast(producer, of);
      }
      size--;
      bytes -= request.bytes();
    }
  }
}
