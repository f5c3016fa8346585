package dev.upcall.txn.snapshot;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.io.Disk;
import dev.upcall.pressure.Need;
import dev.upcall.pressure.Scarce;
import dev.upcall.space.Extent;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.reclaim.DeferredFree;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreEntrance;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoreState;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes snapshots, knows those that are open, and gives space back when they are closed. */
public final class SnapshotManager {
  private final StoreContext context;
  private final StoreEntrance entrance;
  private final Queries queries;
  private final Checkpoint checkpoint;
  private final DeferredFree release;

  /** Those without a name, oldest first; of transactions, too. */
  private final LinkedHashSet<HeldSnapshot> open = new LinkedHashSet<>();

  /** Those that programs have open, with a name or without; as many as there may be. */
  private final LinkedHashSet<HeldSnapshot> ofPrograms = new LinkedHashSet<>();

  /** How many programs wait for theirs. */
  private int coming;

  private long refused;

  /** Runs queries over views. */
  public interface Queries {
    /** Answers a query on another state. */
    <T> void query(View view, Query<T> query, CompletionPort<T> port);

    /** A request that was let in is answered. */
    <T> void leave(CompletionPort<T> port, Completion<T> completion);

    /** Somebody is about to hear of the state in another way. */
    void told();

    /** Looks at a state that is held, for other threads. */
    PublishedReads published(View view);
  }

  /**
   * What the snapshots need of the engine.
   *
   * @param queries looks into them
   * @param checkpoint says what they hold back
   * @param release gives back what they held
   */
  public record Parts(Queries queries, Checkpoint checkpoint, DeferredFree release) {}

  public SnapshotManager(StoreContext context, StoreEntrance entrance, Parts parts) {
    this.context = context;
    this.entrance = entrance;
    this.queries = parts.queries();
    this.checkpoint = parts.checkpoint();
    this.release = parts.release();
  }

  /** See {@link Store#snapshot}. */
  public void take(CompletionPort<Snapshot> port) {
    context.dispatcher().checkOwner();
    Failure refusal = refusesMore();
    if (refusal != null) {
      context.dispatcher().complete(port, HeapBudget.failed(refusal));
      return;
    }
    coming++;
    hold(
        completion -> {
          coming--;
          port.complete(completion.map(this::ofProgram));
        });
  }

  private Snapshot ofProgram(HeldSnapshot snapshot) {
    ofPrograms.add(snapshot);
    return snapshot;
  }

  /** Why a program may have no more of them open, or null. */
  @Nullable Failure refusesMore() {
    int limit = context.config().snapshots().maxOpen();
    if (ofPrograms.size() + coming < limit) {
      return null;
    }
    refused++;
    return new Failure.Busy("snapshots open at once (%d)".formatted(limit), "close some");
  }

  /** How many programs were not given one because of how many were open. */
  long refused() {
    return refused;
  }

  /** As {@link #take}, for who lays something over it and has a limit of its own. */
  public void hold(CompletionPort<HeldSnapshot> port) {
    context.dispatcher().checkOwner();
    Failure refusal = entrance.enter(/* changes= */ false);
    if (refusal != null) {
      context.dispatcher().complete(port, HeapBudget.failed(refusal));
      return;
    }
    context.pressure().await(Scarce.COPIES, new Moment(), taken -> queries.leave(port, taken));
  }

  /**
   * A snapshot that can be taken when all together will not have to copy too much. Whoever asks may
   * hold the others, so each waits for a bounded time.
   */
  private final class Moment implements Need<HeldSnapshot> {
    @Override
    public @Nullable HeldSnapshot take(boolean placed) {
      // What cannot change any more is never copied.
      boolean never = entrance.readOnly() != null;
      return never || context.pressure().left(Scarce.COPIES) >= 0 ? takeNow() : null;
    }

    /** Content that open snapshots see is copied when it is placed: that alone brings no room. */
    @Override
    public void seek() {
      StoreState state = context.state();
      if (state.segments().unplacedBlocks() > 0
          && state.snapshots().copiedBytes() / Disk.BLOCK_BYTES
              < context.pressure().at(Scarce.COPIES).limit()) {
        context.pressure().placingWanted();
      }
    }

    @Override
    public Failure refusal(@Nullable Failure failure) {
      return new Failure.Busy("unplaced content that snapshots would copy");
    }

    @Override
    public long timeoutNanos() {
      return context.config().transactions().locks().timeoutNanos();
    }
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
            () -> context.pressure().changed(Scarce.COPIES),
            () -> {
              unpin.run();
              released();
            });
    HeldSnapshot snapshot =
        new HeldSnapshot(context, this, moment, queries.published(moment.view()));
    open.add(snapshot);
    return snapshot;
  }

  public List<SnapshotInfo> infos() {
    return open.stream().map(HeldSnapshot::info).toList();
  }

  /** Closes all that are open. */
  public void close() {
    context.pressure().refuseAll(Scarce.COPIES, new Failure.Closed("the store"));
    List.copyOf(open).forEach(HeldSnapshot::close);
    List.copyOf(ofPrograms).forEach(HeldSnapshot::close);
  }

  /** Runs a query over a view. */
  <T> void query(View view, Query<T> query, CompletionPort<T> port) {
    queries.query(view, query, port);
  }

  /** A request that was let in is answered. */
  <T> void leave(CompletionPort<T> port, Completion<T> completion) {
    queries.leave(port, completion);
  }

  /** See {@link Queries#told}. */
  public void told() {
    queries.told();
  }

  /** A snapshot was closed. */
  void closed(HeldSnapshot snapshot) {
    open.remove(snapshot);
    ofPrograms.remove(snapshot);
  }

  /**
   * Opens the moment of a named snapshot, inside a request that was let in and that {@link
   * #refusesMore} did not refuse.
   */
  Snapshot open(StoredState moment) {
    return ofProgram(new HeldSnapshot(context, this, moment, /* published= */ null));
  }

  /**
   * What a snapshot held back is held back no more. Whoever waits for space need not wait for a
   * checkpoint, which may be waiting for space too.
   */
  void released() {
    if (!entrance.isClosing()) {
      release.upTo(context.state().pins().horizon(checkpoint.durable().scn()));
    }
  }

  /** See {@link DeferredFree#isUnused}. */
  boolean isUnused(Extent extent) {
    return release.isUnused(extent);
  }
}
