package dev.upcall.bench.securefile;

import dev.upcall.bench.harness.Fields;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;

/**
 * How our store is set.
 *
 * @param gatherBytes of new content for which space is asked at once
 * @param dedup whether equal content is shared
 */
record StoreSetting(int gatherBytes, Dedup dedup) {
  /**
   * From the worker's options {@code gather} and {@code dedup}; where they are missing, as usual.
   */
  static StoreSetting of(Fields options) {
    return new StoreSetting(
        options.values().containsKey("gather")
            ? (int) options.number("gather")
            : ContentConfig.DEFAULT.gatherBytes(),
        options.values().containsKey("dedup") ? Dedup.FILE : Dedup.NONE);
  }
}
