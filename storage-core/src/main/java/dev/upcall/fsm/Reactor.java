package dev.upcall.fsm;

import dev.upcall.fsm.meter.LookCounts;

/**
 * What a dispatcher turns around: the source of I/O completions. Implementations only append to the
 * dispatcher's FIFO; no manager's code runs inside these calls. All methods but {@link #wakeup} are
 * called on the dispatcher's thread.
 */
public interface Reactor extends AutoCloseable {
  /**
   * Binds the reactor to the dispatcher whose FIFO it fills. Called once, before any other call.
   */
  void attach(Dispatcher dispatcher);

  /**
   * Moves the completions that have arrived, at most {@code limit}, into the FIFO, without waiting.
   */
  int reap(int limit);

  /** Hands everything queued since the last call to the kernel, at once. */
  void submit();

  /**
   * Whether what has been queued should be handed over before more upcalls run, because a device
   * would stand still meanwhile. The turn then ends early.
   */
  default boolean isSubmissionDue() {
    return false;
  }

  /**
   * Whether a durable write is on its way, for whose end somebody waits. The upcalls of a turn then
   * run for a short time only before the next one looks for it.
   */
  default boolean isDurableWriteInFlight() {
    return false;
  }

  /**
   * Whether a durable write has been queued and not been handed to the kernel yet. Background work
   * of the turn then waits for the next one, once.
   */
  default boolean isDurableWriteQueued() {
    return false;
  }

  /**
   * Waits until a completion arrives, {@link #wakeup} is called or the time is over, whichever is
   * first.
   */
  void await(long timeoutNanos);

  /** How often {@link #await} stayed awake and looked for the end of I/O. */
  default LookCounts looks() {
    return LookCounts.NONE;
  }

  /**
   * Ends a present or else the next {@link #await}, unless a {@link #reap} in between has taken it:
   * whoever waits looks for what it was about between the two. Any thread.
   */
  void wakeup();

  /**
   * Does work that would hold the dispatcher's thread for too long on another one; a simulated
   * machine does it later on its own. The work throws nothing, and hands over what it has by {@link
   * Dispatcher#execute}.
   *
   * @return whether it will be done: false if no thread can be had
   */
  boolean help(String what, Runnable work);

  /** Whether the heap has room for what the dispatcher's requests make; the same each time. */
  default HeapRoom heapRoom() {
    return HeapRoom.PLENTY;
  }

  /** Takes no more such work, and returns when all of it is done. Part of the dispatcher's end. */
  void awaitHelpers();

  @Override
  void close();
}
