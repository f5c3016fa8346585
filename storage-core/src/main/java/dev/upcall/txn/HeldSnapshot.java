package dev.upcall.txn;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.segment.Content;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Unplaced;

/** A snapshot of an open store: who reads in it, and that it stays until the last one is done. */
final class HeldSnapshot implements Snapshot {
  private final StoreContext context;
  private final Engine engine;
  private final Moment moment;
  private final long sinceNanos;
  private int holders = 1;
  private int asking;
  private boolean closed;

  /** Whether somebody is being answered, who may have more to ask for the same request. */
  private boolean answering;

  /** What a snapshot needs of the engine. */
  interface Engine {
    /** Runs a query over a view. */
    <T> void query(View view, Query<T> query, CompletionPort<T> port);

    /** A snapshot was closed. */
    void closed(HeldSnapshot snapshot);
  }

  /** The moment that a snapshot shows. */
  interface Moment {
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

  HeldSnapshot(StoreContext context, Engine engine, Moment moment) {
    this.context = context;
    this.engine = engine;
    this.moment = moment;
    this.sinceNanos = context.dispatcher().clock().monotonicNanos();
  }

  @Override
  public long scn() {
    return moment.view().scn();
  }

  @Override
  public <T> void query(Query<T> query, CompletionPort<T> port) {
    context.dispatcher().checkOwner();
    if (closed && !answering) {
      context.dispatcher().complete(port, Completion.failed(new Failure.Closed("the snapshot")));
      return;
    }
    asking++;
    engine.query(
        moment.view(),
        query,
        completion -> {
          answering = true;
          port.complete(completion);
          answering = false;
          asking--;
          leaveMoment();
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
    return Completion.done(new Content(context.reader(), inode, unplaced, owner, hold()));
  }

  /** As {@link Moment#unplaced}; in a query, or while the snapshot is open. */
  Unplaced unplaced(long segment) {
    return moment.unplaced(segment);
  }

  /** One more who reads in it, from a query on. Gives what ends the reading. */
  Runnable hold() {
    Invariants.check(!closed || asking > 0, "a snapshot that was closed", scn());
    holders++;
    return this::release;
  }

  @Override
  public SnapshotInfo info() {
    return moment.info(context.dispatcher().clock().monotonicNanos() - sinceNanos);
  }

  @Override
  public void close() {
    context.dispatcher().checkOwner();
    if (!closed) {
      closed = true;
      // What is asked from now on comes too late, whoever asks it.
      answering = false;
      engine.closed(this);
      leaveMoment();
    }
  }

  private void leaveMoment() {
    if (closed && asking == 0) {
      moment.closed();
      release();
    }
  }

  private void release() {
    Invariants.check(holders > 0, "snapshot released twice", scn());
    if (--holders == 0) {
      moment.released();
    }
  }
}
