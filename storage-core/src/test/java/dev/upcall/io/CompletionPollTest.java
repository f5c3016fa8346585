package dev.upcall.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CompletionPollTest {
  private static final long LIMIT_NANOS = 200_000;

  private final CompletionPoll poll = new CompletionPoll(LIMIT_NANOS);

  @Test
  void looksForTheWholeLimitOnceADurableWriteWasQuick() {
    assertEquals(0, poll.begin());
    poll.durableWriteTook(100_000);
    assertEquals(LIMIT_NANOS, poll.begin());
  }

  @Test
  void sleepsWhereTheDeviceIsSlow() {
    poll.durableWriteTook(5_000_000);
    assertEquals(0, poll.begin());
  }

  @Test
  void oneStragglerDoesNotSendItToSleepAndManyDo() {
    poll.durableWriteTook(100_000);
    poll.durableWriteTook(1_000_000_000);
    assertEquals(LIMIT_NANOS, poll.begin());
    for (int i = 0; i < 10; i++) {
      poll.durableWriteTook(1_000_000_000);
    }
    assertEquals(0, poll.begin());
    for (int i = 0; i < 20; i++) {
      poll.durableWriteTook(100_000);
    }
    assertEquals(LIMIT_NANOS, poll.begin());
  }

  @Test
  void looksInVainAtMostOnceInSoManyWaits() {
    poll.durableWriteTook(100_000);
    int looked = 0;
    for (int wait = 0; wait < 4 * CompletionPoll.MAX_SKIPPED; wait++) {
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
    poll.durableWriteTook(100_000);
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
  void neverLooksWhenThatIsOff() {
    CompletionPoll off = new CompletionPoll(0);
    off.durableWriteTook(1);
    assertEquals(0, off.begin());
    assertThrows(IllegalArgumentException.class, () -> new CompletionPoll(-1));
  }
}
