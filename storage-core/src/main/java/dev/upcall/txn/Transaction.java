package dev.upcall.txn;

import dev.upcall.completion.CompletionPort;
import dev.upcall.store.Durability;

/**
 * Changes and reads that are one: all of the changes happen or none, across crashes too, and all
 * reads are as of the moment at which it began, with its own changes on top (snapshot isolation; H.
 * Berenson and others, <em>A Critique of ANSI SQL Isolation Levels</em>, 1995). Reads take no locks
 * and wait for nobody.
 *
 * <p>A change locks the segments, names and properties that it changes before it completes. They
 * stay locked until the transaction ends; others that want to change them wait. The first one to
 * change something wins: when a lock is granted and the thing is no longer what this transaction
 * sees, it ends with {@code Conflict}. That is looked at once more in the upcall in which the
 * commit is applied. A directory to which only entries are added or taken away is not locked for
 * that: its times merge.
 *
 * <p>Two kinds of failures. {@code Conflict}, {@code Deadlock} and a time without requests ({@code
 * Cancelled}) end the transaction: it is rolled back at once, and whatever is asked of it later
 * fails in the same way. Every other failure of a change (its own refusals, {@code LockTimeout},
 * {@code TooLarge}, {@code Busy}, a page that cannot be read) leaves the transaction as it was
 * before that change, which may be tried again.
 *
 * <p>Changes and the commit are done one after the other in the order in which they are asked;
 * reads see the changes that have completed. Dispatcher's thread only; completions never arrive
 * inside the call.
 */
public interface Transaction extends ReadSource, AutoCloseable {
  /** Which transaction of this opening of the store, counted from 1. */
  long id();

  /** The SCN of the state that it sees. */
  long scn();

  /**
   * Plans a change on what this transaction sees, locks what it changes, and remembers it for the
   * commit. Other failures than the plan's own: see above, {@code TooLarge} when all changes
   * together would no longer fit into one log record or need too many locks, {@code Busy} when the
   * contents of open transactions take too much memory, {@code ReadOnly}, {@code Closed}.
   */
  <T> void change(TransactionStep<T> step, CompletionPort<T> port);

  /**
   * Makes all changes one change of the store, and gives the SCN at which it is visible; that of
   * the snapshot when there are no changes. Ends the transaction, whatever the outcome: after a
   * failure nothing of it has happened, unless the log itself failed. Failures: {@code Conflict},
   * {@code VolumeFull}, {@code ReadOnly}, {@code Device}, {@code Closed}.
   */
  void commit(Durability durability, CompletionPort<Long> port);

  /**
   * Runs something in the upcall in which the transaction ends, however it does; it must be open.
   */
  void whenOver(Runnable upcall);

  /**
   * Gives up all changes; requests on their way get {@code Closed}. Harmless when the transaction
   * has ended, or when its commit has begun. What was pinned through it stays readable.
   */
  void rollback();

  /** {@link #rollback} unless it was committed. */
  @Override
  default void close() {
    rollback();
  }
}
