package dev.upcall.access;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.segment.layout.Inode;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.SegmentAccess;
import dev.upcall.txn.Store;
import java.util.function.Consumer;

/**
 * Where a handle finds its segment and brings what it has collected: the store, or a transaction.
 */
interface Home {
  /** The store itself, or the one whose transaction it is. */
  Store store();

  /** Whose thread it is. */
  default Dispatcher dispatcher() {
    return store().dispatcher();
  }

  /** What a handle needs besides. */
  default SegmentAccess access() {
    return store().access();
  }

  /** What it sees. */
  ReadSource reading();

  /**
   * Takes what was collected, all of it or nothing. {@code Conflict} when the segment is no longer
   * what the commit was made for.
   */
  default void commit(Commit commit, CompletionPort<Inode> port) {
    commit.prepare(port.then(prepared -> change(commit, port)));
  }

  /**
   * Runs a commit to a segment when no other handle of this home commits to it.
   *
   * @param turn is given what lets the next handle commit, once or more often: to be run when the
   *     commit can be seen, or was refused
   */
  void takeTurn(long segment, Consumer<Runnable> turn);

  /** Brings a commit that is prepared; see {@link #commit}. */
  void change(Commit commit, CompletionPort<Inode> port);

  /** Completes when all is as durable as a commit through this home is at its completion. */
  void flush(CompletionPort<Unit> port);

  /** Whether what was refused for this reason may be taken when nothing of it rides in the log. */
  boolean takesPlaced(Failure refusal);

  /** The segment was changed, and what was collected is merged with its old content. */
  Failure changed(String name);
}
