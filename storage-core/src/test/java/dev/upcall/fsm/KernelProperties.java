package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.ManualClock;
import dev.upcall.config.WaitConfig;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Random runs of the kernel's structures against the simplest model of each. */
class KernelProperties {
  @Property(tries = 200, seed = "1")
  void theFifoIsAFifoAtAnyDepth(@ForAll long seed) {
    Random random = new Random(seed);
    UpcallFifo fifo = new UpcallFifo(3000);
    ArrayDeque<Integer> model = new ArrayDeque<>();
    int next = 0;
    for (int round = 0; round < 60; round++) {
      for (int i = random.nextInt(120); i > 0 && fifo.hasRoom(); i--) {
        fifo.add(next, next % 3 == 0 ? null : -next, 7L * next);
        model.add(next++);
      }
      for (int i = random.nextInt(110); i > 0 && !model.isEmpty(); i--) {
        Integer expected = model.remove();
        assertEquals(expected, fifo.firstTarget());
        assertEquals(expected % 3 == 0 ? null : -expected, fifo.firstArgument());
        assertEquals(7L * expected, fifo.removeFirst());
      }
      assertEquals(model.size(), fifo.size());
      assertEquals(model.peekFirst(), fifo.firstTarget());
    }
  }

  @Property(tries = 200, seed = "2")
  void timersRunInTheOrderOfTheirTimesAndArming(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 400) int count) {
    record Armed(long dueNanos, int number) {}

    Random random = new Random(seed);
    ManualClock clock = new ManualClock();
    Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock));
    List<Armed> expected = new ArrayList<>();
    List<Integer> ran = new ArrayList<>();
    List<Dispatcher.Timer> timers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      long delay = random.nextInt(50);
      timers.add(dispatcher.schedule(delay, () -> ran.add(number)));
      expected.add(new Armed(delay, number));
    }
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) == 0) {
        timers.get(i).cancel();
        int number = i;
        expected.removeIf(armed -> armed.number() == number);
      }
    }
    for (int i = 0; i < 60; i++) {
      dispatcher.turn(true);
    }
    for (int i = 0; i < 60; i++) {
      clock.advance(1);
      dispatcher.turn(false);
    }
    expected.sort(Comparator.comparingLong(Armed::dueNanos).thenComparingInt(Armed::number));
    assertEquals(expected.stream().map(Armed::number).toList(), ran);
    assertTrue(timers.stream().noneMatch(Dispatcher.Timer::isPending));
  }

  @Property(tries = 100, seed = "3")
  void upcallsRunOnceInTheOrderOfPostingWhateverTheLimits(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 20) int crossThreadLimit,
      @ForAll @IntRange(min = 1, max = 20) int upcallLimit) {
    Random random = new Random(seed);
    ManualClock clock = new ManualClock();
    Dispatcher dispatcher =
        new Dispatcher(
            clock,
            new ManualReactor(clock),
            new DispatcherConfig(
                "d", crossThreadLimit, 5, upcallLimit, 5, 5000, 9, 0, 1, WaitConfig.defaults()));
    List<Integer> posted = new ArrayList<>();
    List<Integer> cross = new ArrayList<>();
    int postedCount = 0;
    int crossCount = 0;
    boolean[] running = {false};
    for (int i = 0; i < 300; i++) {
      if (random.nextBoolean()) {
        int number = postedCount++;
        dispatcher.post(
            () -> {
              posted.add(number);
              assertTrue(running[0], "upcalls run in turns only");
            });
      } else {
        int number = crossCount++;
        dispatcher.execute(() -> cross.add(number));
      }
      if (random.nextInt(10) == 0) {
        running[0] = true;
        assertTrue(dispatcher.turn(false) <= upcallLimit);
        running[0] = false;
      }
    }
    running[0] = true;
    for (int i = 0; i < 700; i++) {
      dispatcher.turn(false);
    }
    assertEquals(postedCount, posted.size());
    assertEquals(crossCount, cross.size());
    assertEquals(posted.stream().sorted().toList(), posted);
    assertEquals(cross.stream().sorted().toList(), cross);
  }
}
