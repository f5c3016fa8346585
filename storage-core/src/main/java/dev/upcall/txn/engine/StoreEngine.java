package dev.upcall.txn.engine;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.io.Disk;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Stager;
import dev.upcall.segment.StagerParts;
import dev.upcall.segment.layout.Inode;
import dev.upcall.store.Durability;
import dev.upcall.store.OpeningReport;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.store.StoreInfo;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyProgress;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Change;
import dev.upcall.txn.ChangeObserver;
import dev.upcall.txn.EditLimit;
import dev.upcall.txn.NamedSnapshots;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.SegmentAccess;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.View;
import dev.upcall.txn.VolumeKeys;
import dev.upcall.txn.change.AsyncCommits;
import dev.upcall.txn.change.ChangeFeed;
import dev.upcall.txn.change.ChangeRun;
import dev.upcall.txn.change.NewestChanges;
import dev.upcall.txn.lock.LockTable;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.metrics.StoreMetrics;
import dev.upcall.txn.recovery.Recovery;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.verify.StoreCheck;
import dev.upcall.txn.volume.StoreFeature;
import dev.upcall.txn.volume.Superblock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The store of the state machines: joins its machines to each other and to the requests. */
public final class StoreEngine implements StoreMachines.Owner {
  private final StoreContext context;
  private final StoreMachines machines;
  private final ChangeFeed feed;
  private final boolean onlyReads;
  private final OpeningReport opening;
  private final BlockTraffic traffic;
  private @Nullable StoreClosing closing;

  /** Begins to work on what was recovered. */
  StoreEngine(StoreAssembly assembly, Recovery.Recovered recovered) {
    context = recovered.context();
    machines = assembly.machines(recovered, this);
    feed = new ChangeFeed(machines.reading()::told);
    context.buffers().onPressure(context.pressure()::look);
    Failure.ReadOnly opened = recovered.readOnly();
    onlyReads = opened != null;
    opening = recovered.opening();
    traffic = assembly.traffic();
    if (opened != null) {
      // Before anything is started that would write.
      machines.log().failElsewhere(opened);
      readOnly(opened.reason());
      return;
    }
    machines.reclaim().start();
    machines.trimmer().look();
    context.space().prepare(context.config().trim().poolBlocks());
  }

  @Override
  public Dispatcher dispatcher() {
    return context.dispatcher();
  }

  @Override
  public <T> void query(Query<T> query, CompletionPort<T> port) {
    machines.reading().query(query, port);
  }

  @Override
  public <T> void change(Change<T> change, Durability durability, CompletionPort<T> port) {
    changeSegment(SegmentChange.of(change), durability, port);
  }

  @Override
  public <T> void changeSegment(
      SegmentChange<T> change, Durability durability, CompletionPort<T> port) {
    context.dispatcher().checkOwner();
    Failure refusal = machines.entrance().enter(/* changes= */ true);
    if (refusal != null) {
      context.dispatcher().complete(port, HeapBudget.failed(refusal));
      return;
    }
    start(
        change, durability == Durability.ASYNC ? ChangeRun.Mode.ASYNC : ChangeRun.Mode.SYNC, port);
  }

  @Override
  public <T> void change(SegmentChange<T> change, CompletionPort<T> port) {
    machines.entrance().enterInternal();
    boolean waits = context.faults().has(StoreFault.ROOM_MAKER_WAITS);
    start(change, waits ? ChangeRun.Mode.SYNC : ChangeRun.Mode.INTERNAL, port);
  }

  @Override
  public <T> void changeAtLeisure(SegmentChange<T> change, CompletionPort<T> port) {
    if (context.pressure().isUrgent() || context.faults().has(StoreFault.ROOM_MAKER_WAITS)) {
      change(change, port);
    } else {
      machines.entrance().enterInternal();
      start(change, ChangeRun.Mode.LEISURE, port);
    }
  }

  private <T> void start(SegmentChange<T> change, ChangeRun.Mode mode, CompletionPort<T> port) {
    context
        .dispatcher()
        .post(
            new ChangeRun<>(
                context,
                this,
                change,
                mode,
                completion -> machines.reading().leave(port, completion)));
  }

  @Override
  public void observe(ChangeObserver observer) {
    context.dispatcher().checkOwner();
    feed.add(observer);
  }

  @Override
  public void forget(ChangeObserver observer) {
    context.dispatcher().checkOwner();
    feed.remove(observer);
  }

  @Override
  public void pin(Query<Inode> which, LeaseOwner owner, CompletionPort<PinnedContent> port) {
    machines.reading().pin(which, owner, port);
  }

  @Override
  public @Nullable Completion<PinnedContent> tryPin(Query<Inode> which, LeaseOwner owner) {
    return machines.reading().tryPin(which, owner);
  }

  @Override
  public void snapshot(CompletionPort<Snapshot> port) {
    machines.snapshots().take(port);
  }

  @Override
  public void begin(CompletionPort<Transaction> port) {
    machines.transactions().begin(port);
  }

  @Override
  public LockTable locks() {
    return machines.transactions().locks();
  }

  @Override
  public List<SnapshotInfo> snapshots() {
    return machines.snapshots().infos();
  }

  @Override
  public PublishedReads published() {
    return machines.reading().published();
  }

  @Override
  public NamedSnapshots namedSnapshots() {
    return machines.namedSnapshots();
  }

  @Override
  public Stager stage(LeaseOwner owner, Compression compression) {
    context.dispatcher().checkOwner();
    return machines.staging().open(owner, compression);
  }

  @Override
  public StagerParts staging() {
    return machines.staging().parts();
  }

  @Override
  public ContentStager stageGranted(LeaseOwner owner, Compression compression) {
    context.dispatcher().checkOwner();
    return machines.staging().openGranted(owner, compression);
  }

  @Override
  public void stopWaiting() {
    Failure closed = new Failure.Closed("the store");
    machines.staging().stopWaiting(closed);
    machines.writers().stopWaiting(closed);
  }

  @Override
  public @Nullable Failure refusesContent() {
    Failure refused = machines.entrance().refusesContent();
    return refused == null ? machines.staging().refusesMore() : refused;
  }

  @Override
  public SegmentAccess access() {
    int unplacedBytes = staging().config().unplacedBytes();
    return new SegmentAccess(
        context.buffers(),
        context.reader(),
        context.placer(),
        staging().layouts(),
        context.loader(),
        unplacedBytes,
        machines.writers(),
        EditLimit.of(context.layouts().mostEntries(), unplacedBytes),
        context.meters().edits(),
        this,
        context.faults());
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    if (context.faults().has(StoreFault.FLUSH_TOO_EARLY)) {
      context.dispatcher().complete(port, Completion.done());
    } else {
      machines.log().barrier(port);
    }
  }

  @Override
  public void checkpoint(CompletionPort<Unit> port) {
    whileOpen(port, () -> machines.checkpoint().request(port));
  }

  @Override
  public boolean uses(StoreFeature feature) {
    return machines.checkpoint().uses(feature);
  }

  @Override
  public void use(StoreFeature feature, CompletionPort<Unit> port) {
    whileOpen(port, () -> machines.checkpoint().use(feature, port));
  }

  private void whileOpen(CompletionPort<Unit> port, Runnable asked) {
    Failure readOnly = machines.entrance().readOnly();
    if (readOnly != null) {
      context.dispatcher().complete(port, Completion.failed(readOnly));
    } else if (machines.entrance().isClosing()) {
      context.dispatcher().complete(port, Completion.failed(new Failure.Closed("the store")));
    } else {
      asked.run();
    }
  }

  @Override
  public VolumeKeys keys() {
    return machines.keys();
  }

  @Override
  public void verify(
      VerifyOptions options, VerifyProgress progress, CompletionPort<VerifyReport> port) {
    context.dispatcher().checkOwner();
    Failure refusal = machines.entrance().enter(/* changes= */ false);
    if (refusal != null) {
      context.dispatcher().complete(port, HeapBudget.failed(refusal));
      return;
    }
    StoreCheck check =
        new StoreCheck(
            context,
            new EngineCheck(this, machines),
            options,
            progress,
            completion -> machines.reading().leave(port, completion));
    context.dispatcher().post(check::start);
  }

  @Override
  public StoreInfo info() {
    StoreState state = context.state();
    Failure readOnly = machines.entrance().readOnly();
    return new StoreInfo(
        context.disk().name(),
        state.scn(),
        machines.log().durableScn(),
        state.map().totalBlocks() * Disk.BLOCK_BYTES,
        context.space().capBlocks() * Disk.BLOCK_BYTES,
        (state.map().freeBlocks() + state.map().pendingBlocks()) * Disk.BLOCK_BYTES,
        state.segments().unplacedBlocks() * Disk.BLOCK_BYTES,
        readOnly == null ? "" : readOnly.message(),
        opening,
        context.disk().kind(),
        context.loader().damage().report());
  }

  @Override
  public StoreMetrics metrics() {
    return new StoreMetrics(
        context.dispatcher().metrics(),
        context.dispatcher().recorder().counts(),
        info(),
        context.pressure().counters(),
        List.of(machines.staging().counters(), machines.writers().counters()),
        context
            .meters()
            .work(
                context.state(), context.loader(), machines.entrance(), machines.staging().count()),
        machines.transactions().counters(),
        machines.namedSnapshots().counters(),
        machines.log().counters(),
        context.buffers().counters(),
        context.disk().counters(),
        traffic.counts());
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    context.dispatcher().checkOwner();
    Invariants.check(closing == null, "store closed twice");
    // First, since each of the next lines may let the last one out, and that begins the closing.
    closing = new StoreClosing(context, machines, onlyReads, port);
    if (!context.faults().has(StoreFault.PUBLISHED_AFTER_CLOSE)) {
      published().end();
    }
    stopWaiting();
    machines.staging().discardAll();
    // Before the doors close: changes wait for locks that only the end of a transaction frees.
    machines.transactions().close();
    machines.snapshots().close();
    machines.entrance().close();
  }

  @Override
  public void drained() {
    StoreClosing present = closing;
    if (present != null && machines.entrance().inside() == 0 && machines.staging().count() == 0) {
      present.drained();
    }
  }

  /** Its parts. */
  public StoreContext context() {
    return context;
  }

  // The store as its machines see it.
  @Override
  public CommitLog log() {
    return machines.log();
  }

  @Override
  public View view() {
    return machines.reading().view();
  }

  @Override
  public @Nullable Failure readOnly() {
    return machines.entrance().readOnly();
  }

  @Override
  public AsyncCommits asyncCommits() {
    return machines.asyncCommits();
  }

  @Override
  public NewestChanges newestChanges() {
    return machines.transactions().newestChanges();
  }

  @Override
  public ChangeFeed feed() {
    return feed;
  }

  @Override
  public void applied(boolean leftOrphan) {
    if (context.faults().has(StoreFault.REUSE_BEFORE_CHECKPOINT)) {
      context.state().map().release(context.state().scn(), machines.release()::isUnused);
    }
    context.pressure().look();
    if (leftOrphan) {
      machines.reclaim().start();
    }
    machines.trimmer().changed();
    machines.watch().changed();
  }

  /** Whether the next change is to be told to {@link #applied}, whatever it is. */
  boolean wantsAnyChange() {
    return machines.watch().isResting();
  }

  @Override
  public void checkpointWanted() {
    context.pressure().checkpointWanted();
  }

  @Override
  public void logFailed(Failure failure) {
    readOnly("writing the log failed: " + failure.message());
  }

  @Override
  public void syncFailed(Failure failure) {
    machines.log().failElsewhere(failure);
    readOnly("a sync failed: " + failure.message());
  }

  @Override
  public void volumeLost(Failure failure) {
    machines.log().failElsewhere(failure);
    readOnly(failure.message());
  }

  @Override
  public void checkpointFailed(Failure failure) {
    machines.log().failElsewhere(failure);
    readOnly("writing a checkpoint failed: " + failure.message());
  }

  private void readOnly(String reason) {
    machines.entrance().makeReadOnly(reason);
    Failure failure = machines.entrance().readOnly();
    if (failure != null) {
      machines.watch().close();
      machines.checkpoint().stop(failure);
      context.space().stop(failure);
      context.pressure().stop(failure);
    }
  }

  @Override
  public void checkpointDurable(Superblock superblock) {
    long scn = superblock.scn();
    long durableScn = machines.log().durableScn();
    Invariants.check(scn <= durableScn, "superblock ahead of the log", scn, durableScn);
    Invariants.check(scn <= context.state().scn(), "superblock ahead of the state", scn);
    // Not before the superblock is durable: records before its start are overwritten from here on.
    machines.log().trim(superblock.log().position());
    long horizon =
        context.faults().has(StoreFault.READERS_FORGOTTEN)
            ? scn
            : context.state().pins().horizon(scn);
    Invariants.check(horizon <= scn, "released before the checkpoint", horizon, scn);
    // Before the release, of which it then hears piece by piece.
    machines.trimmer().checkpointDurable(horizon < scn);
    machines.release().upTo(horizon);
    machines.reclaim().start();
  }
}
