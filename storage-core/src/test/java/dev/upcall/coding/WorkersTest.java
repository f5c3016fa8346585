package dev.upcall.coding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which work is handed to a helper together; a simulated one is done in a moment of its own. */
class WorkersTest {
  private final SimWorld world = SimWorld.ofBlocks(1, 64).closesUnchecked("nothing is written");
  private final List<Completion<Integer>> delivered = new ArrayList<>();
  private final Map<Long, List<Integer>> together = new TreeMap<>();

  private void compute(Workers workers, int number, int units) {
    compute(
        workers,
        units,
        () -> {
          long nanos = world.clock().monotonicNanos();
          together.computeIfAbsent(nanos, _ -> new ArrayList<>()).add(number);
          return Completion.done(number);
        });
  }

  private void compute(Workers workers, int units, Supplier<Completion<Integer>> work) {
    workers.compute("counting", units, work, delivered::add);
  }

  private void deliver(int works) {
    assertTrue(delivered.isEmpty(), "inside the call");
    assertTrue(world.runUntil(() -> delivered.size() == works));
  }

  private List<Integer> sizes() {
    return together.values().stream().map(List::size).toList();
  }

  private static List<Completion<Integer>> upTo(int works) {
    return IntStream.range(0, works).<Completion<Integer>>mapToObj(Completion::done).toList();
  }

  @Test
  void shortWork_goesTogether_inTheOrderOfItsComing() {
    Workers one = new Workers(world.dispatcher(), 1);
    for (int number = 0; number < 20; number++) {
      compute(one, number, 1);
    }
    deliver(20);
    assertEquals(List.of(1, Workers.TOGETHER_UNITS, Workers.TOGETHER_UNITS, 3), sizes());
    assertEquals(upTo(20), delivered);
  }

  @Test
  void longWork_goesAlone_andShortWorkDoesNotWaitForIt() {
    Workers one = new Workers(world.dispatcher(), 1);
    int[] units = {16, 1, 1, 16, 1};
    for (int number = 0; number < units.length; number++) {
      compute(one, number, units[number]);
    }
    deliver(units.length);
    assertEquals(
        List.of(List.of(0), List.of(1, 2), List.of(3), List.of(4)), List.copyOf(together.values()));
  }

  @Test
  void severalHelpers_shareWhatWaits() {
    Workers three = new Workers(world.dispatcher(), 3);
    for (int number = 0; number < 9; number++) {
      compute(three, number, 1);
    }
    deliver(9);
    // The first one that is free takes a third of the six that wait, and so on.
    assertEquals(List.of(3, 2 + 2 + 1, 1), sizes());
  }

  @Test
  void workThatThrows_failsAlone_withWhatItThrew() {
    Workers one = new Workers(world.dispatcher(), 1);
    compute(one, 0, 1);
    compute(one, 1, throwing(new OutOfMemoryError("no room")));
    compute(one, 2, throwing(new IllegalStateException("a codec's fault")));
    compute(one, 3, 1);
    deliver(4);
    assertEquals(Completion.done(0), delivered.getFirst());
    assertEquals(
        Completion.failed(
            new Failure.Busy(
                "memory for counting (java.lang.OutOfMemoryError: no room)", "try again")),
        delivered.get(1));
    assertEquals(
        Completion.failed(
            new Failure.Unsupported(
                "counting failed in this program",
                "java.lang.IllegalStateException: a codec's fault")),
        delivered.get(2));
    assertEquals(Completion.done(3), delivered.getLast());
  }

  private static Supplier<Completion<Integer>> throwing(Throwable thrown) {
    return () -> {
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    };
  }

  @Test
  void withoutThreads_eachIsDoneByTheDispatcher() {
    Workers one = new Workers(world.dispatcher(), 1);
    world.reactor().refuseHelp(() -> {});
    for (int number = 0; number < 10; number++) {
      compute(one, number, 1);
    }
    deliver(10);
    assertEquals(upTo(10), delivered);
  }
}
