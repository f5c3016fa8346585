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
 * @param threads of the load
 * @param isWhole false when the window was cut short
 */
public record PointResult(
    LoadPoint point,
    Reading reading,
    Cost cost,
    long connectionsOpened,
    int threads,
    boolean isWhole) {
  /**
   * Less than this share of the requested rate means that the server, or the load, is saturated.
   */
  public static final double RATE_MATCH = 0.95;

  /** From this share of its threads' time on the generator may be what limits the load. */
  public static final double BUSY_SHARE = 0.9;

  /** Little's law must not fail by more than this. */
  public static final double RESIDUAL_LIMIT = 0.05;

  /** Processor time of the generator as a share of what its threads have; above 1 with helpers. */
  public double generatorShare() {
    return cost.generatorSeconds() / (threads * reading.flow().windowSeconds());
  }

  /** Whether the generator, and not the server, may be what limits the load. */
  public boolean isGeneratorBusy() {
    return generatorShare() > BUSY_SHARE;
  }

  /** Whether Little's law holds, as it must in a window without much going on at its ends. */
  public boolean isSteady() {
    return reading.flow().littleResidual() < RESIDUAL_LIMIT;
  }

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
