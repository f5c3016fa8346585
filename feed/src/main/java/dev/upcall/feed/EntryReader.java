package dev.upcall.feed;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.feed.Producers.Known;
import dev.upcall.feed.answer.FailureKind;
import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue ahead of those who do its requests, as far as there is room for what waits, and
 * makes requests of entries: each whole, of a producer that is known, and not done before.
 */
final class EntryReader {
  private static final System.Logger LOG = System.getLogger(EntryReader.class.getName());

  private final RequestSource source;
  private final Dispatcher dispatcher;
  private final FeedConfig config;
  private final Producers producers;
  private final FeedMeter meter;
  private final Listener listener;
  private final Unfinished unfinished = new Unfinished();
  private final Progress progress;
  private final FairQueue waiting = new FairQueue();
  private final ArrayDeque<Arrival> arrived = new ArrayDeque<>();
  private boolean isReading;
  private boolean isLooking;
  private Dispatcher.@Nullable Timer timer;

  /** For whom it reads. */
  interface Listener {
    /** There is more to do. */
    void more();

    /** The queue, or the store, cannot be read. */
    void failed(Failure why);

    /** Whether nothing is wanted any more. */
    boolean isOver();
  }

  EntryReader(
      RequestSource source,
      Dispatcher dispatcher,
      FeedConfig config,
      Position start,
      Shared shared) {
    this.source = source;
    this.dispatcher = dispatcher;
    this.config = config;
    this.producers = shared.producers();
    this.meter = shared.meter();
    this.listener = shared.listener();
    this.progress = new Progress(start);
  }

  /** What it has in common with those who do the requests. */
  record Shared(Producers producers, FeedMeter meter, Listener listener) {}

  /** What is to be done. */
  FairQueue waiting() {
    return waiting;
  }

  /** What of it is over. */
  Progress progress() {
    return progress;
  }

  /** What was read and is not done, and what the queue has behind it. */
  Backlog backlog() {
    Backlog all = source.unread();
    for (Arrival each : arrived) {
      all = all.plus(1, each instanceof Arrival.Part part ? Asked.bytesOf(part) : 0);
    }
    for (Asked each : Stream.concat(waiting.all(), unfinished.all()).toList()) {
      all = all.plus(each.indexes().size(), each.queuedBytes());
    }
    return all;
  }

  /** When the oldest of what was read and is not done was appended; empty when all is. */
  OptionalLong oldestMillis() {
    return Stream.concat(waiting.all(), unfinished.all()).mapToLong(Asked::appendedMillis).min();
  }

  /** The newest entry that was read, if nothing of this producer waits. */
  OptionalLong doneUpTo(UUID producer) {
    boolean waits =
        waiting.has(producer) || unfinished.has(producer) || !arrived.isEmpty() || isLooking;
    return waits ? OptionalLong.empty() : OptionalLong.of(progress.last().index());
  }

  /** Whether it asks the store for a producer. */
  boolean isLooking() {
    return isLooking;
  }

  /** Whether there is nothing left of what was read. */
  boolean isDrained() {
    return arrived.isEmpty() && !isLooking && waiting.size() == 0;
  }

  /** Reads on if there is room. */
  void read() {
    if (isReading || isLooking || !arrived.isEmpty() || listener.isOver() || !hasRoom()) {
      return;
    }
    isReading = true;
    source.next(
        progress.last().index(),
        found -> {
          isReading = false;
          if (listener.isOver()) {
            return;
          }
          switch (found) {
            case Completion.Failed<List<Arrival>> broken -> listener.failed(broken.failure());
            case Completion.Done<List<Arrival>>(List<Arrival> entries) -> {
              arrived.addAll(entries);
              takeAll();
            }
          }
        });
  }

  private boolean hasRoom() {
    return waiting.size() < config.maxWaiting() && waiting.bytes() < config.maxWaitingBytes();
  }

  /** Those of which the producer is known; then it goes on when he is. */
  private void takeAll() {
    for (Arrival next = arrived.peekFirst(); next != null; next = arrived.peekFirst()) {
      if (next instanceof Arrival.Part part) {
        UUID producer = part.entry().origin().producer();
        Known known = producers.known(producer);
        if (known == null) {
          look(producer);
          return;
        }
        take(part, known);
      } else if (next instanceof Arrival.Unreadable none) {
        passOver(none, none.why());
      }
      arrived.removeFirst();
      progress.read(next);
    }
    listener.more();
    read();
  }

  private void look(UUID producer) {
    if (listener.isOver()) {
      return;
    }
    isLooking = true;
    producers.look(
        producer,
        found -> {
          isLooking = false;
          if (listener.isOver()) {
            return;
          }
          switch (found) {
            case Completion.Failed<Known>(Failure busy)
                when FailureKind.of(busy) == FailureKind.FOR_NOW -> {
              meter.retried++;
              isLooking = true;
              dispatcher.schedule(config.retryNanos(), () -> look(producer));
            }
            case Completion.Failed<Known>(Failure broken) -> listener.failed(broken);
            case Completion.Done<Known> _ -> takeAll();
          }
        });
  }

  private void take(Arrival.Part part, Known known) {
    if (known.isReplaced(part.entry().origin().incarnation())) {
      passOver(part, "of a producer whose id another has used since");
    } else if (known.has(part.entry().origin().sequence())) {
      meter.repeated += part.entry().part() == 0 ? 1 : 0;
    } else if (part.work() != null) {
      first(part, part.work());
    } else {
      further(part);
    }
  }

  private void first(Arrival.Part part, Work work) {
    Asked given = unfinished.drop(part.entry().origin().producer());
    if (given != null) {
      abandon(given);
    }
    Asked request = new Asked(part, work, progress.last(), dispatcher.upcallNanos());
    progress.begin(request);
    if (request.isWhole()) {
      whole(request);
    } else {
      unfinished.begin(request);
      watch(config.unfinishedNanos());
    }
  }

  private void further(Arrival.Part part) {
    Asked request = unfinished.add(part, dispatcher.upcallNanos());
    if (request == null) {
      passOver(part, "part " + part.entry().part() + " of a request whose beginning is not there");
    } else if (request.isWhole()) {
      unfinished.drop(request.producer());
      whole(request);
    }
  }

  private void whole(Asked request) {
    producers.asked(request);
    waiting.add(request);
  }

  private void passOver(Arrival found, String why) {
    meter.unreadable++;
    LOG.log(
        System.Logger.Level.WARNING,
        "queue {0}, entry {1} is passed over: {2}",
        source.queue(),
        Long.toHexString(found.index()),
        why);
  }

  /** Looks after a while whether parts stay away. */
  private void watch(long nanos) {
    if (timer == null) {
      timer = dispatcher.schedule(nanos, this::giveUpLate);
    }
  }

  private void giveUpLate() {
    timer = null;
    long now = dispatcher.upcallNanos();
    // Whoever does not read cannot say that something is not there.
    if (isReading) {
      List<Asked> late = unfinished.dropOlder(now, config.unfinishedNanos());
      late.forEach(this::abandon);
      if (!late.isEmpty()) {
        listener.more();
      }
    }
    Asked oldest = unfinished.oldest();
    if (oldest != null && !listener.isOver()) {
      long left = oldest.seenNanos() + config.unfinishedNanos() - now;
      watch(left > 0 ? left : config.retryNanos());
    }
  }

  private void abandon(Asked request) {
    meter.abandoned++;
    progress.end(request);
    LOG.log(
        System.Logger.Level.WARNING,
        "queue {0}: request {1} of producer {2} is given up, its last part did not come",
        source.queue(),
        Long.toString(request.sequence()),
        request.producer());
  }

  /** Watches nothing any more. */
  void close() {
    if (timer != null) {
      timer.cancel();
    }
  }
}
