package dev.upcall.bench.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThreadedLoopTest {
  @Test
  void stepsEndWithTheirNumberOrTheTime() throws Exception {
    assertEquals(102, units(100, TimeUnit.HOURS.toNanos(1)), "100, or one more of each thread");
    assertEquals(3, units(100, 0), "one of each thread");
  }

  private static long units(long count, long nanos) throws Exception {
    try (ThreadedLoop threads = ThreadedLoop.platform(3)) {
      return threads.runSteps(count, nanos, _ -> () -> {}).units();
    }
  }
}
