package dev.upcall.feed;

/**
 * A feed in numbers.
 *
 * @param counts of requests and entries
 * @param groups changes that it made of requests
 * @param halved groups that failed and were tried again in halves
 * @param waiting requests that were read and are not done
 * @param unsettled requests that are done, and not yet durable and heard of
 * @param oldestNanos how long ago the oldest request that waits was read; 0 when none waits
 * @param failure why it has stopped; empty while it has not
 */
public record FeedMetrics(
    FeedCounts counts,
    long groups,
    long halved,
    long waiting,
    long unsettled,
    long oldestNanos,
    String failure) {}
