package dev.upcall.fsm;

import dev.upcall.fsm.door.Cork;
import dev.upcall.fsm.wakeup.CallerLooks;
import dev.upcall.fsm.wakeup.Inbox;
import dev.upcall.fsm.wakeup.Processors;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What other threads put in for a dispatcher, and how its owner sleeps while there is nothing: the
 * two are one thing, because whoever puts something in must know whether to wake.
 *
 * <p>The owner sleeps for ever, or, once after each request of a corked door, it <em>dozes</em>:
 * with a timer, so that wake-ups can be held back ({@link Cork}). Before either it may stay awake
 * for a while ({@link CallerWatch}).
 */
public final class OwnerSleep {
  private final String name;
  private final Reactor reactor;
  private final long dozeNanos;
  private final Inbox<Runnable> inbox = new Inbox<>();
  private final Processors processors = new Processors();
  private final CallerLooks callerLooks = new CallerLooks();
  private final CallerWatch callers;
  private final TurnMeter meter;
  private boolean dozesNext;

  /** Written before the inbox is closed. */
  private @Nullable Throwable stoppedBy;

  OwnerSleep(DispatcherConfig config, Reactor reactor, TurnMeter meter) {
    this.name = config.name();
    this.reactor = reactor;
    this.meter = meter;
    this.dozeNanos = config.waiting().dozeNanos();
    this.callers = new CallerWatch(config.waiting(), processors::countNow);
  }

  /** Puts an upcall in and wakes the owner if it sleeps. Any thread. */
  void put(Runnable upcall) {
    woken(inbox.offer(upcall));
  }

  /**
   * As {@link #put}, but leaves an owner asleep that dozes. Any thread.
   *
   * @return whether it does; then {@link #wakeIfOwed} can wake it earlier
   */
  public boolean putCorked(Runnable upcall) {
    return woken(inbox.offerCorked(Objects.requireNonNull(upcall, "upcall")));
  }

  private boolean woken(Inbox.Offer offer) {
    switch (offer) {
      case ACCEPTED, ACCEPTED_CORKED -> {}
      case ACCEPTED_WAKE -> reactor.wakeup();
      case REFUSED -> throw new RejectedExecutionException(name + " has stopped", stoppedBy);
    }
    return offer == Inbox.Offer.ACCEPTED_CORKED;
  }

  /** Wakes the owner if something waits that nobody has woken it for. Any thread. */
  public void wakeIfOwed() {
    if (inbox.isUnwoken()) {
      reactor.wakeup();
    }
  }

  /** Lets the next sleep be a doze. Owner only. */
  public void dozeNext() {
    dozesNext = dozeNanos > 0;
  }

  /** A caller that waits is about to get its answer. Owner only. */
  public void callerServed() {
    callers.served();
  }

  /** The request of a caller that waits begins. Owner only. */
  public void callerCame(long calledNanos) {
    callers.called(calledNanos, meter);
  }

  /** What there is to run the others on. */
  @SuppressWarnings("exports") // nobody outside this module can name the result
  public Processors processors() {
    return processors;
  }

  /** How callers look for their answers. Any thread. */
  @SuppressWarnings("exports") // nobody outside this module can name the result
  public CallerLooks callerLooks() {
    return callerLooks;
  }

  /** The oldest upcall that was put in, or null. Owner only. */
  @Nullable Runnable poll() {
    return inbox.poll();
  }

  /**
   * Refuses from now on; what was accepted can still be polled. Owner only.
   *
   * @param cause for those who are refused, or null
   */
  void close(@Nullable Throwable cause) {
    stoppedBy = cause;
    inbox.close();
  }

  /**
   * Waits for an upcall, the reactor or the time, whichever is first; or only for a moment, after
   * which the reactor is to be looked at again. Owner only.
   */
  void sleep(long timeoutNanos) {
    if (callers.watch(inbox, meter)) {
      return;
    }
    boolean dozes = dozesNext;
    dozesNext = false;
    if (dozes ? inbox.doze() : inbox.fallAsleep()) {
      // From here until awake() every other thread that puts something in calls wakeup(), which
      // ends a present or else the next await: nothing can arrive unnoticed in between. Only in a
      // doze some do not, and then the await ends by itself.
      meter.waits();
      reactor.await(dozes ? Math.min(timeoutNanos, dozeNanos) : timeoutNanos);
      inbox.awake();
    }
  }
}
