package dev.upcall.fileman.stage;

import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.fsm.wakeup.Abandonable;
import dev.upcall.fsm.wakeup.DespiteFullHeap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request and the stage that it ends in: begun and answered on the dispatcher's thread, given
 * up on any, completed on the executor.
 *
 * @param <S> what the store answers
 * @param <T> what the stage has
 */
final class StageRequest<S, T> implements CompletionPort<S>, Abandonable {
  private final CompletableFuture<T> stage;
  private final StageDoor door;
  private final Ask<S, T> ask;

  /** The dispatcher's. */
  private Dispatcher.@Nullable Timer timer;

  /** The dispatcher's. */
  private boolean begun;

  /** The dispatcher's. */
  private boolean expired;

  /**
   * What is asked.
   *
   * @param what calls the store with the port it is given, on the dispatcher's thread
   * @param result what the stage has of the answer; on the executor
   * @param lost takes an answer that nobody gets any more, on the dispatcher's thread
   */
  record Ask<S, T>(
      Consumer<? super CompletionPort<S>> what,
      Function<? super S, ? extends T> result,
      Consumer<? super S> lost) {}

  StageRequest(StageDoor door, Ask<S, T> ask) {
    this.door = door;
    this.ask = ask;
    this.stage = new AskedStage<>(door.dispatcher());
  }

  CompletableFuture<T> stage() {
    return stage;
  }

  /** Fails the stage unless the answer is there so long after now. Any thread, before it enters. */
  void expireAfter(long nanos) {
    door.scheduleAfter(nanos, () -> expire(nanos), scheduled -> timer = scheduled);
  }

  /** Dispatcher's thread. */
  private void expire(long nanos) {
    expired = true;
    Duration deadline = Duration.ofNanos(nanos);
    String what =
        begun
            ? "the wait of %s for a request that goes on, and may take effect,"
            : "a request that found no room within %s, and of which nothing has happened,";
    refuse(UpcallException.of(new Failure.Cancelled(what.formatted(deadline))));
  }

  /** Dispatcher's thread. */
  void begin(CompletionPort<S> port) {
    begun = true;
    if (expired || stage.isDone()) {
      // Nobody hears of this.
      door.dispatcher().complete(port, Completion.failed(new Failure.Cancelled("the request")));
    } else {
      ask.what().accept(port);
    }
  }

  @Override
  public void complete(Completion<S> completion) {
    if (timer != null) {
      timer.cancel();
    }
    door.left();
    if (expired || stage.isDone()) {
      lose(completion);
    } else {
      door.deliver(() -> hand(completion));
    }
  }

  /** The executor's thread. */
  private void hand(Completion<S> completion) {
    boolean handed;
    try {
      handed = StageDoor.finish(stage, completion, ask.result());
    } catch (OutOfMemoryError noRoom) {
      handed = stage.isDone();
      DespiteFullHeap.fail(stage, noRoom);
    }
    if (!handed) {
      door.dispatcher().offer(() -> lose(completion));
    }
  }

  /** Dispatcher's thread. */
  private void lose(Completion<S> completion) {
    if (completion instanceof Completion.Done<S>(S value)) {
      ask.lost().accept(value);
    }
  }

  /** Ends without an answer. Any thread. */
  void refuse(Throwable why) {
    door.deliver(() -> DespiteFullHeap.fail(stage, why));
  }

  @Override
  public void abandon() {
    refuse(DispatcherStoppedException.outcomeUnknown(door.dispatcher()));
  }
}
