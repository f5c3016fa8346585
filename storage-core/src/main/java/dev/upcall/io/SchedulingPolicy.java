package dev.upcall.io;

import org.jspecify.annotations.Nullable;

/**
 * Decides in which order, and how many at a time, requests go to the device. Used by one {@link
 * IoScheduler}, on its thread. A policy keeps every request it is given until it names it; it may
 * hold requests back as long as something is in flight, and must name one when nothing is.
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

  /** How many wait. */
  int waiting();
}
