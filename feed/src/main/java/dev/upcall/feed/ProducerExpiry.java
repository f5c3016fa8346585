package dev.upcall.feed;

import dev.upcall.BatchResult;
import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.feed.answer.ProducerHistory;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Removes what the store has noted of producers that do not come any more, one after the other,
 * again and again. It goes only when nobody can use the producer's id again and nothing under it is
 * in the queue, so that no request of it can ever be read again: then nobody asks for it.
 * Dispatcher's thread only.
 */
final class ProducerExpiry {
  /** So often in that time it is looked who does not come any more. */
  private static final int ROUNDS = 720;

  private static final long SECOND_NANOS = 1_000_000_000;

  private final FileManager files;
  private final RequestSource source;
  private final Producers producers;
  private final Done done;
  private final Dispatcher dispatcher;
  private final long forgetNanos;
  private boolean isOver;
  private Dispatcher.@Nullable Timer timer;
  private long forgotten;

  /** How far a queue is done for a producer. */
  interface Done {
    /** The newest entry that was read, if all of this producer's up to it are done. */
    OptionalLong upTo(UUID producer);
  }

  /**
   * Begins nothing before {@link #begin}.
   *
   * @param forgetNanos after how long without anything done a producer does not come any more
   */
  ProducerExpiry(
      FileManager files, RequestSource source, Producers producers, Done done, long forgetNanos) {
    this.files = files;
    this.source = source;
    this.producers = producers;
    this.done = done;
    this.dispatcher = files.dispatcher();
    this.forgetNanos = forgetNanos;
  }

  /** Goes through all of them, now and later. */
  void begin() {
    timer = null;
    if (isOver) {
      return;
    }
    source.producers(
        known ->
            next(known instanceof Completion.Done<List<UUID>>(List<UUID> all) ? all : List.of()));
  }

  /** Producers that were forgotten. */
  long forgotten() {
    return forgotten;
  }

  /** Begins nothing any more. */
  void close() {
    isOver = true;
    if (timer != null) {
      timer.cancel();
    }
  }

  private void next(List<UUID> all) {
    next(all.iterator());
  }

  private void next(Iterator<UUID> left) {
    if (isOver) {
      return;
    }
    if (!left.hasNext()) {
      timer = dispatcher.schedule(Math.max(1, forgetNanos / ROUNDS), this::begin);
      return;
    }
    UUID producer = left.next();
    files.property(
        producers.name(producer),
        found -> {
          // What cannot be read now is looked at in the next round.
          OptionalLong upTo = done.upTo(producer);
          if (found instanceof Completion.Done<Optional<byte[]>>(Optional<byte[]> bytes)
              && bytes.filter(this::isLate).isPresent()
              && upTo.isPresent()) {
            source.expire(producer, upTo.getAsLong(), gone -> expired(producer, gone, left));
          } else {
            next(left);
          }
        });
  }

  private boolean isLate(byte[] bytes) {
    long nowSeconds = dispatcher.clock().epochNanos() / SECOND_NANOS;
    return ProducerHistory.decode(bytes)
        .filter(known -> nowSeconds - known.notedSeconds() >= forgetNanos / SECOND_NANOS)
        .isPresent();
  }

  private void expired(UUID producer, Completion<Boolean> gone, Iterator<UUID> left) {
    boolean isGone = gone instanceof Completion.Done<Boolean>(Boolean is) && is;
    if (isOver || !isGone) {
      next(left);
      return;
    }
    files.batch(
        List.of(new FileRequest.RemoveProperty(producers.name(producer))),
        Durability.SYNC,
        removed -> {
          if (removed instanceof Completion.Done<BatchResult>) {
            forgotten++;
            producers.forget(producer);
            source.forget(producer);
          }
          next(left);
        });
  }
}
