package dev.upcall.fsm.wakeup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class AdaptivePollTest {
  private static final long LIMIT_NANOS = 200_000;

  private final AdaptivePoll poll = new AdaptivePoll(LIMIT_NANOS);

  @Test
  void looksForTheWholeLimitOnceAWaitWasQuick() {
    assertEquals(0, poll.begin());
    poll.waitTook(100_000);
    assertEquals(LIMIT_NANOS, poll.begin());
  }

  @Test
  void sleepsWhereTheDeviceIsSlow() {
    poll.waitTook(5_000_000);
    assertEquals(0, poll.begin());
  }

  @Test
  void oneStragglerDoesNotSendItToSleepAndManyDo() {
    poll.waitTook(100_000);
    poll.waitTook(1_000_000_000);
    assertEquals(LIMIT_NANOS, poll.begin());
    for (int i = 0; i < 10; i++) {
      poll.waitTook(1_000_000_000);
    }
    assertEquals(0, poll.begin());
    for (int i = 0; i < 20; i++) {
      poll.waitTook(100_000);
    }
    assertEquals(LIMIT_NANOS, poll.begin());
  }

  @Test
  void looksInVainAtMostOnceInSoManyWaits() {
    poll.waitTook(100_000);
    int looked = 0;
    for (int wait = 0; wait < 4 * AdaptivePoll.MAX_SKIPPED; wait++) {
      if (poll.begin() > 0) {
        looked++;
        poll.ended(false);
      }
    }
    // Behind waits 0, 2, 5, 10, 19, 36, 69, 134, 263, 520 and 777.
    assertEquals(11, looked);
  }

  @Test
  void forgetsWhatWasInVainWithTheFirstThatWasNot() {
    poll.waitTook(100_000);
    for (int misses = 0; misses < 5; ) {
      if (poll.begin() > 0) {
        poll.ended(false);
        misses++;
      }
    }
    while (poll.begin() == 0) {
      // Slept through.
    }
    poll.ended(true);
    assertEquals(LIMIT_NANOS, poll.begin());
    poll.ended(false);
    assertEquals(0, poll.begin());
    assertEquals(LIMIT_NANOS, poll.begin());
  }

  @Test
  void sleepsForLongWhereOthersHadTheProcessor() {
    poll.waitTook(100_000);
    poll.displaced();
    int slept = 0;
    while (poll.begin() == 0) {
      slept++;
    }
    assertEquals(AdaptivePoll.MAX_SKIPPED, slept);
    poll.ended(true);
    assertEquals(LIMIT_NANOS, poll.begin());
  }

  @Test
  void neverLooksWhenThatIsOff() {
    AdaptivePoll off = new AdaptivePoll(0);
    off.waitTook(1);
    assertEquals(0, off.begin());
    assertThrows(IllegalArgumentException.class, () -> new AdaptivePoll(-1));
  }
}
