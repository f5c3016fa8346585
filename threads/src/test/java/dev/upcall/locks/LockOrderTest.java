package dev.upcall.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.base.SystemClock;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The order of locks is checked, and waits are counted. */
class LockOrderTest {
  private final SystemClock clock = new SystemClock();
  private final MeteredLock changes = new MeteredLock(LockRank.CHANGES, clock);
  private final SharedLock state = new SharedLock(LockRank.STATE, clock);
  private final MeteredLock log = new MeteredLock(LockRank.LOG, clock);

  @Test
  void locksAreTakenInTheirOrder() {
    changes.lock();
    long stamp = state.write();
    log.lock();
    log.unlock();
    state.endWrite(stamp);
    changes.unlock();
    assertTrue(LockOrder.holdsNone());
  }

  @Test
  void aLockBeforeOneThatIsHeldIsRefused() {
    log.lock();
    assertThrows(Invariants.Violation.class, changes::lock);
    assertThrows(Invariants.Violation.class, state::read);
    assertThrows(Invariants.Violation.class, log::lock);
    log.unlock();
    assertTrue(LockOrder.holdsNone());
  }

  @Test
  void aReaderCannotWrite() {
    long stamp = state.read();
    assertThrows(Invariants.Violation.class, state::write);
    state.endRead(stamp);
  }

  @Test
  void nobodyWaitsForTheDiskWithALock() {
    changes.lock();
    assertThrows(Invariants.Violation.class, LockOrder::holdsNone);
    changes.unlock();
  }

  @Test
  void waitsAreCounted() throws InterruptedException {
    assertEquals(new LockWait(LockRank.CHANGES, 0, 0), changes.waited());
    changes.lock();
    CountDownLatch begun = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  begun.countDown();
                  changes.lock();
                  changes.unlock();
                });
    begun.await();
    while (other.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    changes.unlock();
    other.join();
    assertEquals(1, changes.waited().waits());
    assertTrue(changes.waited().waitedNanos() > 0);
  }
}
