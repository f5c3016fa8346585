package dev.upcall.fsm.wakeup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.fsm.door.ParkingReactor;
import dev.upcall.fsm.door.PassivePort;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("races")
class TurnWakesTest {
  private static final int LIMIT = 3;
  private static final long DELAY_NANOS = 100;

  private final List<Thread> woken = new ArrayList<>();
  private final TurnWakes wakes =
      new TurnWakes(new WaitConfig(LIMIT, DELAY_NANOS, 0, 0, 0), woken::add);
  private final Thread sleeper = Thread.currentThread();

  @Test
  void theEndOfTheTurnWakesAllOnce() {
    wakes.add(sleeper, 0);
    wakes.upcallEnded(0);
    wakes.add(sleeper, 0);
    assertEquals(List.of(), woken);
    wakes.wakeAll();
    assertEquals(List.of(sleeper, sleeper), woken);
    wakes.wakeAll();
    assertEquals(2, woken.size());
  }

  @Test
  void theFirstCountsTheUpcalls() {
    wakes.add(sleeper, 0);
    wakes.upcallEnded(0);
    wakes.add(sleeper, 0);
    wakes.upcallEnded(0);
    assertEquals(0, woken.size());
    wakes.upcallEnded(0);
    assertEquals(2, woken.size());
  }

  @Test
  void theFirstCountsTheTime() {
    wakes.add(sleeper, 1000);
    wakes.upcallEnded(1000 + DELAY_NANOS - 1);
    assertEquals(0, woken.size());
    wakes.upcallEnded(1000 + DELAY_NANOS);
    assertEquals(1, woken.size());
    wakes.add(sleeper, 5000);
    wakes.upcallEnded(5000);
    assertEquals(1, woken.size(), "the next one's time begins anew");
  }

  @Test
  void aDispatcherWakesAHolderOnceForAllOfATurn() throws InterruptedException {
    WaitConfig patient = new WaitConfig(100, 1_000_000_000, 0, 0, 0);
    DispatcherConfig config = new DispatcherConfig("d", 10, 10, 100, 10, 100, 10, 0, 1, patient);
    Dispatcher dispatcher = new Dispatcher(new SystemClock(), new ParkingReactor(), config);
    PassivePort<Integer> port = new PassivePort<>(dispatcher);
    List<Completion<Integer>> taken = new ArrayList<>();
    Thread holder =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    taken.add(port.take());
                  } catch (InterruptedException during) {
                    Thread.currentThread().interrupt();
                  }
                  for (Completion<Integer> next = port.poll(); next != null; next = port.poll()) {
                    taken.add(next);
                  }
                });
    while (holder.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    List<Thread.State> during = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int value = i;
      dispatcher.post(
          () -> {
            port.complete(Completion.done(value));
            during.add(holder.getState());
          });
    }
    dispatcher.turn(false);
    holder.join();
    assertEquals(List.of(Thread.State.WAITING, Thread.State.WAITING, Thread.State.WAITING), during);
    assertEquals(List.of(Completion.done(0), Completion.done(1), Completion.done(2)), taken);
    dispatcher.close();
  }
}
