package dev.upcall.feed;

/** Counts for a feed. Dispatcher's thread. */
final class FeedMeter {
  long applied;
  long repeated;
  long failed;
  long retried;
  long unreadable;
  long abandoned;
  long lostEnds;
  long groups;
  long halved;

  FeedCounts counts() {
    return new FeedCounts(applied, repeated, failed, retried, unreadable, abandoned, lostEnds);
  }
}
