package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PinsTest {
  private static final long CHECKPOINT = Long.MAX_VALUE / 2;

  private final Pins pins = new Pins();

  @Test
  void theOldestHeldScnIsTheHorizon() {
    SplittableRandom random = new SplittableRandom(1);
    List<Long> held = new ArrayList<>();
    List<Runnable> unpins = new ArrayList<>();
    long scn = 1;
    for (int i = 0; i < 20_000; i++) {
      if (held.isEmpty() || random.nextInt(40) > held.size()) {
        scn += random.nextInt(2);
        held.add(scn);
        unpins.add(pins.pin(scn));
      } else {
        int at = random.nextInt(held.size());
        held.remove(at);
        unpins.remove(at).run();
      }
      long oldest = held.stream().mapToLong(each -> each).min().orElse(CHECKPOINT);
      assertEquals(oldest, pins.horizon(CHECKPOINT));
      assertEquals(held.size(), pins.holders());
      assertEquals(held.stream().distinct().count(), pins.scns());
    }
  }

  /** A reader that stays for long keeps nothing of those that come and go behind it. */
  @Test
  void whoLetsGoIsForgottenBehindAnOlderOne() {
    Runnable first = pins.pin(1);
    Runnable last = first;
    for (long scn = 2; scn <= 100_000; scn++) {
      last = pins.pin(scn);
      last.run();
    }
    assertEquals(1, pins.scns());
    assertEquals(1, pins.horizon(CHECKPOINT));
    assertThrows(Invariants.Violation.class, last::run);
    first.run();
    assertEquals(0, pins.scns());
    assertEquals(CHECKPOINT, pins.horizon(CHECKPOINT));
  }
}
