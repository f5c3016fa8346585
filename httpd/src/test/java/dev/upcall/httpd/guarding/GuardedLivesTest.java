package dev.upcall.httpd.guarding;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.guarding.BrokenGuard.Fault;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lives of a server with rules, of which each answer is judged by a second reading of the rules. A
 * failure names its seed; {@code -Dupcall.guard.seed=N} is one seed again, but for the bytes of
 * TLS.
 */
@ExtendWith(BufferLeakCheck.class)
class GuardedLivesTest {
  private static final int FEW_SEEDS = 60;
  private static final int MANY_SEEDS = 1_000;

  /** Each such seed is one over TLS. */
  private static final int TLS_EACH = 8;

  /** Seeds within which each canary must be caught. */
  private static final int CANARY_SEEDS = 1_000;

  @Test
  void eachAnswerIsTheOneOfRulesInForce() {
    long seed = Long.getLong("upcall.guard.seed", 0);
    if (seed != 0) {
      life(seed);
      return;
    }
    int[] counts = lives(1, FEW_SEEDS);
    assertTrue(counts[0] > 2 * FEW_SEEDS, counts[0] + " allowed");
    assertTrue(counts[1] > 2 * FEW_SEEDS, counts[1] + " denied");
  }

  @Test
  @Tag("long")
  void manyLives() {
    int[] counts = lives(1 + FEW_SEEDS, MANY_SEEDS);
    System.out.println(counts[0] + " requests allowed, " + counts[1] + " denied");
  }

  private static int[] lives(long first, int count) {
    int[] sums = new int[2];
    for (long seed = first; seed < first + count; seed++) {
      int[] counts = life(seed);
      sums[0] += counts[0];
      sums[1] += counts[1];
    }
    return sums;
  }

  private static int[] life(long seed) {
    GuardedLifetime life =
        new GuardedLifetime(
            seed, seed % TLS_EACH == 0, UnaryOperator.identity(), UnaryOperator.identity());
    life.live(0);
    return life.counts();
  }

  /** In the handshake and behind it. */
  @Test
  @Tag("long")
  void aClientLostAtEveryTurn() {
    losses(2 * TLS_EACH);
  }

  private static void losses(long seed) {
    int turns = Integer.MAX_VALUE;
    for (int turn = 1; turn <= turns; turn++) {
      turns =
          new GuardedLifetime(
                  seed, seed % TLS_EACH == 0, UnaryOperator.identity(), UnaryOperator.identity())
              .live(turn);
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void canariesAreCaught(Fault fault) {
    BrokenGuard broken = new BrokenGuard(fault);
    for (long seed = 1; seed <= CANARY_SEEDS; seed++) {
      try {
        new GuardedLifetime(seed, /* tls= */ false, broken::access, broken::site).live(0);
      } catch (GuardedLifetime.GuardLie caught) {
        System.out.println(fault + " is caught by seed " + seed + ": " + caught.getMessage());
        return;
      }
    }
    throw new AssertionError(fault + " was not caught within " + CANARY_SEEDS + " seeds");
  }
}
