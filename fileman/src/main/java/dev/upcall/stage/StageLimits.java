package dev.upcall.stage;

import dev.upcall.config.Limits;

/**
 * How much may be asked through one {@link StageFiles} at once.
 *
 * @param maxInside requests that are inside the store; further ones stand in line
 * @param maxWaiting requests that stand in line for that; one more is {@code Busy}
 */
public record StageLimits(int maxInside, int maxWaiting) {
  /** What is used unless said otherwise: 1,024 inside, 65,536 in line. */
  public static final StageLimits DEFAULT = new StageLimits(1024, 1 << 16);

  private static final int MOST = 1 << 24;

  /** Checks the limits. */
  public StageLimits {
    Limits.within("stages.maxInside", maxInside, 1, MOST);
    Limits.within("stages.maxWaiting", maxWaiting, 0, MOST);
  }
}
