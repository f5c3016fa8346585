package dev.upcall;

import dev.upcall.completion.CompletionPort;
import dev.upcall.store.Durability;
import dev.upcall.txn.Transaction;

/**
 * Changes and reads of any number of files that are one: all or nothing, also across crashes. Reads
 * are as of the moment of its beginning with its own changes on top; they wait for nobody. What it
 * changes is locked until it ends. See {@link Transaction} for what is locked, who wins, and which
 * failures end it; {@code docs/transactions.md} has it on one page. Dispatcher's thread only.
 *
 * <p>A {@link PutHandle} that was begun through it makes its file a part of it with {@code commit},
 * whatever durability is named there.
 */
public interface FileTransaction extends FileChanges, AutoCloseable {
  /** Which transaction of this opening of the store, counted from 1. */
  long id();

  /** The commit up to which everything that others did is in what it reads. */
  long scn();

  /**
   * See {@link Transaction#commit}. What open handles have collected is flushed before; when that
   * fails, the commit fails in the same way, and the transaction is rolled back.
   */
  void commit(Durability durability, CompletionPort<Long> port);

  /** See {@link Transaction#rollback}. */
  void rollback();

  /** {@link #rollback} unless it was committed. */
  @Override
  default void close() {
    rollback();
  }
}
