package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.ParkingReactor;
import dev.upcall.fsm.door.PassivePort;
import dev.upcall.fsm.door.RequestDoor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Other threads and a dispatcher that runs on its own: the three compositions in the small. */
@Timeout(180)
@Tag("races")
class CrossThreadTest {
  private final Dispatcher dispatcher = new Dispatcher(new SystemClock(), new ParkingReactor());
  private final AtomicReference<Throwable> thrown = new AtomicReference<>();
  private final Thread thread =
      Thread.ofPlatform()
          .name("dispatcher")
          .start(
              () -> {
                try (dispatcher) {
                  dispatcher.run();
                } catch (Throwable error) {
                  thrown.set(error);
                }
              });

  @AfterEach
  void stop() throws InterruptedException {
    dispatcher.stop();
    thread.join();
  }

  private static void joinAll(List<Thread> threads) throws InterruptedException {
    for (Thread each : threads) {
      each.join();
    }
  }

  /** A manager's operation that completes some turns later. */
  private void slowly(int turns, int value, CompletionPort<Integer> port) {
    if (turns == 0) {
      dispatcher.complete(port, Completion.done(value));
    } else {
      dispatcher.post(() -> slowly(turns - 1, value, port));
    }
  }

  @Test
  void pingPongLosesNoWakeup() throws InterruptedException {
    PassivePort<Integer> port = new PassivePort<>(dispatcher);
    for (int i = 0; i < 5_000; i++) {
      int value = i;
      dispatcher.execute(() -> port.complete(Completion.done(value)));
      assertEquals(Completion.done(value), port.take());
    }
    port.close();
  }

  @Test
  void whatEachThreadPutsInComesInItsOrder() throws InterruptedException {
    int threads = 4;
    int each = 20_000;
    int[] next = new int[threads];
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int mine = t;
      running.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      int number = i;
                      dispatcher.execute(
                          () -> Invariants.check(next[mine]++ == number, "order", number));
                    }
                  }));
    }
    joinAll(running);
    dispatcher.stop();
    thread.join();
    assertNull(thrown.get());
    for (int count : next) {
      assertEquals(each, count, "what was accepted before the stop has run");
    }
  }

  @Test
  void acceptedMeansRunAndRefusedMeansNot() throws InterruptedException {
    AtomicInteger accepted = new AtomicInteger();
    int[] ran = {0};
    CountDownLatch underWay = new CountDownLatch(2);
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      running.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (true) {
                        dispatcher.execute(() -> ran[0]++);
                        accepted.incrementAndGet();
                        underWay.countDown();
                      }
                    } catch (RejectedExecutionException refused) {
                      // The end that this test waits for.
                    }
                  }));
    }
    underWay.await();
    dispatcher.stop();
    joinAll(running);
    thread.join();
    assertNull(thrown.get());
    assertEquals(accepted.get(), ran[0]);
  }

  @Test
  void manyVirtualAndPlatformThreadsBlock() throws InterruptedException {
    RequestDoor door = new RequestDoor("front", 7, dispatcher);
    Blocking blocking = new Blocking(door);
    ConcurrentLinkedQueue<Completion<Integer>> wrong = new ConcurrentLinkedQueue<>();
    AtomicInteger insideMax = new AtomicInteger();
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < 100; t++) {
      int mine = t;
      Runnable work =
          () -> {
            for (int i = 0; i < 50; i++) {
              int value = mine * 1000 + i;
              Completion<Integer> completion =
                  blocking.<Integer>await(port -> slowly(value % 4, value, port));
              insideMax.accumulateAndGet(door.inside(), Math::max);
              if (!completion.equals(Completion.done(value))) {
                wrong.add(completion);
              }
            }
          };
      running.add(t < 8 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work));
    }
    joinAll(running);
    assertEquals(List.of(), List.copyOf(wrong));
    assertTrue(insideMax.get() <= 7);
    assertEquals(0, door.inside());
    assertEquals(0, door.parked());
    door.close();
  }

  @Test
  void aFullDoorRefuses() throws InterruptedException {
    RequestDoor door = new RequestDoor("front", 1, dispatcher);
    PassivePort<Integer> port = new PassivePort<>(dispatcher);
    AtomicReference<CompletionPort<Integer>> held = new AtomicReference<>();
    assertTrue(door.<Integer>offer(held::set, port));
    assertFalse(door.<Integer>offer(p -> slowly(0, 2, p), port));
    assertEquals(1, door.inside());
    dispatcher.execute(() -> held.get().complete(Completion.done(1)));
    assertEquals(Completion.done(1), port.take());
    assertTrue(door.<Integer>offer(p -> slowly(3, 3, p), port));
    assertEquals(Completion.done(3), port.take());
    assertNull(port.poll());
    assertNull(port.take(1000));
  }

  @Test
  void waitingForOneselfIsRefused() throws InterruptedException {
    RequestDoor door = new RequestDoor("front", 1, dispatcher);
    PassivePort<Integer> port = new PassivePort<>(dispatcher);
    PassivePort<Boolean> answers = new PassivePort<>(dispatcher);
    dispatcher.execute(
        () -> {
          assertThrows(
              Invariants.Violation.class,
              () -> new Blocking(door).<Integer>await(p -> slowly(0, 1, p)));
          assertThrows(Invariants.Violation.class, port::take);
          answers.complete(Completion.done(true));
        });
    assertEquals(Completion.done(true), answers.take());
    assertEquals(0, door.inside());
  }

  @Test
  void anInterruptIsKeptForTheCaller() {
    Blocking blocking = new Blocking(new RequestDoor("front", 1, dispatcher));
    Thread.currentThread().interrupt();
    assertEquals(Completion.done(5), blocking.<Integer>await(port -> slowly(2, 5, port)));
    assertTrue(Thread.interrupted());
    PassivePort<Integer> port = new PassivePort<>(dispatcher);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, port::take);
  }

  @Test
  void aFailureFreesEverybodyWhoWaits() throws InterruptedException {
    RequestDoor door = new RequestDoor("front", 3, dispatcher);
    Blocking blocking = new Blocking(door);
    CountDownLatch begun = new CountDownLatch(3);
    ConcurrentLinkedQueue<Object> outcomes = new ConcurrentLinkedQueue<>();
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      running.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      outcomes.add(blocking.<Integer>await(port -> begun.countDown()));
                    } catch (DispatcherStoppedException stopped) {
                      outcomes.add(stopped);
                    }
                  }));
    }
    PassivePort<Integer> passive = new PassivePort<>(dispatcher);
    begun.await();
    IllegalStateException mistake = new IllegalStateException("mine");
    dispatcher.execute(
        () -> {
          throw mistake;
        });
    assertSame(mistake, assertThrows(DispatcherStoppedException.class, passive::take).getCause());
    joinAll(running);
    thread.join();
    assertSame(mistake, thrown.get());
    assertSame(mistake, dispatcher.failure().orElseThrow().error());
    assertEquals(
        List.of(3L, 3L),
        Stream.of("its outcome is not known", "takes no more requests")
            .map(what -> outcomes.stream().filter(outcome -> says(outcome, what, mistake)).count())
            .toList(),
        "those before the door are told that nothing has begun");
    assertTrue(
        says(
            assertThrows(
                DispatcherStoppedException.class,
                () -> blocking.<Integer>await(port -> slowly(0, 1, port))),
            "takes no more requests",
            mistake));
    assertThrows(
        DispatcherStoppedException.class, () -> new PassivePort<Integer>(dispatcher).take());
  }

  private static boolean says(Object outcome, String what, Throwable cause) {
    return outcome instanceof DispatcherStoppedException stopped
        && String.valueOf(stopped.getMessage()).contains(what)
        && stopped.getCause() == cause;
  }

  @Test
  void whatWasDeliveredBeforeTheEndCanStillBeTaken() throws InterruptedException {
    PassivePort<Integer> port = new PassivePort<>(dispatcher);
    dispatcher.execute(() -> port.complete(Completion.done(1)));
    dispatcher.stop();
    thread.join();
    assertEquals(Completion.done(1), port.take());
    assertNull(assertThrows(DispatcherStoppedException.class, port::take).getCause());
  }

  @Test
  void aSecondCompletionIsAProgrammersError() throws InterruptedException {
    RequestDoor door = new RequestDoor("front", 3, dispatcher);
    PassivePort<Integer> port = new PassivePort<>(dispatcher);
    door.<Integer>put(
        p -> {
          slowly(0, 1, p);
          slowly(0, 2, p);
        },
        port);
    assertEquals(Completion.done(1), port.take());
    assertThrows(DispatcherStoppedException.class, port::take);
    thread.join();
    assertInstanceOf(Invariants.Violation.class, thrown.get());
  }

  @Test
  void aPassivePortHasOneHolder() throws InterruptedException {
    PassivePort<Integer> port = new PassivePort<>(dispatcher);
    assertNull(port.poll());
    AtomicReference<Throwable> refused = new AtomicReference<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                port.poll();
              } catch (Invariants.Violation violation) {
                refused.set(violation);
              }
            })
        .join();
    assertInstanceOf(Invariants.Violation.class, refused.get());
  }
}
