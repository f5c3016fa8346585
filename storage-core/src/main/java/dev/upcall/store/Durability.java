package dev.upcall.store;

import dev.upcall.txn.Store;

/**
 * When a change is acknowledged. It is visible to all later queries in either case as soon as it is
 * applied.
 */
public enum Durability {
  /** After it is durable. */
  SYNC,
  /**
   * As soon as it is applied, within the {@link LossBound}; durable with the next group commit, and
   * after the next {@link Store#flush} at the latest. A crash takes the newest of such changes,
   * never one without all that were applied after it. When the log fails, they stay visible until
   * the store is closed, and the next {@code flush} says so.
   */
  ASYNC
}
