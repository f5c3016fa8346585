package dev.upcall.feed;

import dev.upcall.config.Limits;
import dev.upcall.journal.producer.Producer;

/**
 * The limits of a feed.
 *
 * @param unfinishedNanos after how long without a further part a request is given up
 * @param retryNanos how long a producer rests whose request failed for now
 * @param maxProducers producers whose last requests are kept in memory while they ask nothing; the
 *     others' are in the store
 * @param maxWaiting how many requests are read ahead of those that are done; producers among them
 *     are served in turn
 * @param maxGroup how many requests are done as one change
 * @param forgetNanos after how long without a request a producer is taken for one that does not
 *     come any more; then it gets another id, and what is noted of it goes with its last entries
 */
public record FeedConfig(
    long unfinishedNanos,
    long retryNanos,
    int maxProducers,
    int maxWaiting,
    int maxGroup,
    long forgetNanos) {
  /** What is used unless said otherwise. */
  public static final FeedConfig DEFAULT =
      new FeedConfig(
          2 * Producer.MAX_PAUSE.toNanos(),
          100_000_000L,
          1024,
          1024,
          256,
          30 * 86_400_000_000_000L);

  private static final int MAX_BYTES_OF_ONE = 4096;

  /** Checks the limits. */
  public FeedConfig {
    Limits.atLeast("feed.unfinishedNanos", unfinishedNanos, 1);
    Limits.atLeast("feed.retryNanos", retryNanos, 1);
    Limits.atLeast("feed.maxProducers", maxProducers, 1);
    Limits.atLeast("feed.maxWaiting", maxWaiting, 1);
    Limits.atLeast("feed.maxGroup", maxGroup, 1);
    Limits.atLeast("feed.forgetNanos", forgetNanos, 1);
  }

  /** What requests that were read ahead may take before nothing more is read. */
  long maxWaitingBytes() {
    return (long) MAX_BYTES_OF_ONE * maxWaiting;
  }

  /** What a group of more than one request may bring. */
  long maxGroupBytes() {
    return (long) MAX_BYTES_OF_ONE * maxGroup;
  }
}
