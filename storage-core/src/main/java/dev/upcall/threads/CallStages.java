package dev.upcall.threads;

import dev.upcall.fsm.Clock;
import dev.upcall.fsm.StageMeter;
import dev.upcall.fsm.StageStamps;
import dev.upcall.fsm.StageTimes;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The stage stamps of calls by many threads (see {@link StageStamps}): when the call came, when it
 * asked the device, when its thread ran again after that, when it returned. Any thread. While it is
 * off a call reads one field.
 */
public final class CallStages {
  /** Taken for a moment at the begin and at the end of a stamped call, never during one. */
  private final ReentrantLock lock = new ReentrantLock();

  private final StageMeter meter;
  private volatile boolean on;

  /** Off. */
  CallStages(Clock clock) {
    meter = new StageMeter(clock);
  }

  /** See {@link StageMeter#stampEvery}. */
  public void stampEvery(int calls) {
    lock.lock();
    try {
      meter.stampEvery(calls);
      on = calls > 0;
    } finally {
      lock.unlock();
    }
  }

  /** A call begins: its stamps, or null if it is not looked at. */
  public @Nullable StageStamps called() {
    if (!on) {
      return null;
    }
    lock.lock();
    try {
      return meter.issued();
    } finally {
      lock.unlock();
    }
  }

  /** It returns. */
  public void returned(StageStamps stamps) {
    // Before the lock: waiting for it is no part of the call.
    stamps.handled();
    lock.lock();
    try {
      meter.handled(stamps);
    } finally {
      lock.unlock();
    }
  }

  /** What was collected since {@link #stampEvery}. */
  public StageTimes times() {
    lock.lock();
    try {
      return meter.times();
    } finally {
      lock.unlock();
    }
  }
}
