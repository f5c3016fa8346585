package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FigureTest {
  private static final Sample SAMPLE = new Sample(10, 2, 4, new Latencies(1.5, 9.5, 11.5, 20));

  @Test
  void eachKindTakesItsOwnNumber() {
    assertEquals(5, Figure.perSecond("things").of(SAMPLE));
    assertEquals(2.5, Figure.perCpuSecond("things").of(SAMPLE));
    assertEquals(200, Figure.millis("things").of(SAMPLE));
    assertEquals(9.5, Figure.p99Micros("things").of(SAMPLE));
    assertEquals(11.5, Figure.p999Micros("things").of(SAMPLE));
    assertEquals(20, Figure.longestMicros("things").of(SAMPLE));
    assertEquals("longest us", Figure.longestMicros("things").label());
    assertEquals("ms", Figure.millis("things").label());
    assertEquals("p99 us", Figure.p99Micros("things").label());
    assertEquals("p99.9 us", Figure.p999Micros("things").label());
  }
}
