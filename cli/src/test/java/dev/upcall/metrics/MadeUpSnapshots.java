package dev.upcall.metrics;

import dev.upcall.FileManagerMetrics;
import dev.upcall.txn.metrics.StoreMetrics;

/** Snapshots of what a test has made up. */
public final class MadeUpSnapshots {
  private MadeUpSnapshots() {}

  /** A store that has counted this. */
  public static MetricsSnapshot of(StoreMetrics store, FileManagerMetrics files) {
    return MetricsSnapshot.of(store, files);
  }
}
