package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.queue.QueueException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests of a queue are done once each, in order, whatever dies. */
class RequestFeedTest {
  private static final int SEEDS = 40;
  private static final int MANY_SEEDS = 1000;
  private static final int CANARY_SEEDS = 1000;

  @Test
  void eachRequestIsDoneOnceInItsProducersOrder() throws QueueException {
    FeedLifetime.Totals totals = run(0, SEEDS);
    assertTrue(totals.applied > SEEDS, () -> totals.applied + " applied");
    assertTrue(totals.repeated > SEEDS / 10, () -> totals.repeated + " repeated");
    assertTrue(totals.failed > SEEDS / 10, () -> totals.failed + " failed");
    assertTrue(totals.unreadable > 0, () -> totals.unreadable + " unreadable");
    assertTrue(totals.abandoned > 0, () -> totals.abandoned + " abandoned");
    assertTrue(totals.lostEnds > 0, () -> totals.lostEnds + " lost ends");
    assertTrue(totals.forgotten > 0, () -> totals.forgotten + " forgotten");
    assertTrue(totals.damaged > SEEDS / 10, () -> totals.damaged + " damaged");
    assertTrue(totals.repliesAgain > 0, () -> totals.repliesAgain + " replies again");
  }

  @Test
  @Tag("long")
  void manySeeds() throws QueueException {
    assertTrue(run(SEEDS, MANY_SEEDS).lostEnds > 0);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aFeedThatIsBrokenIsNoticed(FeedCanary canary) throws QueueException {
    long seed = 0;
    while (seed < CANARY_SEEDS && !isNoticed(seed, canary)) {
      seed++;
    }
    assertNotEquals(CANARY_SEEDS, seed, canary + " is not noticed");
  }

  private static boolean isNoticed(long seed, FeedCanary canary) throws QueueException {
    try {
      new FeedLifetime(seed, canary, new FeedLifetime.Totals()).run();
      return false;
    } catch (AssertionError noticed) {
      return true;
    }
  }

  private static FeedLifetime.Totals run(long from, long to) throws QueueException {
    FeedLifetime.Totals totals = new FeedLifetime.Totals();
    for (long seed = from; seed < to; seed++) {
      try {
        new FeedLifetime(seed, FeedCanary.NONE, totals).run();
      } catch (AssertionError | RuntimeException failed) {
        throw new AssertionError("seed " + seed, failed);
      }
    }
    return totals;
  }
}
