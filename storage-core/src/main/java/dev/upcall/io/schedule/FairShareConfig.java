package dev.upcall.io.schedule;

import dev.upcall.config.Limits;

/**
 * The shares of the classes in {@link FairSharePolicy}.
 *
 * @param depth requests in flight of all classes but {@code LOG}, which has a depth of its own
 * @param logDepth log requests in flight
 * @param backgroundDepth requests in flight of the background, and likewise of the read-ahead,
 *     while a class before it has something to do; alone, each may use the whole depth
 * @param weights the shares of a full device
 * @param requestCostBlocks what a request costs beside its blocks, in blocks: seek, or overhead
 * @param pacing how the background goes about it while others read
 */
public record FairShareConfig(
    int depth,
    int logDepth,
    int backgroundDepth,
    Weights weights,
    int requestCostBlocks,
    PacingConfig pacing) {

  /** Checks the limits. */
  public FairShareConfig {
    Limits.within("depth", depth, 1, 1 << 16);
    Limits.within("logDepth", logDepth, 1, 1 << 16);
    Limits.within("backgroundDepth", backgroundDepth, 1, depth);
    Limits.within("requestCostBlocks", requestCostBlocks, 0, 1 << 16);
  }

  /**
   * Shares, in proportion to each other.
   *
   * @param read of foreground reads
   * @param write of foreground writes
   * @param readAhead of read-ahead
   * @param background of the background
   */
  public record Weights(int read, int write, int readAhead, int background) {
    /** Reads get twice what writes get, and eight times what the background gets. */
    public static final Weights DEFAULT = new Weights(8, 4, 2, 1);

    /** Checks the limits. */
    public Weights {
      Limits.within("read", read, 1, 1000);
      Limits.within("write", write, 1, 1000);
      Limits.within("readAhead", readAhead, 1, 1000);
      Limits.within("background", background, 1, 1000);
    }
  }

  /** For a device that is busy with 128 requests. */
  public static FairShareConfig defaults() {
    return new FairShareConfig(128, 32, 8, Weights.DEFAULT, 4, PacingConfig.DEFAULT);
  }

  /** The same with another depth, of which the background has no more than all. */
  public FairShareConfig withDepth(int other) {
    return new FairShareConfig(
        other, logDepth, Math.min(backgroundDepth, other), weights, requestCostBlocks, pacing);
  }

  /** The same with another pacing. */
  public FairShareConfig withPacing(PacingConfig other) {
    return new FairShareConfig(depth, logDepth, backgroundDepth, weights, requestCostBlocks, other);
  }
}
