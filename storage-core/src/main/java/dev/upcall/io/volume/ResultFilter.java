package dev.upcall.io.volume;

import dev.upcall.io.DiskRequest;

/**
 * Sees the result of each transfer before the disk does and may replace it: how the tests make the
 * kernel transfer less than it was asked, or be interrupted.
 */
@FunctionalInterface
interface ResultFilter {
  /** Lets every result pass. */
  ResultFilter NONE = (request, result) -> result;

  /**
   * The result to go on with.
   *
   * @param result bytes transferred, or a negated errno; runs on any thread
   */
  int filter(DiskRequest request, int result);
}
