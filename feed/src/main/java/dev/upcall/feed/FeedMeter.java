package dev.upcall.feed;

import dev.upcall.fsm.meter.Distribution;

/** Counts for a feed. Dispatcher's thread. */
final class FeedMeter {
  final Distribution groups = new Distribution();
  long applied;
  long repeated;
  long failed;
  long retried;
  long unreadable;
  long abandoned;
  long lostEnds;
  long halved;

  FeedCounts counts() {
    return new FeedCounts(applied, repeated, failed, retried, unreadable, abandoned, lostEnds);
  }
}
