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
 * @param isUsed whether its log has all its room before anything is measured, which a new volume
 *     gives it as it is first used
 */
record StoreSetting(int gatherBytes, Dedup dedup, Compression compression, boolean isUsed) {
  /**
   * From the worker's options {@code gather}, {@code dedup}, {@code compression} and {@code used};
   * where they are missing, as usual.
   */
  static StoreSetting of(Fields options) {
    return new StoreSetting(
        options.values().containsKey("gather")
            ? (int) options.number("gather")
            : ContentConfig.DEFAULT.gatherBytes(),
        options.values().containsKey("dedup") ? Dedup.FILE : Dedup.NONE,
        options.values().containsKey("compression")
            ? Compression.valueOf(options.text("compression"))
            : Compression.NONE,
        options.values().containsKey("used"));
  }
}
