package dev.upcall.io.schedule;

import dev.upcall.config.Limits;
import dev.upcall.io.Disk;

/**
 * Which requests become one before they go to the device.
 *
 * @param maxBytes nothing larger is made of several; 0: nothing is merged
 * @param front whether a request is also put in front of one that waits, and not only behind
 */
public record MergeConfig(int maxBytes, boolean front) {
  /** As Linux does: 1,024 sectors, on both sides. */
  public static final MergeConfig DEFAULT = new MergeConfig(512 << 10, true);

  /** Every request stays alone. */
  public static final MergeConfig OFF = new MergeConfig(0, false);

  /** Checks the limits. */
  public MergeConfig {
    Limits.within("merge", maxBytes, 0, Disk.MAX_TRANSFER_BYTES);
  }

  /** The same in blocks. */
  int maxBlocks() {
    return maxBytes / Disk.BLOCK_BYTES;
  }
}
