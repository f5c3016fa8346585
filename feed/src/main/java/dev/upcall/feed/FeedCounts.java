package dev.upcall.feed;

/**
 * What a feed has counted since it was opened.
 *
 * @param applied requests done
 * @param repeated requests that had been done before
 * @param failed requests that failed for good
 * @param retried times that a request failed for now
 * @param unreadable entries that are none, or of another queue, or parts without their beginning
 * @param abandoned requests whose last part never came
 * @param lostEnds times that the queue was found to have lost its end
 */
public record FeedCounts(
    long applied,
    long repeated,
    long failed,
    long retried,
    long unreadable,
    long abandoned,
    long lostEnds) {}
