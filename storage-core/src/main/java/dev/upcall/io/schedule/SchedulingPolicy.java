package dev.upcall.io.schedule;

import org.jspecify.annotations.Nullable;

/**
 * Decides in which order, and how many at a time, requests go to the device. Used by one {@link
 * IoScheduler}, on its thread. A policy keeps every dispatch it is given until it names it; it may
 * hold some back as long as something is in flight; when nothing is, it must name one or say when
 * it will.
 */
public interface SchedulingPolicy {
  /** A dispatch waits from now on. */
  void add(Dispatch dispatch);

  /**
   * The dispatch that goes to the device now, which counts as in flight; null if what waits shall
   * go on waiting.
   */
  @Nullable Dispatch next();

  /** A dispatch named by {@link #next} has completed. */
  void completed(Dispatch dispatch);

  /**
   * Requests of the background that wait are of the class {@code FOREGROUND_WRITE} from now on.
   * Nothing to do where classes do not count.
   */
  default void lift() {}

  /** How many wait. */
  int waiting();

  /**
   * After so long, more than 0, {@link #next} is worth asking again though nothing was added and
   * nothing has completed; {@code Long.MAX_VALUE}: not before something is or has.
   */
  default long pauseNanos() {
    return Long.MAX_VALUE;
  }

  /** Whether a request may be merged with none but the one that was added last. */
  default boolean mergesWithLastOnly() {
    return false;
  }

  /** A dispatch that waits begins earlier than it did: a request was merged in front of it. */
  default void beginsEarlier(Dispatch dispatch, long formerBlock) {}
}
