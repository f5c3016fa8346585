package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.Kind;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.layout.Inode;
import dev.upcall.store.Durability;
import dev.upcall.txn.Store;
import dev.upcall.txn.Transaction;

/** Opens segments by the raw access method: bytes by offset. */
public final class Segments {
  private Segments() {}

  /**
   * What is opened.
   *
   * @param id the segment
   * @param name what messages call it
   */
  public record Target(long id, String name) {
    /** Under no better name. */
    public static Target of(long id) {
      return new Target(id, "segment " + id);
    }
  }

  /**
   * Opens a segment for reading and writing ranges. Any number of handles may be open on one
   * segment; what one commits the others see when they next begin to write. Failures: {@code
   * NotFound}, {@code IsADirectory}, and those of a query.
   */
  public static void open(
      Store store, Target target, LeaseOwner owner, CompletionPort<SegmentHandle> port) {
    open(store, target, Durability.SYNC, owner, port);
  }

  /**
   * As {@link #open(Store, Target, LeaseOwner, CompletionPort)}; with {@code ASYNC} a flush may
   * complete before what was collected is durable.
   */
  public static void open(
      Store store,
      Target target,
      Durability durability,
      LeaseOwner owner,
      CompletionPort<SegmentHandle> port) {
    open(new StoreHome(store, durability), target, owner, port);
  }

  /**
   * Opens a segment in a transaction of a store: what the handle begins with is what the
   * transaction sees, and {@link SegmentHandle#flush} makes what was collected a part of the
   * transaction. What is collected and not flushed when the transaction ends is lost: abandon the
   * handle then.
   */
  public static void open(
      Store store,
      Transaction transaction,
      Target target,
      LeaseOwner owner,
      CompletionPort<SegmentHandle> port) {
    open(new TransactionHome(store, transaction), target, owner, port);
  }

  private static void open(
      Home home, Target target, LeaseOwner owner, CompletionPort<SegmentHandle> port) {
    home.reading()
        .<SegmentHandle>query(
            view -> {
              Inode inode = view.inode(target.id());
              if (inode == null) {
                return Completion.failed(new Failure.NotFound(target.name()));
              }
              if (inode.kind() == Kind.TABLE) {
                return Completion.failed(
                    new Failure.Invalid(target.name() + " is a table, which has no content"));
              }
              if (inode.kind() != Kind.FILE) {
                return Completion.failed(new Failure.IsADirectory(target.name()));
              }
              return Completion.done(new RawSegment(home, owner, inode, target.name()));
            },
            port);
  }
}
