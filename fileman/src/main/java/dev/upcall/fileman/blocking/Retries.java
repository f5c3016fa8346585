package dev.upcall.fileman.blocking;

import dev.upcall.UpcallException;
import dev.upcall.UpcallTransaction;
import dev.upcall.base.Clock;
import dev.upcall.completion.Failure;
import dev.upcall.config.RetryConfig;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does transactions until others are no longer quicker. Any thread. */
final class Retries {
  private final RetryConfig limits;
  private final Clock clock;

  Retries(RetryConfig limits, Clock clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** See {@link dev.upcall.FsmUpcall#transact}. */
  <T extends @Nullable Object> T run(
      Supplier<UpcallTransaction> begin, Function<? super UpcallTransaction, ? extends T> body) {
    long beganNanos = clock.monotonicNanos();
    SplittableRandom random = null;
    for (int attempt = 1; ; attempt++) {
      try (UpcallTransaction transaction = begin.get()) {
        T result = body.apply(transaction);
        transaction.commit();
        return result;
      } catch (UpcallException failed) {
        long tookNanos = clock.monotonicNanos() - beganNanos;
        if (!passes(failed.failure())
            || attempt >= limits.maxAttempts()
            || tookNanos >= limits.maxNanos()) {
          throw failed;
        }
      }
      if (random == null) {
        random = new SplittableRandom(beganNanos ^ Thread.currentThread().threadId());
      }
      pause(1 + random.nextLong(limits.pauseBoundNanos(attempt)));
    }
  }

  /** Whether nothing has happened, and may the next time. */
  private static boolean passes(Failure failure) {
    return failure instanceof Failure.Conflict || failure instanceof Failure.Deadlock;
  }

  /** An interrupt does not end it, and stays pending. */
  private void pause(long nanos) {
    long deadlineNanos = clock.monotonicNanos() + nanos;
    boolean interrupted = false;
    for (long left = nanos; left > 0; left = deadlineNanos - clock.monotonicNanos()) {
      LockSupport.parkNanos(this, left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
