package dev.upcall.bench.ecommerce.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.sim.SimClock;
import dev.upcall.sim.SimReactor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads that share a processor. */
class ProcessorTest {
  private static final long MILLI = 1_000_000;

  private final SimClock clock = new SimClock();
  private final Dispatcher dispatcher =
      new Dispatcher(clock, new SimReactor(clock), DispatcherConfig.defaults().withRecordsKept(0));
  private final Processor processor = new Processor(dispatcher);
  private final List<String> ends = new ArrayList<>();

  private void work(String who, int left) {
    if (left == 0) {
      ends.add(who + " " + clock.monotonicNanos() / MILLI);
      processor.leave();
    } else {
      processor.work(MILLI, () -> work(who, left - 1));
    }
  }

  private List<String> ran(int units) {
    while (ends.size() < units) {
      dispatcher.turn(/* mayWait= */ true);
    }
    return ends;
  }

  @Test
  void aThreadKeepsItUntilItsSliceIsOver() {
    dispatcher.adopt();
    processor.enter(() -> work("long", 50));
    processor.enter(() -> work("short", 5));
    // Twenty of the long one, the short one whole, the rest of the long one.
    assertEquals(List.of("short 25", "long 55"), ran(2));
  }

  @Test
  void aloneNobodyGivesItUp() {
    dispatcher.adopt();
    processor.enter(() -> work("alone", 50));
    assertEquals(List.of("alone 50"), ran(1));
    processor.enter(() -> work("again", 1));
    assertEquals(List.of("alone 50", "again 51"), ran(2));
  }
}
