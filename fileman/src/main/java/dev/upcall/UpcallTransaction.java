package dev.upcall;

import dev.upcall.store.Durability;

/**
 * Changes and reads of any number of files that are one: all or nothing, also across crashes; reads
 * are as of its beginning with its own changes on top. See {@link FileTransaction}. Any threads,
 * though one is usual: changes are done one after the other.
 *
 * <p>A change waits while somebody else has locked what it changes. {@code Conflict} (somebody else
 * has changed it since this began), {@code Deadlock} and {@code Cancelled} (nothing was asked of it
 * for too long) end the transaction, of which nothing has happened then: do it again from {@link
 * FsmUpcall#begin}. After {@code LockTimeout} and other failures it goes on without that change.
 */
public interface UpcallTransaction extends UpcallChanges, AutoCloseable {
  /** Which transaction of this opening of the store, counted from 1. */
  long id();

  /** The commit up to which everything that others did is in what it reads. */
  long scn();

  /** Makes all changes visible as one, durable when this returns; gives their commit's number. */
  default long commit() {
    return commit(Durability.SYNC);
  }

  /** As {@link #commit()}; with {@code ASYNC} it may return before they are durable. */
  long commit(Durability durability);

  /** Gives up all changes; harmless when it has ended. */
  void rollback();

  /** {@link #rollback} unless it was committed; harmless also after the store was closed. */
  @Override
  void close();
}
