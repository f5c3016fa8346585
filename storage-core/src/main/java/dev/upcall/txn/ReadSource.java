package dev.upcall.txn;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import org.jspecify.annotations.Nullable;

/** What can be read from: the store as it is now, or a snapshot. Dispatcher's thread only. */
public interface ReadSource {
  /**
   * Answers a query on the committed state. Failures: the query's own, {@code Corrupt}, {@code
   * Device}, {@code Busy}, {@code Closed}.
   */
  <T> void query(Query<T> query, CompletionPort<T> port);

  /** Finds an inode and holds the content of the version found, in one step. */
  void pin(Query<Inode> which, LeaseOwner owner, CompletionPort<PinnedContent> port);

  /**
   * As {@link #pin}, at once, if everything that the query looks at is in memory: what would be its
   * completion is what this returns. Else, and where it is not offered (as of snapshots and
   * transactions), null: nothing was started, and {@code pin} finds out. What was asked for before
   * and waits in the dispatcher's FIFO has not happened yet.
   */
  default @Nullable Completion<PinnedContent> tryPin(Query<Inode> which, LeaseOwner owner) {
    return null;
  }

  /**
   * Looks at what this reads, for other threads; null where none are offered: of a snapshot with a
   * name. Those of a snapshot end when it is closed, those of a transaction with its first change.
   */
  default @Nullable PublishedReads published() {
    return null;
  }
}
