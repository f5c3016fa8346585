package dev.upcall.txn;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.Unit;
import dev.upcall.io.Disk;
import dev.upcall.segment.ContentStager;
import dev.upcall.segment.Inode;
import dev.upcall.segment.LayoutBuilder;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.Stager;
import dev.upcall.txn.lock.LockTable;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.log.Superblock;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The store of the state machines: joins its machines to each other and to the requests. */
final class StoreEngine
    implements Store, ChangeRun.Journal, LogListener, Checkpoint.Listener, WriteBack.Changes {
  private static final long RETRY_NANOS = 100_000_000L;

  private final StoreContext context;
  private final CommitLog log;
  private final LiveReading reading;
  private final Admission admission;
  private final WriteBack writeBack;
  private final Checkpoint checkpoint;
  private final Reclaim reclaim;
  private final Trimmer trimmer;
  private final SpaceRelease release;
  private final StagingDesk staging;
  private final WriterLimit writers;
  private final EarlyAcks earlyAcks;
  private final PlacingQueue placingQueue;
  private final SnapshotDesk snapshots;
  private final SnapshotCatalogue namedSnapshots;
  private final TransactionDesk transactions;
  private final Faults faults;
  private final boolean onlyReads;
  private @Nullable StoreClosing closing;

  /**
   * An engine.
   *
   * @param logs makes the log
   */
  StoreEngine(Recovery.Recovered recovered, Function<LogListener, CommitLog> logs) {
    context = recovered.context();
    faults = context.faults();
    admission = new Admission(context.config().maxRequests(), this::drained);
    reading = new LiveReading(context, admission);
    log = logs.apply(this);
    context.urgency().watch(log);
    SyncGuard synced = new SyncGuard(context.disk(), this::syncFailed);
    LayoutBuilder.Parts layouts =
        new LayoutBuilder.Parts(
            context.dispatcher(),
            synced,
            context.space(),
            context.layouts(),
            context.state().pages());
    Stager.Parts stagers =
        new Stager.Parts(
            context.dispatcher(),
            context.buffers(),
            context.placer(),
            layouts,
            context.config().stager().withinRecord(log.maxRecordBytes()));
    staging = new StagingDesk(stagers, context.config().maxStagers(), this::drained);
    writers = new WriterLimit(context.buffers().capacityBlocks());
    writeBack = new WriteBack(context, layouts, this);
    checkpoint = new Checkpoint(context, writeBack, log, recovered.base(), this);
    reclaim = new Reclaim(context, this);
    earlyAcks = new EarlyAcks(context.config().loss(), faults);
    placingQueue = new PlacingQueue(context.state().segments(), writeBack, checkpoint, admission);
    trimmer = new Trimmer(context, checkpoint, admission, this);
    release = new SpaceRelease(context, trimmer::released);
    snapshots =
        new SnapshotDesk(
            context,
            admission,
            new SnapshotDesk.Parts(reading::query, checkpoint, placingQueue, release));
    namedSnapshots =
        new SnapshotCatalogue(
            context,
            admission,
            snapshots,
            new SnapshotCatalogue.Engine(this, checkpoint, synced, trimmer),
            recovered.snapshots());
    transactions = new TransactionDesk(context, this, this, snapshots);
    context.buffers().onPressure(this::memoryWanted);
    context.space().onCheckpointWanted(this::checkpointWanted);
    Failure.ReadOnly opened = recovered.readOnly();
    onlyReads = opened != null;
    if (opened != null) {
      log.failElsewhere(opened);
      readOnly(opened.reason());
      return;
    }
    reclaim.start();
    trimmer.look();
    context.space().prepare(context.config().trim().poolBlocks());
  }

  @Override
  public Dispatcher dispatcher() {
    return context.dispatcher();
  }

  @Override
  public <T> void query(Query<T> query, CompletionPort<T> port) {
    reading.query(query, port);
  }

  @Override
  public <T> void change(Change<T> change, Durability durability, CompletionPort<T> port) {
    changeSegment(change::plan, durability, port);
  }

  @Override
  public <T> void changeSegment(
      SegmentChange<T> change, Durability durability, CompletionPort<T> port) {
    context.dispatcher().checkOwner();
    Failure refusal = admission.enter(/* changes= */ true);
    if (refusal != null) {
      context.dispatcher().complete(port, Completion.failed(refusal));
      return;
    }
    start(
        change, durability == Durability.ASYNC ? ChangeRun.Mode.ASYNC : ChangeRun.Mode.SYNC, port);
  }

  @Override
  public <T> void change(SegmentChange<T> change, CompletionPort<T> port) {
    admission.enterInternal();
    start(change, ChangeRun.Mode.INTERNAL, port);
  }

  private <T> void start(SegmentChange<T> change, ChangeRun.Mode mode, CompletionPort<T> port) {
    ChangeRun<T> run =
        new ChangeRun<>(context, this, change, mode, completion -> reading.leave(port, completion));
    context.dispatcher().post(run::run);
  }

  @Override
  public void pin(Query<Inode> which, LeaseOwner owner, CompletionPort<PinnedContent> port) {
    reading.pin(which, owner, port);
  }

  @Override
  public @Nullable Completion<PinnedContent> tryPin(Query<Inode> which, LeaseOwner owner) {
    return reading.tryPin(which, owner);
  }

  @Override
  public void snapshot(CompletionPort<Snapshot> port) {
    snapshots.take(port);
  }

  @Override
  public void begin(CompletionPort<Transaction> port) {
    transactions.begin(port);
  }

  @Override
  public LockTable locks() {
    return transactions.locks();
  }

  @Override
  public List<SnapshotInfo> snapshots() {
    return snapshots.infos();
  }

  @Override
  public NamedSnapshots namedSnapshots() {
    return namedSnapshots;
  }

  @Override
  public ContentStager stage(LeaseOwner owner) {
    context.dispatcher().checkOwner();
    return staging.open(owner);
  }

  @Override
  public @Nullable Failure refusesContent() {
    Failure readOnly = admission.readOnly();
    if (readOnly != null) {
      return readOnly;
    }
    if (admission.isClosing()) {
      return new Failure.Closed("the store");
    }
    return staging.refusesMore();
  }

  @Override
  public SegmentAccess access() {
    return new SegmentAccess(
        context.buffers(),
        context.reader(),
        context.placer(),
        staging.parts().layouts(),
        context.loader(),
        staging.parts().config().unplacedBytes(),
        writers);
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    if (faults.has(StoreFault.FLUSH_TOO_EARLY)) {
      context.dispatcher().complete(port, Completion.done());
    } else {
      log.barrier(port);
    }
  }

  @Override
  public void checkpoint(CompletionPort<Unit> port) {
    Failure readOnly = admission.readOnly();
    if (readOnly != null) {
      context.dispatcher().complete(port, Completion.failed(readOnly));
    } else if (admission.isClosing()) {
      context.dispatcher().complete(port, Completion.failed(new Failure.Closed("the store")));
    } else {
      checkpoint.request(port);
    }
  }

  @Override
  public void verify(
      VerifyOptions options, VerifyProgress progress, CompletionPort<VerifyReport> port) {
    context.dispatcher().checkOwner();
    Failure refusal = admission.enter(/* changes= */ false);
    if (refusal != null) {
      context.dispatcher().complete(port, Completion.failed(refusal));
      return;
    }
    StoreCheck check =
        new StoreCheck(
            context,
            new CheckSource(),
            options,
            progress,
            completion -> reading.leave(port, completion));
    context.dispatcher().post(check::start);
  }

  /** The engine as a verification sees it. */
  private final class CheckSource implements StoreCheck.Source {
    @Override
    public void checkpoint(CompletionPort<Unit> port) {
      StoreEngine.this.checkpoint(port);
    }

    @Override
    public Superblock durable() {
      return checkpoint.durable();
    }

    @Override
    public boolean isThere(String snapshot, SnapshotRecord record) {
      return namedSnapshots.has(snapshot, record);
    }

    @Override
    public @Nullable Failure closing() {
      return admission.isClosing() ? new Failure.Closed("the store") : null;
    }
  }

  @Override
  public StoreInfo info() {
    StoreState state = context.state();
    Failure readOnly = admission.readOnly();
    return new StoreInfo(
        context.disk().name(),
        state.scn(),
        log.durableScn(),
        state.map().totalBlocks() * Disk.BLOCK_BYTES,
        context.space().capBlocks() * Disk.BLOCK_BYTES,
        (state.map().freeBlocks() + state.map().pendingBlocks()) * Disk.BLOCK_BYTES,
        state.segments().unplacedBlocks() * Disk.BLOCK_BYTES,
        readOnly == null ? "" : readOnly.message());
  }

  @Override
  public StoreMetrics metrics() {
    return new StoreMetrics(
        context.dispatcher().metrics(),
        context.dispatcher().recorder().counts(),
        info(),
        context.meters().work(context, admission, staging.count()),
        transactions.counters(),
        namedSnapshots.counters(),
        log.counters(),
        context.buffers().counters(),
        context.disk().counters());
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    context.dispatcher().checkOwner();
    StoreClosing.Parts parts =
        new StoreClosing.Parts(context, reclaim, checkpoint, release, trimmer, log, onlyReads);
    closing = new StoreClosing(parts, port);
    staging.discardAll();
    transactions.close();
    snapshots.close();
    admission.close();
  }

  private void drained() {
    StoreClosing present = closing;
    if (present != null && admission.inside() == 0 && staging.count() == 0) {
      present.drained();
    }
  }

  /** Its parts. */
  StoreContext context() {
    return context;
  }

  // The store as its machines see it.
  @Override
  public CommitLog log() {
    return log;
  }

  @Override
  public View view() {
    return reading.view();
  }

  @Override
  public @Nullable Failure readOnly() {
    return admission.readOnly();
  }

  @Override
  public EarlyAcks earlyAcks() {
    return earlyAcks;
  }

  @Override
  public void whenPlaced(CompletionPort<Unit> port) {
    placingQueue.add(port);
  }

  @Override
  public ChangedBack changedBack() {
    return transactions.changedBack();
  }

  @Override
  public void applied(boolean leftOrphan) {
    if (faults.has(StoreFault.REUSE_BEFORE_CHECKPOINT)) {
      context.state().map().release(context.state().scn(), release::isUnused);
    }
    if (context.state().segments().unplacedBlocks() > context.config().placeAtBlocks()
        && !writeBack.isRunning()) {
      writeBack.placeAll(completion -> {});
    }
    if (leftOrphan) {
      reclaim.start();
    }
    if (context.state().hasManyDirtyPages()) {
      checkpointWanted();
    }
    trimmer.changed();
  }

  /** What is unplaced cannot be evicted; once it is placed it can. */
  private void memoryWanted() {
    if (context.state().segments().unplacedBlocks() > 0
        && !writeBack.isRunning()
        && admission.readOnly() == null) {
      writeBack.placeAll(completion -> {});
    }
  }

  @Override
  public void checkpointWanted() {
    if (!checkpoint.isRunning() && admission.readOnly() == null) {
      checkpoint.request(this::checkpointEnded);
    }
  }

  /** Without space there was no checkpoint; whoever waits for one still does. */
  private void checkpointEnded(Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit> && admission.readOnly() == null) {
      context.dispatcher().schedule(RETRY_NANOS, this::checkpointWanted);
    }
  }

  @Override
  public void logFailed(Failure failure) {
    readOnly("writing the log failed: " + failure.message());
  }

  private void syncFailed(Failure failure) {
    log.failElsewhere(failure);
    readOnly("a sync failed: " + failure.message());
  }

  @Override
  public void checkpointFailed(Failure failure) {
    log.failElsewhere(failure);
    readOnly("writing a checkpoint failed: " + failure.message());
  }

  private void readOnly(String reason) {
    admission.makeReadOnly(reason);
    Failure failure = admission.readOnly();
    if (failure != null) {
      checkpoint.stop(failure);
      context.space().stop(failure);
    }
  }

  @Override
  public void checkpointDurable(Superblock superblock) {
    log.trim(superblock.log().position());
    long scn = superblock.scn();
    long horizon =
        faults.has(StoreFault.READERS_FORGOTTEN) ? scn : context.state().pins().horizon(scn);
    trimmer.checkpointDurable(horizon < scn);
    release.upTo(horizon);
    reclaim.start();
  }
}
