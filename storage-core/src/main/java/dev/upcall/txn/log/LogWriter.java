package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.txn.volume.LogPoint;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The write-ahead log: makes records durable, many with one write (group commit). One batch is in
 * flight while the next one fills; what is appended while the log is idle starts at the end of the
 * turn. What nobody waits for starts with the next record that somebody does, or a moment later.
 *
 * <p>What makes a batch durable: without named extents, its own durable write. With named extents,
 * a write and then one sync, which began after the batch's write and the extents' writes had
 * completed. With more named data than the limit, one sync of the data, and then a durable write of
 * the batch. The next batch starts only when the one before is durable, so its mark is its own
 * position; an idle log writes a batch of nothing but its mark.
 *
 * <p>When a write or sync of the log fails, nothing that was not acknowledged yet will be, and
 * nothing is tried again.
 *
 * <p>Everything is called on the dispatcher's thread.
 */
public final class LogWriter extends StateMachine<LogWriter.State> implements CommitLog {
  /** Where the writer stands. */
  public enum State {
    /** Nothing is in flight. */
    IDLE,
    /** The named extents of a batch are being synced before the batch is written. */
    SYNCING_EXTENTS,
    /** A batch is being written. */
    WRITING,
    /** A batch and its named extents have been written and are being synced. */
    SYNCING_BATCH,
    /** A write or a sync failed; nothing is accepted any more. */
    FAILED,
    /** Closed in good order. */
    CLOSED
  }

  /** The legal transitions. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("LogWriter", State.class, State.IDLE)
          .on("batch with much named data", State.IDLE, State.SYNCING_EXTENTS)
          .on("batch", State.IDLE, State.WRITING)
          .on("extents synced", State.SYNCING_EXTENTS, State.WRITING)
          .on("written with unsynced extents", State.WRITING, State.SYNCING_BATCH)
          .on("durable", State.WRITING, State.IDLE)
          .on("durable", State.SYNCING_BATCH, State.IDLE)
          .on("sync failed", State.SYNCING_EXTENTS, State.FAILED)
          .on("write failed", State.WRITING, State.FAILED)
          .on("sync failed", State.SYNCING_BATCH, State.FAILED)
          .on("failed elsewhere", State.IDLE, State.FAILED)
          .on("close", State.IDLE, State.CLOSED)
          .build();

  private final LogConfig config;
  private final LogEnvironment env;
  private final Dispatcher dispatcher;
  private final FlightRecorder recorder;
  private final BatchAskers askers;
  private final LogListener listener;
  private final Faults faults;
  private final PendingBatches pending;
  private final LogRoom room;
  private final LogPreparation preparation;
  private final LogEnd end;
  private final BatchHaste haste;
  private final LogTimer mark;

  private @Nullable LogBatch inFlight;
  private long lastScn;
  private boolean startPosted;
  private @Nullable Failure failure;
  private @Nullable CompletionPort<Unit> closing;

  /**
   * A writer that continues a log.
   *
   * @param start where: what {@link LogScan} found
   * @param incarnation a random number, a new one for every writer ever made on a volume
   */
  public LogWriter(
      LogConfig config,
      LogEnvironment env,
      LogState start,
      long incarnation,
      LogListener listener) {
    super(TRANSITIONS, env.dispatcher());
    this.config = config;
    this.env = env;
    this.dispatcher = env.dispatcher();
    this.recorder = dispatcher.recorder();
    this.askers = new BatchAskers(dispatcher);
    this.listener = listener;
    this.faults = env.faults();
    this.pending = new PendingBatches(config, env.layout());
    this.room = new LogRoom(config, env.layout(), start, listener, dispatcher::post);
    this.preparation = new LogPreparation(env, room, this::preparingEnded, this::failElsewhere);
    this.end = new LogEnd(env.volumeId(), incarnation, start);
    this.lastScn = start.lastScn();
    this.mark = new LogTimer(dispatcher, config.markDelayNanos(), this::markDue);
    this.haste = new BatchHaste(dispatcher, config.leisureNanos(), this::hurry);
    scheduleMark();
  }

  @Override
  public int maxRecordBytes() {
    return pending.maxFramedBytes() - LogFrames.HEAD_BYTES;
  }

  @Override
  public boolean hasRoom(long recordBytes, List<NamedExtent> named) {
    return failure != null || closing != null || roomFor(LogFrames.bytes(recordBytes, named));
  }

  private boolean roomFor(long framedBytes) {
    boolean fits = room.fits(pending.moreBlocks(framedBytes), framedBytes);
    if (!fits) {
      preparation.look();
    }
    return fits;
  }

  @Override
  public void whenRoom(long recordBytes, List<NamedExtent> named, CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    Failure refusal = refusal();
    if (refusal != null) {
      dispatcher.complete(port, Completion.failed(refusal));
      return;
    }
    long framedBytes = LogFrames.bytes(recordBytes, named);
    int blocks = BatchHeader.blocksOf(BatchHeader.BYTES + framedBytes);
    room.tell(blocks, framedBytes, recorder.waiting(port));
    hurry(); // what is pending may be what makes room
    roomChanged();
  }

  @Override
  public boolean isPreparing() {
    return room.toPrepare() != null;
  }

  @Override
  public void whenPrepared(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    Failure refusal = refusal();
    if (refusal != null) {
      dispatcher.complete(port, Completion.failed(refusal));
      return;
    }
    room.whenPrepared(recorder.waiting(port));
    preparation.look();
  }

  @Override
  public void whenWhole(CompletionPort<Unit> port) {
    if (refusal() == null && room.wantWhole()) {
      dispatcher.complete(port, Completion.done());
    } else {
      whenPrepared(port.then(prepared -> whenWhole(port)));
    }
  }

  @Override
  public void append(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    if (add(scn, record, named, durable)) {
      haste.awaited();
      postStart();
    }
  }

  @Override
  public void appendAtLeisure(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    if (add(scn, record, named, durable) && (pending.count() > 1 || haste.unawaited())) {
      hurry();
    }
  }

  /** What is pending is written as soon as the log is idle. */
  private void hurry() {
    haste.hurry();
    postStart();
  }

  /** Whether it was taken; if not, the port hears why. */
  private boolean add(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    dispatcher.checkOwner();
    Invariants.check(scn > lastScn, "SCN against the last", scn, lastScn);
    Failure refusal = refusal();
    if (refusal != null) {
      dispatcher.complete(durable, Completion.failed(refusal));
      return false;
    }
    Invariants.check(hasRoom(record.remaining(), named), "append without room", scn);
    // Copied here and now: the caller encodes its next record into the same buffer.
    pending.add(scn, record, named, durable, recorder.current());
    room.pendingBytesChanged(LogFrames.bytes(record.remaining(), named));
    lastScn = scn;
    roomChanged();
    return true;
  }

  @Override
  public void barrier(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    Failure refusal = refusal();
    LogBatch batch = inFlight;
    if (refusal != null) {
      dispatcher.complete(port, Completion.failed(refusal));
    } else if (!pending.isEmpty()) {
      pending.addBarrier(port, recorder.current());
      hurry();
    } else if (batch != null) {
      batch.addBarrier(port, recorder.current());
    } else {
      dispatcher.complete(port, Completion.done());
    }
  }

  @Override
  public long durableScn() {
    return end.durableScn();
  }

  @Override
  public LogPoint replayPoint() {
    return end.next();
  }

  @Override
  public int usedBlocks() {
    return room.usedBlocks();
  }

  @Override
  public LogCounters counters() {
    return end.counters(usedBlocks(), env.layout().logBlocks());
  }

  @Override
  public void trim(long position) {
    dispatcher.checkOwner();
    Invariants.check(position <= end.next().position(), "trim", position, end.next().position());
    room.trim(position);
    roomChanged();
  }

  @Override
  public void failElsewhere(Failure why) {
    dispatcher.checkOwner();
    if (failure != null || state() == State.CLOSED) {
      return;
    }
    tell(why);
    if (state() == State.IDLE) {
      fail(why);
    }
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    Invariants.check(closing == null, "closed twice");
    closing = port;
    if (failure != null && state() == State.FAILED) {
      dispatcher.complete(port, Completion.failed(LogRefusal.readOnly(failure)));
    } else if (state() == State.IDLE) {
      postStart();
    }
    room.refuse(new Failure.Closed("the log"));
  }

  private @Nullable Failure refusal() {
    return LogRefusal.of(failure, closing != null);
  }

  private void postStart() {
    if (state() == State.IDLE && !startPosted) {
      startPosted = true;
      dispatcher.post(this::startPosted);
    }
  }

  private void startPosted() {
    startPosted = false;
    if (state() == State.IDLE) {
      startNext();
    }
  }

  /** Starts the next batch, if any; else writes the mark later, or closes. */
  private void startNext() {
    if (!pending.isEmpty() && !haste.isHasty() && closing == null) {
      return; // until its time is over, or somebody comes
    }
    LogBatch batch = pending.poll();
    haste.taken(!pending.isEmpty());
    if (batch != null) {
      start(batch, 0);
    } else if (closing == null) {
      scheduleMark();
    } else if (!end.isMarked()) {
      start(pending.emptyBatch(), BatchHeader.MARK_ONLY);
    } else if (!preparation.isRunning()) {
      become(State.CLOSED);
      dispatcher.complete(closing, Completion.done());
    }
  }

  private void start(LogBatch batch, int flags) {
    Invariants.check(inFlight == null, "two batches in flight", end.next().position());
    Invariants.check(failure == null, "a batch after a failure", end.next().position());
    mark.cancel();
    inFlight = batch;
    askers.serve(batch);
    boolean syncFirst = batch.namedBytes() > config.syncFirstBytes();
    // Sealed only now that the batch before is durable: that is what the mark in its head says.
    end.seal(batch, header(batch, flags, syncFirst));
    if (syncFirst && faults.has(LogFault.SYNC_FIRST_SKIPPED)) {
      write(batch, /* durably= */ true);
    } else if (syncFirst) {
      become(State.SYNCING_EXTENTS);
      sync(this::onExtentsSynced);
    } else {
      write(batch, batch.namedBytes() == 0);
    }
  }

  private BatchHeader header(LogBatch batch, int markFlag, boolean syncFirst) {
    int flags = markFlag | (syncFirst ? BatchHeader.EXTENTS_SYNCED : 0);
    BatchHeader head = end.head(batch, flags);
    return faults.has(LogFault.MARK_LIES_AHEAD)
        ? head.withMark(head.at().position() + batch.blocks())
        : head;
  }

  private void write(LogBatch batch, boolean durably) {
    become(State.WRITING);
    boolean ackBeforeSync = faults.has(LogFault.ACKNOWLEDGE_BEFORE_SYNC);
    boolean takenForSync = faults.has(LogFault.DURABLE_WRITE_TAKEN_FOR_SYNC);
    RingTransfer.Kind kind =
        (durably && !ackBeforeSync) || takenForSync
            ? RingTransfer.Kind.DURABLE_WRITE
            : RingTransfer.Kind.WRITE;
    boolean thenSync = !durably && !ackBeforeSync && !takenForSync;
    long position = end.next().position() - batch.blocks();
    RingTransfer.start(
        env, kind, position, batch.run(), completion -> onWritten(completion, thenSync));
  }

  private void sync(CompletionPort<Unit> port) {
    end.countSync();
    env.disk().submit(new DiskRequest.Sync(IoClass.LOG, port));
  }

  private void onExtentsSynced(Completion<Unit> completion) {
    if (!failed(completion)) {
      // Not together with the sync: a batch that is there says that its extents are, too.
      write(inFlight(), /* durably= */ true);
    }
  }

  private void onWritten(Completion<Unit> completion, boolean thenSync) {
    if (failed(completion)) {
      return;
    }
    if (thenSync) {
      become(State.SYNCING_BATCH);
      sync(this::onBatchSynced);
    } else {
      acknowledge();
    }
  }

  private void onBatchSynced(Completion<Unit> completion) {
    if (!failed(completion)) {
      acknowledge();
    }
  }

  /** Whether this step failed, or something did elsewhere meanwhile; then the log has ended. */
  private boolean failed(Completion<Unit> completion) {
    Failure why = completion instanceof Completion.Failed<Unit> step ? step.failure() : failure;
    if (why != null) {
      fail(why);
    }
    return why != null;
  }

  private LogBatch inFlight() {
    return Invariants.present(inFlight, "a batch in flight");
  }

  private void acknowledge() {
    LogBatch batch = inFlight();
    inFlight = null;
    become(State.IDLE);
    // Before the ports: whoever is told may ask how far the log is durable.
    end.durable(batch);
    askers.tell(batch, Completion.done());
    room.pendingBytesChanged(BatchHeader.BYTES - batch.bytes());
    pending.recycle(batch);
    startNext();
    roomChanged();
  }

  /** At once, also while a batch is in flight: from now on nobody is promised anything. */
  private void tell(Failure why) {
    if (failure == null) {
      failure = why;
      dispatcher.post(() -> listener.logFailed(why));
    }
  }

  private void fail(Failure why) {
    tell(why);
    become(State.FAILED);
    mark.cancel();
    haste.cancel();
    LogBatch first = inFlight;
    inFlight = null;
    // The batch in flight first, and all of them: no record may be durable behind one that is lost.
    for (LogBatch batch = first != null ? first : pending.poll();
        batch != null;
        batch = pending.poll()) {
      askers.tell(batch, Completion.failed(why));
    }
    Invariants.check(pending.isEmpty(), "batches left behind a failure", pending.count());
    room.refuse(LogRefusal.readOnly(why));
    if (closing != null) {
      dispatcher.complete(closing, Completion.failed(LogRefusal.readOnly(why)));
    }
  }

  private void roomChanged() {
    room.update(end.next().position() + pending.blocks());
    if (failure == null && closing == null) {
      preparation.look();
    }
  }

  private void preparingEnded() {
    if (closing != null) {
      postStart();
    } else {
      roomChanged();
    }
  }

  private void scheduleMark() {
    if (!end.isMarked()) {
      mark.arm();
    }
  }

  private void markDue() {
    if (state() == State.IDLE && pending.isEmpty() && !end.isMarked()) {
      start(pending.emptyBatch(), BatchHeader.MARK_ONLY);
      roomChanged();
    }
  }
}
