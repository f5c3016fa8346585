package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void theMedianIsTheMiddleOne() {
    assertEquals(3, Statistics.of(List.of(9.0, 1.0, 3.0)).median());
  }

  @Test
  void theMedianOfAnEvenNumberLiesBetween() {
    assertEquals(2.5, Statistics.of(List.of(1.0, 2.0, 3.0, 100.0)).median());
  }

  @Test
  void theSpreadIsAPartOfTheMedian() {
    assertEquals(0.2, Statistics.of(List.of(90.0, 100.0, 110.0)).spread(), 1e-9);
    assertEquals(0, Statistics.of(List.of(5.0)).spread());
  }

  @Test
  void ratiosAreOfMedians() {
    Statistics ours = Statistics.of(List.of(50.0, 80.0, 500.0));
    Statistics theirs = Statistics.of(List.of(100.0));
    assertEquals(0.8, ours.ratioTo(theirs), 1e-9);
    assertTrue(Double.isNaN(ours.ratioTo(Statistics.of(List.of(0.0)))));
  }

  @Test
  void nothingAndTheUnknownHaveNoStatistics() {
    List<Double> none = Collections.emptyList();
    List<Double> unknown = Arrays.asList(1.0, Double.NaN);
    assertThrows(IllegalArgumentException.class, () -> Statistics.of(none));
    assertThrows(IllegalArgumentException.class, () -> Statistics.of(unknown));
  }

  @Test
  void figuresOfASample() {
    Sample sample = Sample.of(1000, 2, 0.5);
    assertEquals(500, Figure.perSecond("reads").of(sample));
    assertEquals(2000, Figure.perCpuSecond("requests").of(sample));
    assertEquals(500, sample.cpuMicrosPerUnit());
    assertTrue(Double.isNaN(Figure.perCpuSecond("x").of(Sample.of(1, 1, Double.NaN))));
    assertTrue(Double.isNaN(Figure.perCpuSecond("x").of(Sample.of(1, 1, 0))));
  }

  @Test
  void numbersForPeople() {
    assertEquals("1,234,568", Numbers.show(1_234_567.8));
    assertEquals("12.3", Numbers.show(12.34));
    assertEquals("0.12", Numbers.show(0.123));
    assertEquals("0", Numbers.show(0));
    assertEquals("-", Numbers.show(Double.NaN));
    assertEquals("0.85", Numbers.ratio(0.849));
    assertEquals("7 %", Numbers.percent(0.07));
  }
}
