package dev.upcall.io.schedule;

import dev.upcall.config.Limits;
import java.util.concurrent.TimeUnit;

/**
 * What {@link HeadSharePolicy} knows of a device with heads.
 *
 * @param depth requests in flight of all classes but {@code LOG}
 * @param turnNanos so long a class goes on, in the order of places, before the shares decide again
 * @param turnRequests and so many requests, if nobody waits for them
 * @param waitNanos so long the next read of an asker is waited for; 0: not at all
 * @param seekBlocks what a request costs beside its blocks, in blocks, unless it follows the one
 *     before: what passes under the heads in the time that it takes to get there
 */
public record HeadConfig(
    int depth, long turnNanos, int turnRequests, long waitNanos, int seekBlocks) {
  /**
   * A command queue of 4, turns of 160 ms or 128 writes, anticipation of 4 ms, 64 blocks a seek.
   */
  public static final HeadConfig DEFAULT =
      new HeadConfig(
          4, TimeUnit.MILLISECONDS.toNanos(160), 128, TimeUnit.MILLISECONDS.toNanos(4), 64);

  /** Checks the limits. */
  public HeadConfig {
    Limits.within("depth", depth, 1, 1 << 16);
    Limits.within("turn", turnNanos, 1, TimeUnit.MINUTES.toNanos(1));
    Limits.within("turnRequests", turnRequests, 1, 1 << 16);
    Limits.within("wait", waitNanos, 0, TimeUnit.MINUTES.toNanos(1));
    Limits.within("seekBlocks", seekBlocks, 0, 1 << 16);
  }
}
