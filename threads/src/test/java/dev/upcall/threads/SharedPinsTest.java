package dev.upcall.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("races")
class SharedPinsTest {
  private final SharedPins pins = new SharedPins();
  private final ReentrantReadWriteLock state = new ReentrantReadWriteLock();
  private final AtomicLong scn = new AtomicLong(1);
  private final AtomicLong readers = new AtomicLong();
  private final ConcurrentSkipListMap<Long, Long> held = new ConcurrentSkipListMap<>();

  @Test
  void theOldestHolderIsTheHorizon() {
    assertEquals(9, pins.horizon(9));
    Runnable first = pins.pin(5);
    Runnable second = pins.pin(5);
    Runnable third = pins.pin(7);
    assertEquals(5, pins.horizon(9));
    assertEquals(4, pins.horizon(4));
    first.run();
    assertEquals(5, pins.horizon(9));
    second.run();
    assertEquals(7, pins.horizon(9));
    Runnable fourth = pins.pin(7);
    third.run();
    assertEquals(7, pins.horizon(9));
    fourth.run();
    assertEquals(9, pins.horizon(9));
    pins.pin(12).run();
    assertEquals(15, pins.horizon(15));
    assertThrows(Invariants.Violation.class, () -> pins.pin(11));
  }

  /** Readers come and go while the SCN moves on: none is forgotten, and in the end none is left. */
  @Test
  void noReaderIsForgotten() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(threads.submit(this::read));
      }
      for (int round = 0; round < 5000; round++) {
        moveOn();
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertEquals(scn.get(), pins.horizon(scn.get()));
  }

  private void moveOn() {
    state.writeLock().lock();
    try {
      long now = scn.incrementAndGet();
      long horizon = pins.horizon(now);
      // Who is noted even now had its pin all the while: nobody pins beside the lock that is held
      // here, and a reader is forgotten before it lets go.
      long oldest = held.values().stream().min(Long::compare).orElse(now);
      assertTrue(horizon <= oldest, () -> "held: " + oldest + ", horizon: " + horizon);
    } finally {
      state.writeLock().unlock();
    }
  }

  private void read() {
    for (int i = 0; i < 20_000; i++) {
      long number = readers.incrementAndGet();
      Runnable unpin;
      state.readLock().lock();
      try {
        unpin = pins.pin(scn.get());
        held.put(number, scn.get());
      } finally {
        state.readLock().unlock();
      }
      if (number % 8 == 0) {
        Thread.yield();
      }
      held.remove(number);
      unpin.run();
    }
  }
}
