package dev.upcall.fsm.door;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.base.ManualClock;
import dev.upcall.base.SystemClock;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.ManualReactor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("races")
class HandOverTest {
  private static final int THREADS = 4;
  private static final int THINGS = 20_000;

  private record Thing(int sender, int number) {}

  @Test
  void everythingArrivesOnceAndInTheOrderOfItsSender() throws InterruptedException {
    Dispatcher dispatcher = new Dispatcher(new SystemClock(), new ParkingReactor());
    int[] next = new int[THREADS];
    CountDownLatch all = new CountDownLatch(THREADS * THINGS);
    List<String> errors = new ArrayList<>();
    HandOver<Thing> handOver =
        new HandOver<>(
            dispatcher,
            thing -> {
              if (!dispatcher.isOwner() || next[thing.sender()]++ != thing.number()) {
                errors.add(thing.toString());
              }
              all.countDown();
            });
    Thread owner = Thread.ofPlatform().start(dispatcher::run);
    List<Thread> senders = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int sender = t;
      senders.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < THINGS; i++) {
                      handOver.send(new Thing(sender, i));
                    }
                  }));
    }
    for (Thread sender : senders) {
      sender.join();
    }
    all.await();
    dispatcher.stop();
    owner.join();
    assertEquals(List.of(), errors);
    handOver.send(new Thing(0, 0));
    assertEquals(THINGS, next[0], "dropped after the end");
  }

  @Test
  void aBatchIsOneMessage() {
    ManualClock clock = new ManualClock();
    Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock));
    dispatcher.adopt();
    List<Integer> got = new ArrayList<>();
    HandOver<Integer> handOver = new HandOver<>(dispatcher, got::add);
    for (int i = 0; i < 100; i++) {
      handOver.send(i);
    }
    assertEquals(1, dispatcher.turn(false));
    assertEquals(100, got.size());
    handOver.send(100);
    handOver.takeAll();
    assertEquals(101, got.size());
    assertEquals(1, dispatcher.turn(false));
    assertEquals(101, got.size());
  }
}
