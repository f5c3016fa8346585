package dev.upcall.feed;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.QueueException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A source over a model of a queue, on the simulated machine. */
class ModelSource implements RequestSource {
  private final QueueModel model;
  private final Dispatcher dispatcher;
  private final EntryQueue queue;
  private boolean isFailing;
  private long from;
  private @Nullable CompletionPort<Indexed> waiting;

  ModelSource(QueueModel model, Dispatcher dispatcher) {
    this.model = model;
    this.dispatcher = dispatcher;
    this.queue = model.storage().open();
  }

  /** From now on reading fails. */
  final void fail() {
    isFailing = true;
  }

  /** Something was appended. */
  final void poke() {
    CompletionPort<Indexed> port = waiting;
    if (port != null && isFailing) {
      waiting = null;
      dispatcher.complete(port, Completion.failed(new Failure.Device("reading", "test")));
      return;
    }
    Indexed found = port == null ? null : found(from);
    if (port != null && found != null) {
      waiting = null;
      dispatcher.complete(port, Completion.done(found));
    }
  }

  /** Whether whoever reads has read all that there is. */
  final boolean isAtEnd() {
    return waiting != null && found(from) == null;
  }

  @Override
  public final UUID queue() {
    return model.id();
  }

  @Override
  public final long generation() {
    return model.generation();
  }

  @Override
  public final void nextGeneration(CompletionPort<Long> port) {
    dispatcher.complete(port, Completion.done(model.nextGeneration()));
  }

  @Override
  public void read(long index, CompletionPort<Optional<byte[]>> port) {
    dispatcher.complete(port, Completion.done(Optional.ofNullable(entry(index))));
  }

  @Override
  public final void next(long index, CompletionPort<Indexed> port) {
    from = index;
    waiting = port;
    poke();
  }

  @Override
  public final void done(long index) {
    try {
      queue.removeBefore(index);
    } catch (QueueException impossible) {
      throw new AssertionError(impossible);
    }
  }

  final byte @Nullable [] entry(long index) {
    try {
      return queue.read(index);
    } catch (QueueException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private @Nullable Indexed found(long index) {
    try {
      Indexed found = queue.next(index);
      return found == null ? null : new Indexed(found.index(), seen(found));
    } catch (QueueException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** What the feed gets for an entry. */
  byte[] seen(Indexed found) {
    return found.bytes();
  }
}
