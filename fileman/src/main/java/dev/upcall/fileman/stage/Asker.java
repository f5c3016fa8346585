package dev.upcall.fileman.stage;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Asks through a door, each request with the same deadline.
 *
 * @param limitNanos until when after it was made a request has its answer, or its stage fails; 0:
 *     there is no deadline
 */
record Asker(StageDoor door, long limitNanos) {
  /**
   * A stage of what takes several requests, with one deadline for all: between two of them it may
   * be for others to go on, who need not.
   */
  <T> CompletableFuture<T> whole() {
    CompletableFuture<T> whole = new AskedStage<>(door.dispatcher());
    if (limitNanos > 0) {
      door.expireAfter(limitNanos, whole);
    }
    return whole;
  }

  /** Asks; the stage has the answer. */
  <T> CompletableFuture<T> ask(Consumer<? super CompletionPort<T>> what) {
    return ask(what, answer -> answer);
  }

  /** Asks; the stage has what a function makes of the answer. */
  <S, T> CompletableFuture<T> ask(
      Consumer<? super CompletionPort<S>> what, Function<? super S, ? extends T> result) {
    return open(what, result, _ -> {});
  }

  /** Asks what is done and no more. */
  CompletableFuture<Void> tell(Consumer<? super CompletionPort<Unit>> what) {
    return this.<Unit, Void>ask(what, _ -> null);
  }

  /** Does something on the dispatcher's thread that is done when it returns. */
  CompletableFuture<Void> run(Runnable action) {
    return tell(
        port -> {
          action.run();
          door.dispatcher().complete(port, Completion.done());
        });
  }

  /**
   * Gives back what nobody wants any more, on the dispatcher's thread. That takes no place in line,
   * where it could be refused, or come to its deadline.
   */
  void giveBack(Runnable action) {
    door.dispatcher().offer(action);
  }

  /** Asks for something that must be closed. */
  <S, T> CompletableFuture<T> open(
      Consumer<? super CompletionPort<S>> what,
      Function<? super S, ? extends T> result,
      Consumer<? super S> lost) {
    StageRequest<S, T> request =
        new StageRequest<>(door, new StageRequest.Ask<S, T>(what, result, lost));
    if (limitNanos > 0) {
      request.expireAfter(limitNanos);
    }
    door.enter(request);
    return request.stage();
  }

  /** Asks something of a path; a text that is none fails the stage. */
  <T> CompletableFuture<T> at(
      String argument, CharSequence path, Function<StorePath, CompletableFuture<T>> request) {
    return switch (StorePath.parse(Objects.requireNonNull(path, argument))) {
      case Completion.Done<StorePath>(StorePath parsed) -> request.apply(parsed);
      case Completion.Failed<StorePath>(Failure failure) -> refused(failure);
    };
  }

  /** A stage that fails with what is wrong before it can be asked. */
  <T> CompletableFuture<T> refused(Failure failure) {
    return door.answered(Completion.<T>failed(failure), value -> value);
  }
}
