package dev.upcall.specweb.run;

import dev.upcall.specweb.load.LoadPoint;

/** Who looks on while points run, and may end it. */
public interface Watch {
  /**
   * Waits.
   *
   * @return whether to go on; false at once when the end was asked for
   */
  boolean await(long nanos) throws InterruptedException;

  /** How far a point is, about once a second. */
  void progress(LoadPoint point, Standing standing);

  /**
   * How far a point is.
   *
   * @param phase what is going on
   * @param secondsLeft of this phase
   * @param right operations that ended well since the window was opened, or since the start
   * @param wrong errors since then
   * @param outstanding requests under way
   */
  record Standing(String phase, double secondsLeft, long right, long wrong, int outstanding) {}
}
