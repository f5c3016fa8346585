package dev.upcall.txn;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;

/** What can be read from: the store as it is now, or a snapshot. Dispatcher's thread only. */
public interface Reading {
  /**
   * Answers a query on the committed state. Failures: the query's own, {@code Corrupt}, {@code
   * Device}, {@code Busy}, {@code Closed}.
   */
  <T> void query(Query<T> query, CompletionPort<T> port);

  /** Finds an inode and holds the content of the version found, in one step. */
  void pin(Query<Inode> which, LeaseOwner owner, CompletionPort<PinnedContent> port);
}
