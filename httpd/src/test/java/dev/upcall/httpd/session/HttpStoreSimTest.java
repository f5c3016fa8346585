package dev.upcall.httpd.session;

import dev.upcall.httpd.SiteChanges;
import dev.upcall.sim.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Uploads, deletions and downloads over the whole store on a simulated machine that dies, whose
 * disk fails and whose clients go away at any moment: what was acknowledged is there, wholly; what
 * was not is there wholly or not at all; nothing is leaked. A failure names its seed.
 */
class HttpStoreSimTest {
  private static final int FEW_SEEDS = 60;
  private static final int MANY_SEEDS = 150;

  /** Seeds that have found something: a body that begins like a folded header line. */
  private static final long[] FOUND = {273};

  /** Steps of the disk in a life that is worth being cut off at each of them. */
  private static final int BUSY_STEPS = 30;

  /** Seeds within which each canary must be caught. */
  private static final int CANARY_SEEDS = 100;

  @Test
  void livesAndDeaths() {
    long seed = Long.getLong("upcall.http.seed", 1);
    lives(seed, seed == 1 ? FEW_SEEDS : 1);
    for (long found : FOUND) {
      life(found, SiteChanges::of);
    }
  }

  @Test
  @Tag("long")
  void manyLivesAndDeaths() {
    lives(1 + FEW_SEEDS, MANY_SEEDS);
  }

  private static void lives(long first, int count) {
    for (long seed = first; seed < first + count; seed++) {
      life(seed, SiteChanges::of);
    }
  }

  /** One life, whose end and whose faults come from the seed. */
  private static void life(long seed, HttpLifetime.Writing writing) {
    SplittableRandom fate = new SplittableRandom(~seed);
    HttpLifetime lifetime = new HttpLifetime(seed, writing);
    FaultPlan faults =
        switch (fate.nextInt(4)) {
          case 0 -> FaultPlan.NONE;
          case 1 -> FaultPlan.NONE.withErrors(20_000, 5_000, 5_000);
          default -> FaultPlan.crashAt(lifetime.steps() + 1 + fate.nextInt(60));
        };
    lifetime.live(faults, 0);
    boolean errors = faults.rates().readErrors() > 0; // a store that saw some is read-only by now
    if (errors || fate.nextBoolean()) {
      lifetime.dieAndCheck();
    } else {
      lifetime.check();
    }
  }

  @Test
  void deathAtEveryStepOfTheDisk() {
    deaths(busySeeds(2));
  }

  @Test
  void clientLostAtEveryTurn() {
    losses(busySeeds(1));
  }

  @Test
  @Tag("long")
  void manyDeathsAndLosses() {
    List<Long> seeds = busySeeds(2);
    deaths(seeds);
    losses(seeds);
  }

  /** The first seeds whose clients keep the disk busy. */
  private static List<Long> busySeeds(int count) {
    List<Long> seeds = new ArrayList<>();
    for (long seed = 1; seeds.size() < count; seed++) {
      HttpLifetime whole = new HttpLifetime(seed, SiteChanges::of);
      long from = whole.steps();
      whole.live(FaultPlan.NONE, 0);
      if (whole.steps() - from >= BUSY_STEPS) {
        seeds.add(seed);
      }
      whole.check();
    }
    return seeds;
  }

  private static void deaths(List<Long> seeds) {
    for (long seed : seeds) {
      boolean died = true;
      for (long step = 1; died; step++) {
        HttpLifetime cut = new HttpLifetime(seed, SiteChanges::of);
        cut.live(FaultPlan.crashAt(cut.steps() + step), 0);
        died = cut.hasDied();
        cut.check();
      }
    }
  }

  private static void losses(List<Long> seeds) {
    for (long seed : seeds) {
      int turns = Integer.MAX_VALUE;
      for (int turn = 1; turn <= turns; turn++) {
        HttpLifetime cut = new HttpLifetime(seed, SiteChanges::of);
        turns = cut.live(FaultPlan.NONE, turn);
        cut.check();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(BrokenChanges.Fault.class)
  void canariesAreCaught(BrokenChanges.Fault fault) {
    for (long seed = 1; seed <= CANARY_SEEDS; seed++) {
      try {
        life(seed, files -> new BrokenChanges(files, fault));
      } catch (AssertionError caught) {
        if (caught.getCause() instanceof HttpClientModel.Lie) {
          return;
        }
        throw caught;
      }
    }
    throw new AssertionError(fault + " was not caught within " + CANARY_SEEDS + " seeds");
  }
}
