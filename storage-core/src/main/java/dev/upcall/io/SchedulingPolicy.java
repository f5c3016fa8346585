package dev.upcall.io;

import org.jspecify.annotations.Nullable;

/**
 * Decides in which order, and how many at a time, requests go to the device. Used by one {@link
 * IoScheduler}, on its thread. A policy keeps every request it is given until it names it; it may
 * hold requests back as long as something is in flight; when nothing is, it must name one or say
 * when it will.
 */
public interface SchedulingPolicy {
  /** A request waits from now on. */
  void add(DiskRequest request);

  /**
   * The request that goes to the device now, which counts as in flight; null if what waits shall go
   * on waiting.
   */
  @Nullable DiskRequest next();

  /** A request named by {@link #next} has completed. */
  void completed(DiskRequest request);

  /**
   * Requests of the background that wait are of the class {@link IoClass#FOREGROUND_WRITE} from now
   * on. Nothing to do where classes do not count.
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
}
