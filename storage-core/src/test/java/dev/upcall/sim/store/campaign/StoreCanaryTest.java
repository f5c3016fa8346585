package dev.upcall.sim.store.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.upcall.sim.store.SimCounts;
import dev.upcall.sim.store.SimLifetime;
import dev.upcall.sim.store.plan.Canary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator notices every store that is broken on purpose. */
class StoreCanaryTest {
  private static final int MOST_SEEDS = 1000;
  private static final int QUICK_SEEDS = 200;

  /** The search for a lifetime whose judge misses an entry begins with it. */
  private static final int JUDGED_SEED = 44;

  private static final Predicate<String> MISSES_ENTRIES =
      Pattern.compile("not isolated: .*\\be\\d+/").asPredicate();

  @TempDir Path here;

  private static Stream<Canary> quick() {
    return broken().filter(canary -> canary.seeds() <= QUICK_SEEDS);
  }

  private static Stream<Canary> slow() {
    return broken().filter(canary -> canary.seeds() > QUICK_SEEDS);
  }

  private static Stream<Canary> broken() {
    return Arrays.stream(Canary.values()).filter(canary -> canary != Canary.SOUND);
  }

  @Test
  void noneNeedsMoreThanAThousandSeeds() {
    assertTrue(broken().count() >= 10);
    assertTrue(broken().allMatch(canary -> canary.seeds() <= MOST_SEEDS));
  }

  /** Else it would prove less than its canary says. */
  @Test
  void aKnownSeedIsOneOfItsCanarys() {
    SimSeeds.ofCanaries()
        .forEach(
            (name, seed) -> {
              int seeds = Canary.valueOf(name).seeds();
              assertTrue(seed >= 1 && seed <= seeds, () -> name + ": " + seed + " of " + seeds);
            });
  }

  @Test
  void eachStandsInTheTableOfPromises() throws IOException {
    String table = Files.readString(Path.of("..", "docs", "trust.md"));
    assertEquals(
        List.of(), broken().map(Canary::name).filter(name -> !table.contains(name)).toList());
  }

  @ParameterizedTest
  @MethodSource("quick")
  void isCaught(Canary canary) throws IOException {
    isCaughtInTime(canary);
  }

  @ParameterizedTest
  @MethodSource("slow")
  @Tag("long")
  void isCaughtInTheEnd(Canary canary) throws IOException {
    isCaughtInTime(canary);
  }

  /** The judge who knows nothing of the model is asked before the model is. */
  @Test
  void theJudgeMissesEntriesOfACommitWhoseFileIsThere() {
    for (long seed = JUDGED_SEED; seed <= Canary.ENTRIES_LEFT_OUT.seeds(); seed++) {
      try {
        SimLifetime.run(seed, Canary.ENTRIES_LEFT_OUT, new SimCounts());
      } catch (AssertionError e) {
        if (MISSES_ENTRIES.test(e.getMessage())) {
          System.out.println(e.getMessage().lines().findFirst().orElseThrow());
          return;
        }
      }
    }
    fail("the judge has not missed an entry");
  }

  /** By one of its seeds: the one that is known to do it, else the first. */
  private void isCaughtInTime(Canary canary) throws IOException {
    long known = SimSeeds.ofCanaries().getOrDefault(canary.name(), 1L);
    LongStream all = LongStream.rangeClosed(1, canary.seeds());
    for (long seed : LongStream.concat(LongStream.of(known), all).distinct().toArray()) {
      if (isCaughtBy(canary, seed)) {
        return;
      }
    }
    fail(canary + " was not noticed in " + canary.seeds() + " lifetimes");
  }

  private boolean isCaughtBy(Canary canary, long seed) throws IOException {
    try {
      SimLifetime.run(seed, canary, new SimCounts());
      return false;
    } catch (AssertionError e) {
      System.out.println(canary + " is caught by seed " + seed);
      isReplayed(canary, seed);
      return true;
    }
  }

  /** Its recording fails again in the same way; a sound store with these inputs holds. */
  private void isReplayed(Canary canary, long seed) throws IOException {
    SimRecorder.record(seed, canary, here, SimRecorder.MAX_RECORDS);
    SimRecording recording = SimRecording.read(here);
    assertTrue(recording.head().end().startsWith("failed, "), recording.head()::end);
    SimReplay.Result again = SimReplay.run(recording, canary);
    assertTrue(again.isSame(), () -> SimReplayTest.text(again));
    SimReplay.Result sound = SimReplay.run(recording, Canary.SOUND);
    assertTrue(sound.end().startsWith("held, "), () -> SimReplayTest.text(sound));
    assertNotNull(sound.record(), () -> SimReplayTest.text(sound));
  }
}
