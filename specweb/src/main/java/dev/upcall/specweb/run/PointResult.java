package dev.upcall.specweb.run;

import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Reading;

/**
 * What a load point showed.
 *
 * @param point the load that was requested
 * @param reading what was counted
 * @param cost processor time in the window
 * @param connectionsOpened during the whole point, warm-up included
 * @param isWhole false when the window was cut short
 */
public record PointResult(
    LoadPoint point, Reading reading, Cost cost, long connectionsOpened, boolean isWhole) {
  /**
   * Less than this share of the requested rate means that the server, or the load, is saturated.
   */
  public static final double RATE_MATCH = 0.95;

  /** Whether less was achieved than requested. */
  public boolean isSaturated() {
    double requested = point.opsPerSecond();
    return requested > 0 && reading.opsPerSecond() < RATE_MATCH * requested;
  }

  /** Errors as a share of all operations. */
  public double errorShare() {
    double all = (double) reading.errors() + reading.operations().count();
    return all > 0 ? reading.errors() / all : 0;
  }
}
