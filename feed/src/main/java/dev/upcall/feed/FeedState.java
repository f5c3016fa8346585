package dev.upcall.feed;

/** Where a {@link RequestFeed} stands. */
public enum FeedState {
  /** Not begun. */
  NEW,
  /** Compares the queue with what the store knows of it. */
  OPENING,
  /** There is nothing to do, or all who have something rest or wait for their content. */
  WAITING,
  /** Does a group of requests. */
  APPLYING,
  /** The store takes no changes any more, or the queue cannot be read. */
  STOPPED,
  /** Closed. */
  CLOSED
}
