package dev.upcall.bench.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The steps drawn have the shares asked for. */
class LoadTest {
  @Test
  void mixesHaveTheirShares() {
    Map<Load.Step, Integer> steps = new EnumMap<>(Load.Step.class);
    for (int drawn = 0; drawn < 100; drawn++) {
      steps.merge(Load.SHORT_SCANS.step(drawn), 1, Integer::sum);
    }
    assertEquals(Map.of(Load.Step.SCAN, 95, Load.Step.INSERT, 5), steps);
    assertEquals(Load.Step.MODIFY, Load.READ_MODIFY_WRITE.step(50));
    assertEquals(Load.Step.READ, Load.READ_MODIFY_WRITE.step(49));
    assertEquals(Load.Step.UPDATE, Load.READ_MOSTLY.step(95));
    long mixes = java.util.Arrays.stream(Load.values()).filter(Load::isMix).count();
    assertEquals(6, mixes);
  }

  /** The sum of the weights is known, so the share of the first numbers is, too. */
  @Test
  void fewNumbersAreDrawnMostOfTheTime() {
    int count = 1000;
    double sum = 0;
    for (int n = 1; n <= count; n++) {
      sum += Math.pow(n, -0.99);
    }
    Zipf zipf = new Zipf(count);
    SplittableRandom random = new SplittableRandom(5);
    int[] drawn = new int[count];
    int draws = 200_000;
    for (int i = 0; i < draws; i++) {
      drawn[(int) zipf.next(random)]++;
    }
    assertEquals(1 / sum, drawn[0] / (double) draws, 0.01);
    assertEquals(Math.pow(2, -0.99) / sum, drawn[1] / (double) draws, 0.01);
    int last = 0;
    for (int n = count / 2; n < count; n++) {
      last += drawn[n];
    }
    assertTrue(last > draws / 20 && last < draws / 7, "drawn from the second half: " + last);
  }

  @Test
  void numbersAreSpreadAndNoneIsTwice() {
    java.util.Set<Long> mixed = new java.util.HashSet<>();
    for (long number = 0; number < 100_000; number++) {
      mixed.add(Entries.mixed(number));
    }
    assertEquals(100_000, mixed.size());
  }

  @Test
  void numbersInKeyOrderAreAllOfThemAndTheirKeysAscend() {
    long[] ordered = Entries.inKeyOrder(10_000);
    assertArrayEquals(
        LongStream.range(0, 10_000).toArray(), LongStream.of(ordered).sorted().toArray());
    for (int i = 1; i < ordered.length; i++) {
      assertTrue(
          Arrays.compareUnsigned(Entries.key(ordered[i - 1]), Entries.key(ordered[i])) < 0,
          "the key at " + i + " is not behind the one before it");
    }
  }
}
