package dev.upcall.txn.snapshot;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import dev.upcall.space.HeldBlocks;
import dev.upcall.space.MapCapture;
import dev.upcall.space.SnapshotBlocks;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.txn.NamedSnapshots;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.metrics.SnapshotCounters;
import dev.upcall.txn.reclaim.Trimmer;
import dev.upcall.txn.state.FrozenView;
import dev.upcall.txn.state.OpenSnapshots;
import dev.upcall.txn.state.SnapshotNames;
import dev.upcall.txn.state.SnapshotRecord;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreEntrance;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.state.StoredSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The named snapshots of an open store: which there are, who reads in them, and what they hold.
 * They are made one after the other, since each wants a checkpoint of its own.
 */
public final class SnapshotCatalogue implements NamedSnapshots {
  private final StoreContext context;
  private final StoreEntrance entrance;
  private final SnapshotManager manager;
  private final Engine engine;
  private final HeldBlocks held;
  private final SnapshotSweep sweep;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final ArrayDeque<SnapshotCreation> waiting = new ArrayDeque<>();
  private boolean creating;
  private final Faults faults;

  /**
   * What the snapshots need of the engine.
   *
   * @param store takes their changes
   * @param checkpoint fixes their moments
   * @param disk tells the store of a sync that failed
   * @param trimmer hears what comes back
   */
  public record Engine(Store store, Checkpoint checkpoint, Disk disk, Trimmer trimmer) {}

  /** A snapshot and who reads in it. */
  private static final class Entry {
    final StoredSnapshot snapshot;
    final FrozenView view;
    int readers;
    boolean dropped;

    Entry(StoredSnapshot snapshot, StoreState state) {
      this.snapshot = snapshot;
      this.view = new FrozenView(state, snapshot.record());
    }
  }

  /**
   * The catalogue.
   *
   * @param present those that are on the volume, oldest first
   */
  public SnapshotCatalogue(
      StoreContext context,
      StoreEntrance entrance,
      SnapshotManager manager,
      Engine engine,
      List<StoredSnapshot> present) {
    this.context = context;
    this.entrance = entrance;
    this.manager = manager;
    this.engine = engine;
    this.faults = context.faults();
    this.held = context.state().map().held();
    this.sweep = new SnapshotSweep(context, this);
    present.forEach(this::named);
    if (faults.has(StoreFault.SNAPSHOTS_FORGOTTEN)) {
      held.forget();
      sweep.start();
    }
  }

  /** Whether there is a snapshot of this name, and it is this one. */
  public boolean has(String name, SnapshotRecord record) {
    Entry entry = entries.get(name);
    return entry != null && entry.snapshot.record().scn() == record.scn();
  }

  /** How many there are and what they hold. */
  public SnapshotCounters counters() {
    OpenSnapshots open = context.state().snapshots();
    int named = 0;
    long oldestNanos = Long.MAX_VALUE;
    for (Entry entry : entries.values()) {
      if (!entry.dropped) {
        named++;
        oldestNanos = Math.min(oldestNanos, entry.snapshot.record().createdNanos());
      }
    }
    long now = context.dispatcher().clock().epochNanos();
    return new SnapshotCounters(
        open.count(),
        manager.refused(),
        open.copiedBytes(),
        named,
        held.keptBlocks(),
        named == 0 ? 0 : Math.max(0, now - oldestNanos));
  }

  @Override
  public void create(String name, CompletionPort<NamedSnapshot> port) {
    if (refused(/* changes= */ true, port)) {
      return;
    }
    waiting.add(
        new SnapshotCreation(
            context,
            this,
            name,
            completion -> {
              creating = false;
              leave(port, completion.map(made -> info(made, /* exclusiveBlocks= */ 0)));
              createNext();
            }));
    context.dispatcher().post(this::createNext);
  }

  private void createNext() {
    SnapshotCreation next = creating ? null : waiting.poll();
    if (next != null) {
      creating = true;
      next.start();
    }
  }

  /** Nothing that it holds has been freed yet. */
  private static NamedSnapshot info(StoredSnapshot snapshot, long exclusiveBlocks) {
    return new NamedSnapshot(
        snapshot.name(),
        snapshot.record().scn(),
        snapshot.record().createdNanos(),
        exclusiveBlocks * Disk.BLOCK_BYTES);
  }

  @Override
  public void list(CompletionPort<NamedSnapshotList> port) {
    if (!refused(/* changes= */ false, port)) {
      Count count = new Count(port);
      context.dispatcher().post(count::step);
    }
  }

  /** Counts what each holds, chunk by chunk. */
  private final class Count {
    private final CompletionPort<NamedSnapshotList> port;
    private final List<StoredSnapshot> snapshots =
        entries.values().stream()
            .map(entry -> entry.snapshot)
            .filter(snapshot -> snapshot.unreadable() == null)
            .toList();
    private final List<SnapshotBlocks> blocks =
        snapshots.stream().map(StoredSnapshot::blocks).toList();
    private final long[] exclusive = new long[snapshots.size()];
    private long all;
    private int chunk;

    Count(CompletionPort<NamedSnapshotList> port) {
      this.port = port;
    }

    void step() {
      if (chunk < held.chunks() && !snapshots.isEmpty()) {
        all += held.count(chunk++, blocks, exclusive);
        context.dispatcher().post(this::step);
        return;
      }
      List<NamedSnapshot> list = new ArrayList<>();
      for (int i = 0; i < exclusive.length; i++) {
        list.add(info(snapshots.get(i), exclusive[i]));
      }
      leave(port, Completion.done(new NamedSnapshotList(list, all * Disk.BLOCK_BYTES)));
    }
  }

  @Override
  public void open(String name, CompletionPort<Snapshot> port) {
    if (refused(/* changes= */ false, port)) {
      return;
    }
    Entry entry = entries.get(name);
    Failure refusal = entry == null ? SnapshotNames.missing(name) : entry.snapshot.unreadable();
    Completion<Snapshot> opened =
        entry == null || refusal != null
            ? Completion.failed(Invariants.present(refusal, "a refusal"))
            : open(entry);
    context.dispatcher().post(() -> leave(port, opened));
  }

  private Completion<Snapshot> open(Entry entry) {
    Failure refusal = manager.refusesMore();
    if (refusal != null) {
      return Completion.failed(refusal);
    }
    entry.readers++;
    return Completion.done(
        manager.open(
            new StoredState(
                entry.view,
                () -> {
                  entry.readers--;
                  letGo(entry);
                })));
  }

  @Override
  public void drop(String name, CompletionPort<Unit> port) {
    if (refused(/* changes= */ true, port)) {
      return;
    }
    Entry[] dropped = new Entry[1];
    change(
        (view, out) -> plan(name, dropped, view, out),
        completion -> {
          Entry entry = dropped[0];
          if (entry != null && completion instanceof Completion.Done<Unit>) {
            // Not before: after a crash the snapshot would be there again.
            gone(entry);
          }
          leave(port, completion);
        });
  }

  private Completion<Unit> plan(String name, Entry[] dropped, View view, SegmentMutations out) {
    byte[] key = SnapshotNames.key(name);
    byte[] value = view.get(StoreTree.SNAPSHOTS, key);
    if (value == null) {
      return Completion.failed(SnapshotNames.missing(name));
    }
    out.remove(StoreTree.SNAPSHOTS, key);
    out.free(SnapshotRecord.decode(value).extents());
    out.allowEmergencySpace();
    out.onApplied(
        () -> {
          Entry entry = entries.remove(name);
          if (entry != null && faults.has(StoreFault.DROP_NOT_AWAITED)) {
            gone(entry);
          } else {
            dropped[0] = entry;
          }
        });
    return Completion.done();
  }

  private void gone(Entry entry) {
    entry.dropped = true;
    letGo(entry);
  }

  private void letGo(Entry entry) {
    if (entry.dropped && entry.readers == 0) {
      if (faults.has(StoreFault.DROP_FORGETS_OTHERS)
          || faults.has(StoreFault.SNAPSHOTS_FORGOTTEN)) {
        held.forget();
      } else {
        held.remove(entry.snapshot.blocks());
      }
      sweep.start();
    }
  }

  private <T> boolean refused(boolean changes, CompletionPort<T> port) {
    context.dispatcher().checkOwner();
    Failure refusal = entrance.enter(changes);
    if (refusal != null) {
      context.dispatcher().complete(port, Completion.failed(refusal));
    }
    return refusal != null;
  }

  private <T> void leave(CompletionPort<T> port, Completion<T> completion) {
    manager.leave(port, completion);
  }

  // What a creation needs.

  /** Why a snapshot of that name cannot be made, or null. */
  @Nullable Failure refuses(String name) {
    Failure wrong = SnapshotNames.refuses(name);
    if (wrong != null) {
      return wrong;
    }
    int limit = context.config().snapshots().maxNamed();
    if (entries.containsKey(name)) {
      return SnapshotNames.exists(name);
    }
    return entries.size() < limit
        ? null
        : new Failure.TooLarge(
            "the list of named snapshots", entries.size() + 1L, limit, "snapshots");
  }

  /** Freezes the state with a checkpoint. */
  void checkpoint(Checkpoint.Observer observer) {
    engine.checkpoint().request(observer);
  }

  /** What was freed while the map was copied may become free now. */
  void copied() {
    manager.released();
  }

  /** The disk; it hears of a sync that failed. */
  Disk disk() {
    return engine.disk();
  }

  /** Names it. */
  void change(SegmentChange<Unit> change, CompletionPort<Unit> port) {
    engine.store().changeSegment(change, Durability.SYNC, port);
  }

  /** It exists from now on. */
  void named(StoredSnapshot snapshot) {
    entries.put(snapshot.name(), new Entry(snapshot, context.state()));
  }

  /** It never came to exist: what it held is held no more. */
  void failed(MapCapture capture) {
    held.remove(capture.blocks());
    sweep.start();
  }

  // What a sweep needs.

  /** Whether nothing may be looked for in memory; nothing is given back then. */
  boolean isUnused(Extent extent) {
    return manager.isUnused(extent);
  }

  /** Whether the store is closing: the next opening gives back what is left. */
  boolean isClosing() {
    return entrance.isClosing();
  }

  /** So many blocks are free now. */
  void swept(long blocks) {
    context.space().giveBack(List.of());
    engine.trimmer().swept(blocks);
  }
}
