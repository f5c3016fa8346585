package dev.upcall.txn.snapshot;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.PiecedContent;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Unplaced;
import dev.upcall.segment.layout.Inode;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.View;
import dev.upcall.txn.state.StoreContext;
import org.jspecify.annotations.Nullable;

/** A snapshot of an open store: who reads in it, and that it stays until the last one is done. */
public final class HeldSnapshot implements Snapshot {
  private final StoreContext context;
  private final SnapshotManager manager;
  private final Source source;
  private final @Nullable PublishedReads published;
  private final long sinceNanos;
  private int holders = 1;
  private int asking;
  private boolean closed;

  /** Whether somebody is being answered, who may have more to ask for the same request. */
  private boolean answering;

  /** The moment that a snapshot shows. */
  interface Source {
    /** The trees. */
    View view();

    /**
     * What of a segment has no place in its layout; not retained. May throw {@code PageMissing}.
     */
    Unplaced unplaced(long segment);

    /** What the snapshot costs. */
    SnapshotInfo info(long ageNanos);

    /** The snapshot was closed, and all is answered that was asked before. */
    void closed();

    /** Nobody reads any more. */
    void released();
  }

  /** Of content that a snapshot with a name had unplaced, other threads know nothing. */
  HeldSnapshot(
      StoreContext context,
      SnapshotManager manager,
      Source source,
      @Nullable PublishedReads published) {
    this.context = context;
    this.manager = manager;
    this.source = source;
    this.published = published;
    this.sinceNanos = context.dispatcher().clock().monotonicNanos();
  }

  @Override
  public long scn() {
    return source.view().scn();
  }

  @Override
  public @Nullable PublishedReads published() {
    return published;
  }

  @Override
  public <T> void query(Query<T> query, CompletionPort<T> port) {
    context.dispatcher().checkOwner();
    if (closed && !answering) {
      context.dispatcher().complete(port, Completion.failed(new Failure.Closed("the snapshot")));
      return;
    }
    asking++;
    manager.query(
        source.view(),
        query,
        completion -> {
          answering = true;
          port.complete(completion);
          answering = false;
          asking--;
          leaveSource();
        });
  }

  @Override
  public void pin(Query<Inode> which, LeaseOwner owner, CompletionPort<PinnedContent> port) {
    query(
        seen ->
            switch (which.run(seen)) {
              case Completion.Failed<Inode> failed -> failed.<PinnedContent>cast();
              case Completion.Done<Inode>(Inode inode) -> pinNow(inode, owner);
            },
        port);
  }

  /** The last step of a run that will be delivered: nothing that it looked at was missing. */
  private Completion<PinnedContent> pinNow(Inode inode, LeaseOwner owner) {
    Unplaced unplaced = unplaced(inode.id());
    return Completion.done(PiecedContent.pin(context.reader(), inode, unplaced, owner, hold()));
  }

  /** As {@link Source#unplaced}; in a query, or while the snapshot is open. */
  public Unplaced unplaced(long segment) {
    return source.unplaced(segment);
  }

  /** One more who reads in it, from a query on. Gives what ends the reading. */
  public Runnable hold() {
    Invariants.check(!closed || asking > 0, "a snapshot that was closed", scn());
    holders++;
    return this::release;
  }

  @Override
  public SnapshotInfo info() {
    return source.info(context.dispatcher().clock().monotonicNanos() - sinceNanos);
  }

  @Override
  public void close() {
    context.dispatcher().checkOwner();
    if (!closed) {
      closed = true;
      // What is asked from now on comes too late, whoever asks it.
      answering = false;
      if (published != null) {
        published.end();
      }
      manager.closed(this);
      leaveSource();
    }
  }

  private void leaveSource() {
    if (closed && asking == 0) {
      source.closed();
      release();
    }
  }

  private void release() {
    Invariants.check(holders > 0, "snapshot released twice", scn());
    if (--holders == 0) {
      source.released();
    }
  }
}
