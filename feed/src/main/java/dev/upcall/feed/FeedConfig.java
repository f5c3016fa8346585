package dev.upcall.feed;

import dev.upcall.config.Limits;

/**
 * The limits of a feed.
 *
 * @param unfinishedNanos after how long without a further part a request is given up
 * @param retryNanos how long a request that failed for now rests
 * @param maxProducers producers whose last request is kept in memory; the others' is in the store
 */
public record FeedConfig(long unfinishedNanos, long retryNanos, int maxProducers) {
  /** What is used unless said otherwise. */
  public static final FeedConfig DEFAULT = new FeedConfig(60_000_000_000L, 100_000_000L, 1024);

  /** Checks the limits. */
  public FeedConfig {
    Limits.atLeast("feed.unfinishedNanos", unfinishedNanos, 1);
    Limits.atLeast("feed.retryNanos", retryNanos, 1);
    Limits.atLeast("feed.maxProducers", maxProducers, 1);
  }
}
