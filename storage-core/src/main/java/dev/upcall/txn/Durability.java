package dev.upcall.txn;

/**
 * When a change is acknowledged. It is visible to all later queries in either case as soon as it is
 * applied.
 */
public enum Durability {
  /** After it is durable. */
  SYNC,
  /** As soon as it is applied; durable with the next group commit or {@link Store#barrier}. */
  ASYNC
}
