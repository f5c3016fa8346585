package dev.upcall.threads;

import dev.upcall.fsm.Clock;
import dev.upcall.locks.LockRank;
import dev.upcall.locks.LockWait;
import dev.upcall.locks.MeteredLock;
import dev.upcall.txn.Pins;

/** The SCNs that threads hold. */
final class SharedPins {
  private final MeteredLock lock;
  private final Pins pins = new Pins();

  SharedPins(Clock clock) {
    lock = new MeteredLock(LockRank.PINS, clock);
  }

  /** Holds the present SCN; the caller sees to it that it stays the present one meanwhile. */
  Runnable pin(long scn) {
    lock.lock();
    try {
      Runnable unpin = pins.pin(scn);
      return () -> unpin(unpin);
    } finally {
      lock.unlock();
    }
  }

  /** The newest SCN, at most the given, up to which nobody reads. */
  long horizon(long otherwise) {
    lock.lock();
    try {
      return pins.horizon(otherwise);
    } finally {
      lock.unlock();
    }
  }

  LockWait waited() {
    return lock.waited();
  }

  private void unpin(Runnable unpin) {
    lock.lock();
    try {
      unpin.run();
    } finally {
      lock.unlock();
    }
  }
}
