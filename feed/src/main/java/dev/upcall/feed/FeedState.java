package dev.upcall.feed;

/** Where a {@link RequestFeed} stands. */
public enum FeedState {
  /** Not begun. */
  NEW,
  /** Compares the queue with what the store knows of it. */
  OPENING,
  /** Waits for the next entry. */
  READING,
  /** Has an entry and looks up what its producer asked last. */
  LOOKING,
  /** Does a request, or notes that it failed for good. */
  APPLYING,
  /** A request failed for now; it is tried again. */
  PAUSED,
  /** The store takes no changes any more, or the queue cannot be read. */
  STOPPED,
  /** Closed. */
  CLOSED
}
