package dev.upcall.sim.store.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.sim.store.SimLifetime;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole lifetimes of stores, from seeds. How to run others: {@code docs/hacking.md}. */
class StoreSimulatorTest {
  @Test
  void seedsThatFailedOnce() {
    SimSeeds.Tally tally = new SimSeeds.Tally();
    for (long seed : SimSeeds.kept()) {
      tally.run(seed, SimLifetime::run);
    }
    tally.check();
  }

  @Test
  void lifetimes() {
    long from = Long.getLong("upcall.sim.seed", 1);
    long seeds = Long.getLong("upcall.sim.seeds", from == 1 ? 60 : 1);
    SimSeeds.Tally tally = new SimSeeds.Tally();
    for (long seed = from; seed < from + seeds; seed++) {
      tally.run(seed, SimLifetime::run);
    }
    tally.check();
  }

  @Test
  void sameSeedSameTrace() {
    for (long seed = 1; seed <= 3; seed++) {
      assertEquals(SimLifetime.run(seed), SimLifetime.run(seed), "seed " + seed);
    }
  }

  /** What the independent judge of isolation gets to see is no empty history. */
  @Test
  void transactionsAreJudged() {
    long judged = 0;
    for (long seed = 1; seed <= 5; seed++) {
      judged += SimLifetime.run(seed).judged();
    }
    assertTrue(judged > 300, "judged: " + judged);
  }

  /** No hash of an object's identity and no salt of a JVM may decide anything. */
  @Test
  void sameTraceInAnotherJvm() throws IOException, InterruptedException {
    long first = 1;
    int seeds = 12;
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SimTraces.class.getName(),
                Long.toString(first),
                Integer.toString(seeds))
            .redirectErrorStream(true)
            .start();
    try {
      for (long seed = first; seed < first + seeds; seed++) {
        assertEquals(other.inputReader().readLine(), SimTraces.line(seed));
      }
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** The same seeds everywhere, so that a red build means a change. */
  @Test
  @Tag("long")
  void manyLifetimes() {
    long first = Long.getLong("upcall.sim.seed", 100_000);
    long seeds = Long.getLong("upcall.sim.seeds", 1000);
    SimSeeds.Tally tally = new SimSeeds.Tally();
    long start = System.nanoTime();
    for (long seed = first; seed < first + seeds; seed++) {
      tally.run(seed, SimLifetime::run);
    }
    tally.tell(first, System.nanoTime() - start);
    tally.check();
    assertEquals(seeds, tally.runs());
  }

  /**
   * Seeds that nobody has run, for a fixed time. What fails prints its seed, and {@link #lifetimes}
   * repeats it.
   */
  @Test
  @Tag("long")
  void freshLifetimes() {
    long first = System.currentTimeMillis() * 1000;
    long limitNanos = Long.getLong("upcall.sim.freshSeconds", 20) * 1_000_000_000L;
    SimSeeds.Tally tally = new SimSeeds.Tally();
    long start = System.nanoTime();
    while (System.nanoTime() - start < limitNanos) {
      tally.run(first + tally.runs(), SimLifetime::run);
    }
    tally.tell(first, System.nanoTime() - start);
    tally.check();
  }
}
