package dev.upcall.txn;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.segment.Content;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;

/** A snapshot of an open store. */
final class HeldSnapshot implements Snapshot {
  private final StoreContext context;
  private final Engine engine;
  private final FrozenView view;
  private final OpenSnapshots.Entry entry;
  private final Runnable unpin;
  private final long sinceNanos;
  private int holders = 1;
  private boolean closed;

  /** What a snapshot needs of the engine. */
  interface Engine {
    /** Runs a query over a view. */
    <T> void query(View view, Query<T> query, CompletionPort<T> port);

    /** The SCN of the durable checkpoint. */
    long checkpointScn();

    /** A snapshot was closed. */
    void closed(HeldSnapshot snapshot);

    /** What a snapshot held is held by it no more. */
    void released();
  }

  /**
   * The state as it is now.
   *
   * @param unpin gives back the pin of the present SCN
   */
  HeldSnapshot(StoreContext context, Engine engine, Runnable unpin) {
    this.context = context;
    this.engine = engine;
    this.unpin = unpin;
    this.view = new FrozenView(context.state(), context.dispatcher().clock().epochNanos());
    this.entry = context.state().snapshots().add(view.scn());
    this.sinceNanos = context.dispatcher().clock().monotonicNanos();
  }

  @Override
  public long scn() {
    return view.scn();
  }

  @Override
  public <T> void query(Query<T> query, CompletionPort<T> port) {
    context.dispatcher().checkOwner();
    if (closed) {
      context.dispatcher().complete(port, Completion.failed(new Failure.Closed("the snapshot")));
      return;
    }
    holders++;
    engine.query(
        view,
        query,
        completion -> {
          port.complete(completion);
          release();
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
    if (closed) {
      return Completion.failed(new Failure.Closed("the snapshot"));
    }
    StoreState state = context.state();
    holders++;
    return Completion.done(
        new Content(
            context.reader(),
            inode,
            state.snapshots().unplaced(entry, inode.id(), state.segments()),
            owner,
            this::release));
  }

  @Override
  public SnapshotInfo info() {
    long now = context.dispatcher().clock().monotonicNanos();
    long blocks = context.state().map().pendingBlocks(view.scn(), engine.checkpointScn());
    return new SnapshotInfo(
        view.scn(), now - sinceNanos, blocks * Disk.BLOCK_BYTES, entry.copiedBytes());
  }

  @Override
  public void close() {
    context.dispatcher().checkOwner();
    if (!closed) {
      closed = true;
      context.state().snapshots().remove(entry);
      engine.closed(this);
      release();
    }
  }

  private void release() {
    Invariants.check(holders > 0, "snapshot released twice", view.scn());
    if (--holders == 0) {
      unpin.run();
      engine.released();
    }
  }
}
