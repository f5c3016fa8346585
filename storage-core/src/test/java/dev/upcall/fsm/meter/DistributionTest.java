package dev.upcall.fsm.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DistributionTest {
  private final Distribution distribution = new Distribution();

  @Test
  void nothingRecordedIsAllZeros() {
    DistributionSnapshot empty = distribution.snapshot();
    assertEquals(0, empty.count());
    assertEquals(0, empty.sum());
    assertEquals(0, empty.max());
    assertEquals(0, empty.mean());
    assertEquals(0, empty.quantile(0.5));
    assertEquals(0, empty.quantile(1));
    assertEquals(0, empty.countUpTo(Long.MAX_VALUE));
  }

  @Test
  void countSumAndMaximumAreExact() {
    for (long value : new long[] {0, 1, 31, 999_999_937, 5}) {
      distribution.record(value);
    }
    DistributionSnapshot snapshot = distribution.snapshot();
    assertEquals(5, snapshot.count());
    assertEquals(999_999_974, snapshot.sum());
    assertEquals(999_999_937, snapshot.max());
    assertEquals(999_999_974 / 5.0, snapshot.mean());
  }

  @Test
  void numbersOutOfRangeCountAsTheNearestInside() {
    distribution.record(-5);
    distribution.record(Long.MAX_VALUE);
    DistributionSnapshot snapshot = distribution.snapshot();
    assertEquals(2, snapshot.count());
    assertEquals(Distribution.MAX_VALUE, snapshot.sum());
    assertEquals(Distribution.MAX_VALUE, snapshot.max());
    assertEquals(1, snapshot.countUpTo(0));
    assertEquals(2, snapshot.countUpTo(Long.MAX_VALUE));
  }

  /** Against the sorted numbers themselves: off by a sixteenth at most, and on the safe side. */
  @Test
  void quantilesAndCountsAreRightToASixteenth() {
    SplittableRandom random = new SplittableRandom(7);
    long[] values = new long[20_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextLong(1L << random.nextInt(1, 40));
      distribution.record(values[i]);
    }
    Arrays.sort(values);
    DistributionSnapshot snapshot = distribution.snapshot();
    for (double part : new double[] {0.001, 0.5, 0.9, 0.99, 0.999, 1}) {
      long truth = values[(int) Math.ceil(part * values.length) - 1];
      long said = snapshot.quantile(part);
      assertTrue(
          said >= truth && said <= truth + truth / 16 + 1, part + ": " + said + " for " + truth);
    }
    for (long limit = 1; limit < 1L << 40; limit = limit * 5 / 2 + 1) {
      long said = snapshot.countUpTo(limit);
      assertTrue(said <= countUpTo(values, limit), "too many up to " + limit);
      assertTrue(said >= countUpTo(values, limit - limit / 16 - 1), "too few up to " + limit);
    }
  }

  private static long countUpTo(long[] sorted, long limit) {
    return Arrays.stream(sorted).filter(value -> value <= limit).count();
  }

  @Test
  void aSnapshotStaysAsItIsAndIsSharedUntilSomethingIsRecorded() {
    distribution.record(10);
    DistributionSnapshot first = distribution.snapshot();
    assertSame(first, distribution.snapshot());
    distribution.record(20);
    assertEquals(1, first.count());
    assertEquals(10, first.max());
    assertNotSame(first, distribution.snapshot());
    assertEquals(2, distribution.snapshot().count());
  }
}
