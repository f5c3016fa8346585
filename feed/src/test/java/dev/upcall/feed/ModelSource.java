package dev.upcall.feed;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.feed.answer.AnswerCounts;
import dev.upcall.feed.answer.Answers;
import dev.upcall.feed.answer.Outcome;
import dev.upcall.feed.answer.Outlet;
import dev.upcall.feed.answer.Retired;
import dev.upcall.feed.answer.Settled;
import dev.upcall.feed.answer.SettledPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import dev.upcall.journal.queue.QueueException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A source over a model of a queue, on the simulated machine. */
class ModelSource implements RequestSource, SettledPort {
  /** What is given at once. */
  private static final int MAX_ENTRIES = 5;

  private final QueueModel model;
  private final Dispatcher dispatcher;
  private final EntryQueue queue;
  private final Answers answers;
  private final Retired retired = new Retired();
  private boolean isFailing;
  private boolean isHolding;
  private final List<Runnable> held = new ArrayList<>();
  private long from;

  /** The last entry that was given. */
  private long given = EntryQueue.NONE;

  private @Nullable CompletionPort<List<Arrival>> waiting;

  ModelSource(QueueModel model, Dispatcher dispatcher) {
    this.model = model;
    this.dispatcher = dispatcher;
    this.queue = model.storage().open();
    this.answers =
        new Answers(
            model.id(),
            model.storage().open(),
            new Outlet("replies", () -> model.replies().open(), dispatcher.clock()),
            new Outlet("dead letters", () -> model.letters().open(), dispatcher.clock()));
  }

  /** Answers to those who read a single entry wait. */
  final void hold() {
    isHolding = true;
  }

  /** They come, and do not wait any more. */
  final void release() {
    isHolding = false;
    held.forEach(Runnable::run);
    held.clear();
  }

  /** From now on reading fails. */
  final void fail() {
    isFailing = true;
  }

  /** Something was appended. */
  final void poke() {
    CompletionPort<List<Arrival>> port = waiting;
    if (port != null && isFailing) {
      waiting = null;
      dispatcher.complete(port, Completion.failed(new Failure.Device("reading", "test")));
      return;
    }
    List<Arrival> found = port == null ? List.of() : found(from);
    if (port != null && !found.isEmpty()) {
      waiting = null;
      given = found.getLast().index();
      dispatcher.complete(port, Completion.done(found));
    }
  }

  /** Whether whoever reads has read all that there is. */
  final boolean isAtEnd() {
    return waiting != null && found(from).isEmpty();
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
  public final void read(long index, CompletionPort<Optional<Arrival>> port) {
    Optional<byte[]> bytes = Optional.ofNullable(entry(index));
    Optional<Arrival> found = bytes.map(of -> Arrival.of(new Indexed(index, of), model.id()));
    Runnable answer = () -> dispatcher.complete(port, Completion.done(found));
    if (isHolding) {
      held.add(answer);
    } else {
      answer.run();
    }
  }

  @Override
  public final void next(long index, CompletionPort<List<Arrival>> port) {
    from = index;
    given = index;
    waiting = port;
    poke();
  }

  @Override
  public void expire(UUID producer, long upTo, CompletionPort<Boolean> port) {
    try {
      boolean isGone =
          retired.isGone(producer, queue, id -> queue.next(upTo) == null && model.retire(id));
      dispatcher.complete(port, Completion.done(isGone));
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public final void forget(UUID producer) {
    model.forget(producer);
  }

  @Override
  public final Backlog unread() {
    try {
      Backlog behind = Backlog.NONE;
      Indexed next = queue.next(given);
      while (next != null) {
        behind = behind.with(next);
        next = queue.next(next.index());
      }
      return behind;
    } catch (QueueException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public final void done(long index) {
    model.over(index);
    try {
      queue.removeBefore(index);
    } catch (QueueException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public void producers(CompletionPort<List<UUID>> port) {
    dispatcher.complete(port, Completion.done(List.copyOf(model.producers())));
  }

  @Override
  public final void settled(List<Settled> requests, Runnable heard) {
    later(
        () -> {
          answers.answer(requests);
          later(heard);
        });
  }

  @Override
  public final void earlier(UUID producer, List<Outcome> outcomes) {
    later(() -> answers.again(producer, outcomes));
  }

  @Override
  public final void endOfEarlier() {
    later(answers::endOfAgain);
  }

  /** What it has said. */
  final AnswerCounts answers() {
    return answers.counts();
  }

  private void later(Runnable work) {
    dispatcher.complete(_ -> work.run(), Completion.done(Unit.UNIT));
  }

  /** What is at an index. */
  byte @Nullable [] entry(long index) {
    try {
      return queue.read(index);
    } catch (QueueException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private List<Arrival> found(long index) {
    try {
      List<Arrival> found = new ArrayList<>();
      Indexed next = queue.next(index);
      while (next != null && found.size() < MAX_ENTRIES) {
        found.add(Arrival.of(seen(next), model.id()));
        next = queue.next(next.index());
      }
      return found;
    } catch (QueueException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** What the feed gets for an entry. */
  Indexed seen(Indexed found) {
    return found;
  }
}
