package dev.upcall.specweb.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.run.LoadSearch.Found;
import dev.upcall.specweb.run.LoadSearch.Round;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The search for the highest load, over rounds of a second in virtual time. */
class LoadSearchTest {
  private final AtomicLong clock = new AtomicLong();
  private int rounds;

  private Found search(IntFunction<Round> round, double mostSeconds) throws Exception {
    Found found =
        LoadSearch.run(
            () -> {
              clock.addAndGet(1_000_000_000);
              return round.apply(rounds++);
            },
            clock::get,
            mostSeconds);
    assertNotNull(found);
    return found;
  }

  /** As it was seen: eight seconds find 9,200 where the server is at 20,000. */
  @Test
  void aRateThatGrowsIsNotTheHighest() throws Exception {
    Found found =
        search(i -> new Round(Math.min(20_000, 2_000 + 900 * i), i < 25 ? 0.4 : 0, true), 60);
    assertEquals(20_000, found.opsPerSecond(), 100);
    assertTrue(found.isSteady() && found.isGeneratorBusy());
    assertTrue(found.seconds() > 20 && found.seconds() < 40, found + "");
  }

  @Test
  void aCompilerAtWorkIsWaitedFor() throws Exception {
    Found found = search(i -> new Round(i < 12 ? 10_000 : 14_000, i < 16 ? 0.3 : 0, false), 60);
    assertEquals(14_000, found.opsPerSecond(), 1);
    assertFalse(found.isGeneratorBusy());
  }

  @Test
  void whatGrowsOnIsFoundAndSaidNotToBeSteady() throws Exception {
    Found found = search(i -> new Round(100 * Math.pow(1.2, i), 0, false), 10);
    assertFalse(found.isSteady());
    assertEquals(10, found.seconds(), 0.1);
  }

  @Test
  void theEndMayBeAskedFor() throws Exception {
    assertNull(LoadSearch.run(() -> null, clock::get, 10));
  }
}
