package dev.upcall.txn.snapshot;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.space.Extent;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.txn.Query;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.pressure.PlacingQueue;
import dev.upcall.txn.pressure.SnapshotQueue;
import dev.upcall.txn.reclaim.DeferredFree;
import dev.upcall.txn.state.Admission;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoreState;
import java.util.ArrayList;
import java.util.List;

/** Takes snapshots, knows those that are open, and gives space back when they are closed. */
public final class SnapshotManager implements HeldSnapshot.Engine {
  private final StoreContext context;
  private final Admission admission;
  private final Queries queries;
  private final Checkpoint checkpoint;
  private final DeferredFree release;
  private final SnapshotQueue waiting;
  private final List<HeldSnapshot> open = new ArrayList<>();
  private final List<HeldSnapshot> stored = new ArrayList<>();

  /** Runs queries over views. */
  public interface Queries {
    <T> void query(View view, Query<T> query, CompletionPort<T> port);
  }

  /**
   * What the snapshots need of the engine.
   *
   * @param queries looks into them
   * @param checkpoint says what they hold back
   * @param placing makes room for more of them
   * @param release gives back what they held
   */
  public record Parts(
      Queries queries, Checkpoint checkpoint, PlacingQueue placing, DeferredFree release) {}

  public SnapshotManager(StoreContext context, Admission admission, Parts parts) {
    this.context = context;
    this.admission = admission;
    this.queries = parts.queries();
    this.checkpoint = parts.checkpoint();
    this.release = parts.release();
    this.waiting = new SnapshotQueue(context, admission, parts.placing());
  }

  /** See {@link Store#snapshot}. */
  public void take(CompletionPort<Snapshot> port) {
    hold(
        completion ->
            port.complete(
                switch (completion) {
                  case Completion.Failed<HeldSnapshot> failed -> failed.cast();
                  case Completion.Done<HeldSnapshot>(HeldSnapshot snapshot) ->
                      Completion.done(snapshot);
                }));
  }

  /** As {@link #take}, for who lays something over it. */
  public void hold(CompletionPort<HeldSnapshot> port) {
    context.dispatcher().checkOwner();
    Failure refusal = admission.enter(/* changes= */ false);
    if (refusal != null) {
      context.dispatcher().complete(port, Completion.failed(refusal));
      return;
    }
    waiting.enter(
        () -> answer(port, Completion.done(takeNow())),
        failure -> answer(port, Completion.failed(failure)));
  }

  private void answer(CompletionPort<HeldSnapshot> port, Completion<HeldSnapshot> taken) {
    context
        .dispatcher()
        .post(
            () -> {
              port.complete(taken);
              admission.leave();
            });
  }

  private HeldSnapshot takeNow() {
    StoreState state = context.state();
    Runnable unpin =
        context.faults().has(StoreFault.SNAPSHOT_NOT_PINNED)
            ? () -> {}
            : state.pins().pin(state.scn());
    CurrentState moment =
        new CurrentState(
            state,
            context.dispatcher().clock().epochNanos(),
            checkpoint,
            waiting::look,
            () -> {
              unpin.run();
              released();
            });
    HeldSnapshot snapshot = new HeldSnapshot(context, this, moment);
    open.add(snapshot);
    return snapshot;
  }

  public List<SnapshotInfo> infos() {
    return open.stream().map(HeldSnapshot::info).toList();
  }

  /** Those who wait until they get one. */
  SnapshotQueue waiting() {
    return waiting;
  }

  /** Closes all that are open. */
  public void close() {
    waiting.close();
    List.copyOf(open).forEach(HeldSnapshot::close);
    List.copyOf(stored).forEach(HeldSnapshot::close);
  }

  @Override
  public <T> void query(View view, Query<T> query, CompletionPort<T> port) {
    queries.query(view, query, port);
  }

  @Override
  public void closed(HeldSnapshot snapshot) {
    open.remove(snapshot);
    stored.remove(snapshot);
  }

  /** Opens the moment of a named snapshot, inside a request that was let in. */
  Snapshot open(StoredState moment) {
    HeldSnapshot snapshot = new HeldSnapshot(context, this, moment);
    stored.add(snapshot);
    return snapshot;
  }

  /**
   * What a snapshot held back is held back no more. Whoever waits for space need not wait for a
   * checkpoint, which may be waiting for space too.
   */
  void released() {
    if (!admission.isClosing()) {
      release.upTo(context.state().pins().horizon(checkpoint.durable().scn()));
    }
  }

  /** See {@link DeferredFree#isUnused}. */
  boolean isUnused(Extent extent) {
    return release.isUnused(extent);
  }
}
