package dev.upcall.buffer.replacement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What every replacement policy must do. A new one needs only a subclass that makes it. */
abstract class ReplacementPolicyContract {
  private static final int CAPACITY = 200;

  abstract ReplacementPolicy make(int capacityBlocks);

  @Test
  void anEmptyPolicyHasNoVictim() {
    assertEquals(ReplacementPolicy.NONE, make(16).victim(frame -> true));
  }

  @Test
  void everyFrameIsAVictimOnceAndOnlyOnce() {
    ReplacementPolicy policy = make(CAPACITY);
    for (int frame = 0; frame < CAPACITY; frame++) {
      policy.admit(frame, 1000 + frame, 1);
      policy.touch(frame / 2);
    }
    Set<Integer> victims = new HashSet<>();
    for (int i = 0; i < CAPACITY; i++) {
      assertTrue(victims.add(policy.victim(frame -> true)));
    }
    assertFalse(victims.contains(ReplacementPolicy.NONE));
    assertEquals(ReplacementPolicy.NONE, policy.victim(frame -> true));
  }

  @Test
  void pinnedFramesArePassedOverAndKept() {
    ReplacementPolicy policy = make(CAPACITY);
    for (int frame = 0; frame < 10; frame++) {
      policy.admit(frame, frame, 1);
    }
    assertEquals(7, policy.victim(frame -> frame == 7));
    assertEquals(ReplacementPolicy.NONE, policy.victim(frame -> false));
    for (int i = 0; i < 9; i++) {
      assertNotEquals(ReplacementPolicy.NONE, policy.victim(frame -> true));
    }
  }

  @Test
  void theFirstThatCanBeEvictedIsTheVictim() {
    ReplacementPolicy policy = make(CAPACITY);
    for (int frame = 0; frame < 10; frame++) {
      policy.admit(frame, frame, 1);
    }
    List<Integer> allowed = new ArrayList<>();
    int victim =
        policy.victim(
            frame -> {
              if (frame % 3 == 2) {
                allowed.add(frame);
              }
              return frame % 3 == 2;
            });
    assertEquals(List.of(victim), allowed);
  }

  @Test
  void holdsExactlyWhatWasAdmittedAndNotRemoved() {
    SplittableRandom random = new SplittableRandom(3);
    ReplacementPolicy policy = make(CAPACITY);
    Set<Integer> held = new HashSet<>();
    for (int step = 0; step < 20_000; step++) {
      int frame = random.nextInt(CAPACITY);
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          if (held.add(frame)) {
            policy.admit(frame, random.nextInt(500), 1 + random.nextInt(16));
          }
        }
        case 2 -> {
          if (held.contains(frame)) {
            policy.touch(frame);
          }
        }
        case 3 -> {
          if (held.remove(frame)) {
            policy.remove(frame);
          }
        }
        default -> {
          int odd = random.nextInt(2);
          int victim = policy.victim(candidate -> candidate % 2 == odd);
          if (victim == ReplacementPolicy.NONE) {
            assertTrue(held.stream().noneMatch(candidate -> candidate % 2 == odd));
          } else {
            assertEquals(odd, victim % 2);
            assertTrue(held.remove(victim), "victim was not held: " + victim);
          }
        }
      }
    }
    while (!held.isEmpty()) {
      assertTrue(held.remove(policy.victim(frame -> true)));
    }
  }

  @Test
  void keepsWhatIsAskedForAllTheTime() {
    // A hot set of a quarter of the memory, and a stream of other things that is not too fast.
    double ratio = Replay.hitRatio(make(64), 64, Replay.hotAndCold(1, 16, 4_000, 0.8, 20_000));
    assertTrue(ratio > 0.7, "hit ratio " + ratio);
  }
}
