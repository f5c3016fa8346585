package dev.upcall.bench.securefile;

import dev.upcall.bench.harness.Fields;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;

/**
 * How our store is set.
 *
 * @param gatherBytes of new content for which space is asked at once
 * @param dedup whether equal content is shared
 * @param compression of content
 */
record StoreSetting(int gatherBytes, Dedup dedup, Compression compression) {
  /**
   * From the worker's options {@code gather}, {@code dedup} and {@code compression}; where they are
   * missing, as usual.
   */
  static StoreSetting of(Fields options) {
    return new StoreSetting(
        options.values().containsKey("gather")
            ? (int) options.number("gather")
            : ContentConfig.DEFAULT.gatherBytes(),
        options.values().containsKey("dedup") ? Dedup.FILE : Dedup.NONE,
        options.values().containsKey("compression")
            ? Compression.valueOf(options.text("compression"))
            : Compression.NONE);
  }
}
