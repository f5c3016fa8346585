package dev.upcall.fsm.door;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.HelperThreads;
import dev.upcall.fsm.Reactor;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The reactor of a dispatcher without I/O of its own: it only parks the owner and wakes it. What
 * works on other threads comes back through {@link Dispatcher#execute}.
 *
 * <p>Interrupts mean nothing to a dispatcher; a pending one is cleared, because it would turn each
 * wait into a spin. {@link Dispatcher#stop} is how to end one.
 */
public final class ParkingReactor implements Reactor {
  private final HelperThreads helpers = new HelperThreads("upcall-helper", Integer.MAX_VALUE);
  private volatile boolean signalled;
  private volatile @Nullable Thread parked;

  /** For one dispatcher. */
  public ParkingReactor() {}

  @Override
  public void attach(Dispatcher dispatcher) {}

  @Override
  public int reap(int limit) {
    return 0;
  }

  @Override
  public void submit() {}

  /**
   * {@inheritDoc}
   *
   * <p>No signal is lost: both sides write their own volatile field before they read the other's.
   */
  @Override
  public void await(long timeoutNanos) {
    parked = Thread.currentThread();
    if (!signalled && timeoutNanos > 0) {
      if (timeoutNanos == Long.MAX_VALUE) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, timeoutNanos);
      }
    }
    parked = null;
    signalled = false;
    Thread.interrupted();
  }

  @Override
  public void wakeup() {
    signalled = true;
    LockSupport.unpark(parked);
  }

  @Override
  public boolean help(String what, Runnable work) {
    return helpers.execute(what, work);
  }

  @Override
  public void awaitHelpers() {
    helpers.awaitEnd();
  }

  @Override
  public void close() {}
}
