package dev.upcall.bench.proxy.finite;

import dev.upcall.bench.proxy.disk.DiskCounts;

/**
 * The result of day 2 with a cache of bounded size.
 *
 * @param policy what was replaced
 * @param hits requests that were found
 * @param misses requests that were not
 * @param counts what went to the disk
 */
public record FiniteResult(PolicyKind policy, long hits, long misses, DiskCounts counts) {
  /** The share of requests that were found. */
  public double hitRate() {
    return (double) hits / (hits + misses);
  }

  /** The share of reads that begin at most 64 KB behind the one before. */
  public double nearShare() {
    long reads = counts.mapped().reads();
    return reads == 0 ? 0 : (double) counts.nearReads() / reads;
  }
}
