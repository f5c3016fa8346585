package dev.upcall.feed;

import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.feed.answer.ProducerHistory;
import dev.upcall.feed.answer.Settled;
import dev.upcall.request.FileRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who has asked, as the store knows it: each with a property. A bounded number of them is in
 * memory, those who ask now always.
 */
final class Producers {
  /** So many openings of a producer are told apart. */
  private static final int MAX_INCARNATIONS = 8;

  /** So many requests of a producer may be done and not heard of. */
  private static final int MAX_UNSETTLED = 2048;

  /** What an outcome takes before anything is known: five bytes do for most new files. */
  private static final double COST_BYTES = 5.2;

  private final FileManager files;
  private final String prefix;
  private final int max;

  /** The one who asked longest ago comes first. */
  private final LinkedHashMap<UUID, Known> known = new LinkedHashMap<>(16, 0.75f, true);

  /** One that is in memory. */
  static final class Known {
    private ProducerHistory history;

    /** Of the newest whole request that was read. */
    private long newest;

    /** Requests that wait to be done. */
    private int waiting;

    /** How many of the history's newest nobody has heard of. */
    private int unsettled;

    /** What each of those takes in a property, as far as is known. */
    private double costBytes = COST_BYTES;

    /** With the outcomes of those whose end is being noted. */
    private ProducerHistory next;

    /** Who put in what was read last, and those before him, the last few. */
    private final Deque<Long> incarnations = new ArrayDeque<>();

    private Known(ProducerHistory history) {
      this.history = history;
      this.next = history;
      this.newest = history.lastSequence();
    }

    /** Whether it is done, or waits to be. */
    boolean has(long sequence) {
      return sequence <= newest;
    }

    /** Whether what nobody has heard of will fit a property, with so many more. */
    boolean mayAsk(int more) {
      int all = unsettled + more;
      return all <= 1
          || (all <= MAX_UNSETTLED
              && ProducerHistory.HEAD_BYTES + all * costBytes <= ProducerHistory.MAX_BYTES);
    }

    /**
     * Whether another opening of the producer has put something in between what this one has: one
     * at a time has its name, so somebody else must have its id. To be asked for each entry.
     */
    boolean isReplaced(long incarnation) {
      Long last = incarnations.peekFirst();
      if (last != null && last == incarnation) {
        return false;
      }
      if (incarnations.contains(incarnation)) {
        return true;
      }
      incarnations.addFirst(incarnation);
      if (incarnations.size() > MAX_INCARNATIONS) {
        incarnations.removeLast();
      }
      return false;
    }

    private boolean isIdle() {
      return waiting == 0 && unsettled == 0;
    }
  }

  /**
   * None yet.
   *
   * @param prefix what the names of their properties begin with
   */
  Producers(FileManager files, String prefix, int max) {
    this.files = files;
    this.prefix = prefix;
    this.max = max;
  }

  /** One that is in memory, or null. */
  @Nullable Known known(UUID producer) {
    return known.get(producer);
  }

  /** Brings one into memory. */
  void look(UUID producer, CompletionPort<Known> port) {
    String name = name(producer);
    files.property(
        name,
        answer -> {
          switch (answer) {
            case Completion.Failed<Optional<byte[]>> failed -> port.complete(failed.cast());
            case Completion.Done<Optional<byte[]>>(Optional<byte[]> none) when none.isEmpty() ->
                port.complete(Completion.done(remember(producer, ProducerHistory.NONE)));
            case Completion.Done<Optional<byte[]>>(Optional<byte[]> bytes) -> {
              Failure unknown = new Failure.Invalid(name + " is of another version");
              port.complete(
                  bytes
                      .flatMap(ProducerHistory::decode)
                      .map(history -> Completion.done(remember(producer, history)))
                      .orElseGet(() -> Completion.failed(unknown)));
            }
          }
        });
  }

  private Known remember(UUID producer, ProducerHistory history) {
    Known made = new Known(history);
    known.put(producer, made);
    if (known.size() > max) {
      for (Map.Entry<UUID, Known> each : known.entrySet()) {
        if (each.getValue() != made && each.getValue().isIdle()) {
          known.remove(each.getKey());
          break;
        }
      }
    }
    return made;
  }

  /** A whole request waits. */
  void asked(Asked request) {
    Known of = of(request.producer());
    of.newest = request.sequence();
    of.waiting++;
  }

  /**
   * What to note about requests that are done.
   *
   * @return null when the outcomes that nobody has heard of do not fit a property any more; their
   *     producer may ask less then
   */
  @Nullable List<FileRequest> notes(List<Ended> ended, long seconds) {
    List<FileRequest> notes = new ArrayList<>();
    for (Map.Entry<UUID, List<Ended>> each : byProducer(ended).entrySet()) {
      Known of = of(each.getKey());
      List<Ended> requests = each.getValue();
      int atLeast = of.unsettled + requests.size();
      of.next =
          of.history.with(
              requests.stream().map(Ended::outcome).toList(),
              atLeast,
              requests.getLast().request().lastIndex(),
              seconds);
      ProducerHistory.Encoded encoded = of.next.encode(atLeast);
      if (encoded == null) {
        of.costBytes = 2 * Math.max(of.costBytes, COST_BYTES);
        return null;
      }
      of.costBytes = (double) encoded.neededBytes() / atLeast;
      notes.add(new FileRequest.SetProperty(name(each.getKey()), encoded.bytes()));
    }
    return notes;
  }

  /** What {@link #notes} gave last was noted. */
  void noted(List<Ended> ended) {
    for (Ended each : ended) {
      Known of = of(each.request().producer());
      of.history = of.next;
      of.waiting--;
      of.unsettled++;
    }
  }

  /** Who is to hear of them has. */
  void settled(List<Settled> requests) {
    for (Settled request : requests) {
      Known of = of(request.origin().producer());
      of.unsettled--;
      if (of.unsettled == 0) {
        of.history = of.history.trimmed();
      }
    }
  }

  private static Map<UUID, List<Ended>> byProducer(List<Ended> ended) {
    Map<UUID, List<Ended>> by = new LinkedHashMap<>();
    for (Ended each : ended) {
      by.computeIfAbsent(each.request().producer(), _ -> new ArrayList<>()).add(each);
    }
    return by;
  }

  private Known of(UUID producer) {
    Known of = known.get(producer);
    if (of == null) {
      throw new IllegalStateException("a producer who asks is forgotten: " + producer);
    }
    return of;
  }

  /** One that the store knows no more. */
  void forget(UUID producer) {
    Known of = known.get(producer);
    if (of != null && of.isIdle()) {
      known.remove(producer);
    }
  }

  /** The name of its property. */
  String name(UUID producer) {
    return prefix + "." + producer;
  }
}
