package dev.upcall.threads.log;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.locks.LockRank;
import dev.upcall.locks.MeteredLock;
import dev.upcall.space.Extent;
import dev.upcall.txn.log.BatchHeader;
import dev.upcall.txn.log.LogBatch;
import dev.upcall.txn.log.LogConfig;
import dev.upcall.txn.log.LogCounters;
import dev.upcall.txn.log.LogEnd;
import dev.upcall.txn.log.LogFrames;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.log.LogRefusal;
import dev.upcall.txn.log.LogRoom;
import dev.upcall.txn.log.LogState;
import dev.upcall.txn.log.NamedExtent;
import dev.upcall.txn.log.PendingBatches;
import dev.upcall.txn.volume.LogPoint;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Group commit by a leader, as {@link GroupCommitLog} explains it.
 *
 * <p>Everything is called with {@link #lock}, but for {@link #readOnlyReason} and {@link
 * #durableScn}. The lock is free while a batch is written, and while the caller of a method that
 * says so waits.
 */
final class GroupCommit {
  private final LogConfig config;
  private final LogDevice device;
  private final MachinePorts machines;
  private final Clock clock;
  private final LogListener listener;
  private final MeteredLock lock;

  /** There is something for the log's own thread. */
  private final Condition work;

  /** There may be room for a record. */
  private final Condition roomChanged;

  private final CommitQueue queue;
  private final LogRoom room;
  private final LogEnd end;
  private long lastScn;
  private long endedNanos;
  private volatile @Nullable Failure failure;
  private @Nullable CompletionPort<Unit> closing;
  private boolean over;

  /** Somebody prepares a part of the ring, without the lock. */
  private boolean preparing;

  /** Continues a log: see {@link GroupCommitLog}. */
  GroupCommit(
      LogConfig config, LogVolume env, LogState start, long incarnation, LogListener listener) {
    this.config = config;
    this.device = new LogDevice(env.device(), env.layout());
    this.machines = new MachinePorts(env.dispatcher());
    this.clock = env.dispatcher().clock();
    this.listener = listener;
    this.lock = new MeteredLock(LockRank.LOG, clock);
    this.work = lock.newCondition();
    this.roomChanged = lock.newCondition();
    this.queue = new CommitQueue(new PendingBatches(config, env.layout()), lock);
    this.room = new LogRoom(config, env.layout(), start, listener, machines::post);
    this.end = new LogEnd(env.volumeId(), incarnation, start);
    this.lastScn = start.lastScn();
    this.endedNanos = clock.monotonicNanos();
  }

  /** Guards all this. */
  MeteredLock lock() {
    return lock;
  }

  // ------------------------------------------------------------------ what is there

  /** Why nothing can become durable any more, or null. Without the lock too. */
  @Nullable Failure readOnlyReason() {
    return LogRefusal.of(failure, /* closing= */ false);
  }

  /** Why nothing is taken any more, or null. */
  private @Nullable Failure refusal() {
    return LogRefusal.of(failure, closing != null);
  }

  /** The last SCN whose record is durable. Without the lock too. */
  long durableScn() {
    return end.durableScn();
  }

  /** Where the next batch goes. */
  LogPoint next() {
    return end.next();
  }

  LogCounters counters() {
    return end.counters(room.usedBlocks(), device.layout().logBlocks());
  }

  int maxRecordBytes() {
    return queue.maxFramedBytes() - LogFrames.HEAD_BYTES;
  }

  // ------------------------------------------------------------------ room

  boolean hasRoom(long recordBytes, List<NamedExtent> named) {
    if (refusal() != null) {
      return true;
    }
    long framedBytes = LogFrames.bytes(recordBytes, named);
    boolean fits = room.fits(promisedBlocks(framedBytes), framedBytes);
    if (isToPrepare()) {
      work.signal();
    }
    return fits;
  }

  /**
   * What a record may take that is promised room now. Until it is appended a leader may take the
   * batch that it could join, and an idle log may write its mark.
   */
  private static int promisedBlocks(long framedBytes) {
    return BatchHeader.blocksOf(BatchHeader.BYTES + framedBytes)
        + BatchHeader.blocksOf(BatchHeader.BYTES);
  }

  /** Waits until there may be room; why there will be none, or null. */
  @Nullable Failure awaitRoom(long recordBytes, List<NamedExtent> named) {
    room.askAgain();
    roomChanged();
    while (!hasRoom(recordBytes, named)) {
      if (isToPrepare()) {
        Failure failure = prepare();
        if (failure != null) {
          return failure;
        }
      } else if (!queue.isWriting() && !queue.isEmpty()) {
        lead();
      } else {
        roomChanged.awaitUninterruptibly();
      }
    }
    return null;
  }

  /** Completes a machine's port when there may be room, or with a refusal. */
  void whenRoom(long recordBytes, List<NamedExtent> named, CompletionPort<Unit> port) {
    Failure refusal = refusal();
    if (refusal != null) {
      machines.later(port).complete(Completion.failed(refusal));
      return;
    }
    long framedBytes = LogFrames.bytes(recordBytes, named);
    room.tell(promisedBlocks(framedBytes), framedBytes, port);
    roomChanged();
    wakeWriter();
  }

  boolean isPreparing() {
    return room.toPrepare() != null;
  }

  /** Completes a machine's port when the next step of the ring is prepared, or with why not. */
  void whenPrepared(CompletionPort<Unit> port) {
    Failure refusal = refusal();
    if (refusal != null) {
      machines.later(port).complete(Completion.failed(refusal));
      return;
    }
    room.whenPrepared(port);
    work.signal();
  }

  boolean wantWhole() {
    return refusal() == null && room.wantWhole();
  }

  void trim(long position) {
    long behind = end.next().position();
    Invariants.check(position <= behind, "trim", position, behind);
    room.trim(position);
    roomChanged();
  }

  /** Wakes those who wait for room; asks for a checkpoint when the log is half full. */
  private void roomChanged() {
    roomTaken();
    roomChanged.signalAll();
  }

  private void roomTaken() {
    room.update(end.next().position() + queue.blocks());
    if (isToPrepare()) {
      work.signal();
    }
  }

  private boolean isToPrepare() {
    return !preparing && refusal() == null && room.toPrepare() != null;
  }

  /** Prepares the next part of the ring on this thread; why it could not, or null. */
  private @Nullable Failure prepare() {
    Extent run = Invariants.present(room.toPrepare(), "a part of the ring to prepare");
    preparing = true;
    lock.unlock();
    // Who dies here leaves nobody waiting for him.
    LogDevice.Prepared ended =
        new LogDevice.Prepared(
            new Failure.Device("preparing the log", "the thread that did it died"), true);
    try {
      ended = device.prepare(run);
    } finally {
      lock.lock();
      preparing = false;
      room.preparingEnded(run, ended.failure());
      Failure why = ended.failure();
      if (why != null && !ended.synced()) {
        failElsewhere(why);
      }
      roomChanged();
      work.signal();
    }
    return ended.failure();
  }

  // ------------------------------------------------------------------ appending and waiting

  /** Takes a record in; what {@link #await} wants. A refusal is told to the port, and there. */
  CommitGroup append(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    Invariants.check(scn > lastScn, "SCN against the last", scn, lastScn);
    Failure refusal = refusal();
    if (refusal != null) {
      durable.complete(Completion.failed(refusal));
      return queue.refused(refusal);
    }
    long framedBytes = LogFrames.bytes(record.remaining(), named);
    boolean fits = room.fits(queue.moreBlocks(framedBytes), framedBytes);
    Invariants.check(fits, "append without room", scn);
    CommitGroup group = queue.add(scn, record, named, durable);
    room.pendingBytesChanged(framedBytes);
    lastScn = scn;
    roomChanged();
    return group;
  }

  /** Waits until a record is durable, leading if nobody does; why it is not, or null. */
  @Nullable Failure await(CommitGroup group) {
    while (!group.isOver()) {
      if (queue.isWriting()) {
        group.awaitWhile(queue::isWriting);
      } else {
        lead();
      }
    }
    return group.failure();
  }

  /** Waits until everything appended so far is durable; why it is not, or null. */
  @Nullable Failure awaitAll() {
    CommitGroup last = queue.last();
    return last == null ? refusal() : await(last);
  }

  /** Completes a port when everything appended so far is durable, or with why it is not. */
  void barrier(CompletionPort<Unit> port) {
    Failure refusal = refusal();
    if (refusal != null) {
      port.complete(Completion.failed(refusal));
    } else if (queue.addBarrier(port)) {
      wakeWriter();
    } else {
      port.complete(Completion.done());
    }
  }

  // ------------------------------------------------------------------ the log's own thread

  /** Writes what nobody waits for, and marks; returns when the log has ended. */
  void run() {
    try {
      while (!over) {
        if (isToPrepare()) {
          prepare();
        } else if (queue.isWriting()) {
          work.awaitUninterruptibly();
        } else if (!queue.isEmpty()) {
          lead();
        } else if (closing != null && preparing) {
          work.awaitUninterruptibly();
        } else if (closing != null) {
          end(closing);
        } else if (end.isMarked() || failure != null) {
          work.awaitUninterruptibly();
        } else if (untilMark() <= 0) {
          mark();
        } else {
          work.awaitNanos(untilMark());
        }
      }
    } catch (InterruptedException nobodyDoes) {
      throw new IllegalStateException("the log's thread was interrupted", nobodyDoes);
    }
  }

  private long untilMark() {
    return endedNanos + config.markDelayNanos() - clock.monotonicNanos();
  }

  private void end(CompletionPort<Unit> port) {
    Failure why = readOnlyReason();
    if (why == null && !end.isMarked()) {
      mark();
      return;
    }
    over = true;
    port.complete(why == null ? Completion.done() : Completion.failed(why));
  }

  /** Tells the log's own thread to look; while somebody writes he will, when he is done. */
  void wakeWriter() {
    if (!queue.isWriting()) {
      work.signal();
    }
  }

  /** Takes nothing more, writes what is there and a mark, and completes the port. */
  void close(CompletionPort<Unit> port) {
    Invariants.check(closing == null, "closed twice");
    closing = port;
    roomChanged.signalAll();
    room.refuse(new Failure.Closed("the log"));
    work.signal();
  }

  // ------------------------------------------------------------------ writing

  /** Writes the first batch on this thread. */
  private void lead() {
    write(queue.take(), 0);
  }

  /** Writes a mark on this thread. */
  private void mark() {
    write(queue.takeMark(), BatchHeader.MARK_ONLY);
  }

  private void write(CommitQueue.Flight flight, int flags) {
    LogBatch batch = flight.batch();
    boolean syncFirst = batch.namedBytes() > config.syncFirstBytes();
    long position = end.next().position();
    Invariants.check(failure == null, "a batch after a failure", position);
    Invariants.check(!over, "a batch after the log's end", position);
    // Sealed and counted under the lock: whoever appends meanwhile asks for room behind this batch.
    end.seal(batch, end.head(batch, syncFirst ? flags | BatchHeader.EXTENTS_SYNCED : flags));
    roomTaken();
    lock.unlock();
    // Who dies here leaves nobody waiting for him.
    Completion<Unit> written =
        Completion.failed(new Failure.Device("writing the log", "the thread that wrote it died"));
    try {
      written = device.write(batch, position, syncFirst);
    } finally {
      // The next batch marks this one as durable, so it is not taken before this one has landed.
      lock.lock();
      landed(flight, written);
    }
  }

  private void landed(CommitQueue.Flight flight, Completion<Unit> written) {
    Failure why = written instanceof Completion.Failed<Unit> failed ? failed.failure() : failure;
    if (why == null) {
      acknowledge(flight);
    } else {
      queue.lost(flight, why);
      fail(why);
    }
  }

  private void acknowledge(CommitQueue.Flight flight) {
    LogBatch batch = flight.batch();
    Invariants.check(queue.isWriting(), "acknowledged but not in flight", end.durableScn());
    // Before anybody is told: whoever wakes may ask how far the log is durable.
    end.durable(batch);
    if (batch.namedBytes() > 0) {
      end.countSync();
    }
    endedNanos = clock.monotonicNanos();
    room.pendingBytesChanged(BatchHeader.BYTES - batch.bytes());
    queue.durable(flight);
    if (!queue.wakeFirst()) {
      // For what nobody waits for, for the mark, and for the end.
      work.signal();
    }
    roomChanged();
  }

  // ------------------------------------------------------------------ failing

  /** From now on nothing is acknowledged, not even what is being written. */
  void failElsewhere(Failure why) {
    if (failure != null || over) {
      return;
    }
    tell(why);
    if (!queue.isWriting()) {
      fail(why);
    }
  }

  /** At once, also while a batch is being written: from now on nobody is promised anything. */
  private void tell(Failure why) {
    if (failure == null) {
      failure = why;
      machines.post(() -> listener.logFailed(why));
    }
  }

  private void fail(Failure why) {
    tell(why);
    // All that is behind the batch that was lost: none of it may become durable without it.
    queue.clear(why);
    Invariants.check(queue.isEmpty(), "batches left behind a failure", queue.blocks());
    room.refuse(LogRefusal.readOnly(why));
    roomChanged.signalAll();
    work.signal();
  }
}
