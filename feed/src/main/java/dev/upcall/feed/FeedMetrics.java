package dev.upcall.feed;

import dev.upcall.feed.answer.AnswerCounts;
import dev.upcall.fsm.meter.DistributionSnapshot;

/**
 * A feed in numbers.
 *
 * @param counts of requests and entries
 * @param groups how many requests each change had that it made of them
 * @param halved groups that failed and were tried again in halves
 * @param waiting requests that were read and are not done
 * @param unsettled requests that are done, and not yet durable and heard of
 * @param held groups that waited for requests that were asked directly
 * @param forgotten producers of which nothing is noted any more
 * @param backlog what of the queue is not done, read or not
 * @param oldestNanos how long ago the oldest of that was appended; 0 when there is none
 * @param answers what was said of requests
 * @param failure why it has stopped; empty while it has not
 */
public record FeedMetrics(
    FeedCounts counts,
    DistributionSnapshot groups,
    long halved,
    long waiting,
    long unsettled,
    long held,
    long forgotten,
    Backlog backlog,
    long oldestNanos,
    AnswerCounts answers,
    String failure) {}
