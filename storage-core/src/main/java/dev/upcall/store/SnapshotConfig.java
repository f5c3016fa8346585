package dev.upcall.store;

import dev.upcall.config.Limits;

/**
 * The limits of snapshots.
 *
 * @param maxNamed named snapshots that there may be; beyond the usual 64 one step of listing or
 *     dropping takes more than 50 microseconds of the thread
 * @param maxOpen snapshots, with or without a name, that programs may have open at once; one more
 *     is {@code Busy}. Those of transactions have their own limit
 */
public record SnapshotConfig(int maxNamed, int maxOpen) {
  /** What is used unless said otherwise: 64 with names, 1,024 open. */
  public static final SnapshotConfig DEFAULT = new SnapshotConfig(64, 1024);

  private static final int MOST_NAMED = 1000;

  /** Checks the limits. */
  public SnapshotConfig {
    Limits.within("snapshots.maxNamed", maxNamed, 0, MOST_NAMED);
    Limits.atLeast("snapshots.maxOpen", maxOpen, 1);
  }
}
