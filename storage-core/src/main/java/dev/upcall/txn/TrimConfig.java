package dev.upcall.txn;

import dev.upcall.config.Limits;

/**
 * How a store gives space back to the device.
 *
 * @param minPunchBlocks shorter free runs are kept
 * @param maxPunchBlocks the most that is punched at once
 * @param poolBlocks what is kept at least: free blocks with room on the device, beyond everything
 *     that is promised, and free blocks at the volume's end
 * @param settleNanos how long there must be more than that before a checkpoint makes what was freed
 *     allocatable
 * @param keepNanos how long there must be more than that before anything is given back, and of that
 *     while so much is kept as was handed out in it: whoever replaces large content again and again
 *     would else pay for it each time, since writing into room that was just given by the device
 *     costs more
 * @param pauseNanos the least time between two punches: each waits for all direct I/O in flight
 * @param closingPunches the most that is punched while the store closes
 */
public record TrimConfig(
    long minPunchBlocks,
    long maxPunchBlocks,
    long poolBlocks,
    long settleNanos,
    long keepNanos,
    long pauseNanos,
    int closingPunches) {

  /** Runs of 1 MiB and more, at most 50 a second, after ten seconds; 16 MiB stay. */
  public static final TrimConfig DEFAULT =
      new TrimConfig(256, 65_536, 4096, 1_000_000_000L, 10_000_000_000L, 20_000_000L, 64);

  /** Checks the limits and how they fit together. */
  public TrimConfig {
    Limits.require(
        minPunchBlocks >= 1 && minPunchBlocks <= maxPunchBlocks,
        "blocks of a punch: from " + minPunchBlocks + " to " + maxPunchBlocks);
    Limits.require(poolBlocks >= 1, "the pool must hold at least one block, not " + poolBlocks);
    Limits.require(
        settleNanos >= 0 && keepNanos >= 0 && pauseNanos >= 0,
        "times must not be negative: " + settleNanos + ", " + keepNanos + ", " + pauseNanos);
    Limits.require(
        closingPunches >= 0, "punches while closing must not be negative: " + closingPunches);
  }
}
