package dev.upcall.fileman.stage;

import dev.upcall.UpcallException;
import dev.upcall.base.Clock;
import dev.upcall.config.RetryConfig;
import dev.upcall.stage.StageTransaction;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** Does a transaction of stages until others are no longer quicker. One step behind the other. */
final class Transacting<T> {
  private final Asker asker;
  private final Supplier<CompletionStage<StageTransaction>> begin;
  private final RetryConfig limits;
  private final Function<? super StageTransaction, ? extends CompletionStage<T>> body;
  private final CompletableFuture<T> whole;
  private final long beganNanos;
  private final SplittableRandom random;
  private int attempts;

  Transacting(
      Asker asker,
      Supplier<CompletionStage<StageTransaction>> begin,
      RetryConfig limits,
      Function<? super StageTransaction, ? extends CompletionStage<T>> body) {
    this.asker = asker;
    this.whole = asker.whole();
    this.begin = begin;
    this.limits = limits;
    this.body = body;
    this.beganNanos = clock().monotonicNanos();
    this.random = new SplittableRandom(beganNanos ^ Thread.currentThread().threadId());
  }

  private Clock clock() {
    return asker.door().dispatcher().clock();
  }

  CompletableFuture<T> start() {
    attempt();
    return whole;
  }

  private void attempt() {
    attempts++;
    Steps.step(whole, begin.get())
        .whenComplete(
            (transaction, failed) -> {
              if (failed == null) {
                run(transaction);
              } else {
                whole.completeExceptionally(failed);
              }
            });
  }

  private void run(StageTransaction transaction) {
    if (whole.isDone()) {
      transaction.rollback();
      return;
    }
    CompletionStage<T> answer;
    try {
      answer = Objects.requireNonNull(body.apply(transaction), "the stage of the body");
    } catch (Throwable thrown) {
      rollBack(transaction, thrown);
      return;
    }
    answer.whenComplete(
        (value, failed) -> {
          if (failed != null) {
            rollBack(transaction, Steps.cause(failed));
          } else if (whole.isDone()) {
            transaction.rollback();
          } else {
            commit(transaction, value);
          }
        });
  }

  private void commit(StageTransaction transaction, T value) {
    transaction
        .commit()
        .whenComplete(
            (_, failed) -> {
              if (failed == null) {
                whole.complete(value);
              } else {
                rollBack(transaction, failed);
              }
            });
  }

  private void rollBack(StageTransaction transaction, Throwable why) {
    transaction.rollback().whenComplete((_, _) -> ended(why));
  }

  private void ended(Throwable why) {
    boolean passes =
        why instanceof UpcallException.Conflict || why instanceof UpcallException.Deadlock;
    long tookNanos = clock().monotonicNanos() - beganNanos;
    if (!passes || attempts >= limits.maxAttempts() || tookNanos >= limits.maxNanos()) {
      whole.completeExceptionally(why);
    } else if (!whole.isDone()) {
      asker
          .door()
          .deliverAfter(1 + random.nextLong(limits.pauseBoundNanos(attempts)), this::attempt);
    }
  }
}
