package dev.upcall.bench.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatesTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void eachSecondHasItsUnits() {
    Rates rates = new Rates(1000);
    rates.add(3, 1000);
    rates.add(4, 1000 + SECOND - 1);
    rates.add(5, 1000 + SECOND);
    rates.add(1, 1000 + 3 * SECOND + SECOND / 2);
    assertEquals(List.of(7L, 5L, 0L, 1L), rates.ofEachSecond());
  }

  @Test
  void anHourIsKept() {
    Rates rates = new Rates(0);
    for (int second = 0; second < 4_000; second++) {
      rates.add(2, second * SECOND);
    }
    List<Long> expected = new ArrayList<>(Collections.nCopies(3_600, 2L));
    expected.set(3_599, 2L * 401);
    assertEquals(expected, rates.ofEachSecond());
  }

  @Test
  void threadsThatBeganElsewhereComeTogether() {
    Rates rates = new Rates(0);
    rates.add(1, SECOND / 10);
    Rates other = new Rates(SECOND / 10);
    other.add(2, SECOND / 2);
    other.add(4, 2 * SECOND);
    rates.add(other);
    assertEquals(List.of(3L, 4L), rates.ofEachSecond());
  }
}
