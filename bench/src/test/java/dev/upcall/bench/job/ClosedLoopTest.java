package dev.upcall.bench.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosedLoopTest {
  @Test
  void eachOperationIsBegunAnewUntilThereAreEnough() {
    AtomicInteger begun = new AtomicInteger();
    Tally tally =
        ClosedLoop.run(
            Runnable::run,
            3,
            _ -> begun.get() < 10,
            loop ->
                new ClosedLoop.Chain(loop) {
                  @Override
                  protected void begin() {
                    begun.incrementAndGet();
                    done();
                  }
                });
    assertEquals(begun.get(), tally.units());
  }

  @Test
  void whoWaitsForADispatcherThatHasEndedIsTold() {
    AtomicInteger upcalls = new AtomicInteger();
    Executor endsAfterTheFirst =
        upcall -> {
          if (upcalls.getAndIncrement() > 0) {
            throw new RejectedExecutionException("ended");
          }
          upcall.run();
        };
    assertThrows(
        RejectedExecutionException.class,
        () -> ClosedLoop.run(endsAfterTheFirst, 1, _ -> true, NeverAnswered::new));
  }

  private static final class NeverAnswered extends ClosedLoop.Chain {
    private NeverAnswered(ClosedLoop loop) {
      super(loop);
    }

    @Override
    protected void begin() {
      // The dispatcher ends before.
    }
  }
}
