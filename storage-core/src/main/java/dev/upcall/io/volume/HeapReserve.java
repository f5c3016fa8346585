package dev.upcall.io.volume;

import dev.upcall.base.Clock;
import dev.upcall.fsm.HeapRoom;
import java.lang.ref.SoftReference;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/**
 * A piece of the heap that is held softly: before the JVM lets any allocation fail it takes it back
 * and allocates out of it. So the one who finds no memory is a caller that wants more than this,
 * and what a dispatcher's thread has begun is finished with what becomes free here. From the moment
 * that it is gone until it can be had again, nothing new is begun ({@link HeapRoom}).
 */
final class HeapReserve implements HeapRoom {
  /** In pieces: a collector may need a place of its own for a large one. */
  private static final int PIECES = 16;

  private static final int PIECE_BYTES = 64 << 10;

  /** At least so long, and as long as it took, passes between two tries that fail. */
  private static final long PAUSE_NANOS = 10_000_000;

  /** Between two looks of one who waits. */
  private static final long LOOK_NANOS = 1_000_000;

  private volatile SoftReference<byte[][]> held = new SoftReference<>(null);
  private long nextTryNanos;
  private boolean hasFailed;

  @Override
  public boolean isThere() {
    return held.get() != null;
  }

  @Override
  public boolean awaitRestored(Clock clock, long nanos) {
    Objects.requireNonNull(clock, "clock");
    long beganNanos = clock.monotonicNanos();
    while (!restore(clock)) {
      if (clock.monotonicNanos() - beganNanos >= nanos) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return true;
  }

  @Override
  public boolean restore(Clock clock) {
    Objects.requireNonNull(clock, "clock");
    if (isThere()) {
      return true;
    }
    long beganNanos = clock.monotonicNanos();
    if (hasFailed && beganNanos - nextTryNanos < 0) {
      return false;
    }
    try {
      held = new SoftReference<>(new byte[PIECES][PIECE_BYTES]);
      hasFailed = false;
      return true;
    } catch (OutOfMemoryError noRoom) {
      long nowNanos = clock.monotonicNanos();
      hasFailed = true;
      // In each of them the JVM looks through all of the heap.
      nextTryNanos = nowNanos + Math.max(PAUSE_NANOS, nowNanos - beganNanos);
      return false;
    }
  }
}
