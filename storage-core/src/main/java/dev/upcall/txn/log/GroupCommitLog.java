package dev.upcall.txn.log;

import dev.upcall.fsm.Clock;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.fsm.Unit;
import dev.upcall.locks.LockRank;
import dev.upcall.locks.LockWait;
import dev.upcall.locks.MeteredLock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The write-ahead log for threads that wait: group commit by a leader. Whoever waits for a record
 * while nobody writes becomes the leader: it takes the first batch, all records that have joined it
 * since, and writes it on its own thread, without the lock. Meanwhile the next batch fills; when
 * the leader is done, one of those who wait for that batch leads.
 *
 * <p>What makes a batch durable, and what its bytes are, is as in {@link LogWriter}. Batches for
 * which no thread waits, and the marks of an idle log, are written by a thread of the log's own.
 *
 * <p>The methods of {@link CommitLog} are for the machines on the dispatcher, whose ports complete
 * through it; {@link #append(long, ByteBuffer, List)} and {@link #await} are for any other thread.
 */
public final class GroupCommitLog implements CommitLog {
  private static final CompletionPort<Unit> NOBODY = completion -> {};

  private final LogVolume env;
  private final LogDevice device;
  private final MachinePorts ports;
  private final Clock clock;
  private final LogConfig config;
  private final LogListener listener;
  private final long incarnation;
  private final PendingBatches pending;

  /** Guards everything below. */
  private final MeteredLock lock;

  private final Condition work;
  private final Condition roomChanged;
  private final ArrayDeque<CommitGroup> groups = new ArrayDeque<>();
  private final LogRoom room;
  private final List<CompletionPort<Unit>> barriers = new ArrayList<>();
  private LogPoint next;
  private long lastScn;
  private volatile long durableScn;
  private boolean marked;
  private boolean writing;
  private long endedNanos;
  private @Nullable CommitGroup inFlight;
  private volatile @Nullable Failure failure;
  private @Nullable CompletionPort<Unit> closing;
  private boolean over;
  private final LogTally tally = new LogTally();

  /**
   * A log that continues another. {@link #start} it.
   *
   * @param start where: what {@link LogScan} found
   * @param incarnation a random number, a new one for every writer ever made on a volume
   */
  public GroupCommitLog(
      LogConfig config, LogVolume env, LogState start, long incarnation, LogListener listener) {
    this.config = config;
    this.env = env;
    this.device = new LogDevice(env.device(), env.layout());
    this.ports = new MachinePorts(env.dispatcher());
    this.clock = env.dispatcher().clock();
    this.listener = listener;
    this.incarnation = incarnation;
    this.pending = new PendingBatches(config, env.layout());
    this.room = new LogRoom(config, env.layout(), start.trimmedPosition(), listener, ports::post);
    this.lock = new MeteredLock(LockRank.LOG, clock);
    this.work = lock.newCondition();
    this.roomChanged = lock.newCondition();
    this.next = start.next();
    this.lastScn = start.lastScn();
    this.durableScn = start.lastScn();
    this.marked = start.marked();
    this.endedNanos = clock.monotonicNanos();
  }

  /** Starts the log's own thread. */
  public void start() {
    Thread.ofPlatform().daemon().name("upcall-log " + env.device().name()).start(this::run);
  }

  /** How much was waited for the log's lock. */
  public LockWait waited() {
    return lock.waited();
  }

  // ------------------------------------------------------------------ for threads that wait

  /**
   * Takes a record into the log; {@link #hasRoom} has said yes and nobody else appends meanwhile.
   * Give what is returned to {@link #await}, or to nobody: the record becomes durable all the same.
   */
  public CommitGroup append(long scn, ByteBuffer record, List<NamedExtent> named) {
    return add(scn, record, named, NOBODY);
  }

  /** Why nothing can become durable any more, or null. */
  public @Nullable Failure readOnlyReason() {
    return failure == null ? null : readOnly();
  }

  /** Tells the log's own thread that there is something for which no thread will wait. */
  public void writeSoon() {
    locked(
        () -> {
          if (!writing) {
            work.signal();
          }
        });
  }

  /** Waits until a record is durable, leading if nobody does; why it is not, or null. */
  public @Nullable Failure await(CommitGroup group) {
    lock.lock();
    try {
      while (!group.isOver()) {
        if (writing) {
          group.awaitWhile(() -> writing);
        } else {
          lead(0);
        }
      }
      return group.failure();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until everything appended so far is durable; why it is not, or null. */
  public @Nullable Failure awaitAll() {
    CommitGroup last;
    lock.lock();
    try {
      last = groups.isEmpty() ? inFlight : groups.getLast();
      if (last == null) {
        return refusal();
      }
    } finally {
      lock.unlock();
    }
    return await(last);
  }

  /** Waits until there may be room for such a record. */
  public void awaitRoom(long recordBytes, List<NamedExtent> named) {
    lock.lock();
    try {
      room.askAgain();
      roomChanged();
      while (!hasRoomNow(recordBytes, named)) {
        if (!writing && !pending.isEmpty()) {
          lead(0);
        } else {
          roomChanged.awaitUninterruptibly();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  // ------------------------------------------------------------------ for the machines

  @Override
  public int maxRecordBytes() {
    return pending.maxFramedBytes() - LogFrames.HEAD_BYTES;
  }

  @Override
  public boolean hasRoom(long recordBytes, List<NamedExtent> named) {
    return locked(() -> hasRoomNow(recordBytes, named));
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoomNow(long recordBytes, List<NamedExtent> named) {
    if (failure != null || closing != null) {
      return true;
    }
    long framedBytes = LogFrames.bytes(recordBytes, named);
    return room.fits(promisedBlocks(framedBytes), framedBytes);
  }

  /**
   * What a record may take that is promised room now. Until it is appended a leader may take the
   * batch that it could join, and an idle log may write its mark.
   */
  private static int promisedBlocks(long framedBytes) {
    return BatchHeader.blocksOf(BatchHeader.BYTES + framedBytes)
        + BatchHeader.blocksOf(BatchHeader.BYTES);
  }

  @Override
  public void whenRoom(long recordBytes, List<NamedExtent> named, CompletionPort<Unit> port) {
    locked(
        () -> {
          Failure refusal = refusal();
          if (refusal != null) {
            ports.later(port, Completion.failed(refusal));
            return;
          }
          long framedBytes = LogFrames.bytes(recordBytes, named);
          room.park(promisedBlocks(framedBytes), framedBytes, port);
          roomChanged();
          if (!writing) {
            work.signal();
          }
        });
  }

  @Override
  public void append(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    add(scn, record, named, completion -> ports.later(durable, completion));
    writeSoon();
  }

  private CommitGroup add(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    lock.lock();
    try {
      Invariants.check(scn > lastScn, "SCN against the last", scn, lastScn);
      Failure refusal = refusal();
      if (refusal != null) {
        durable.complete(Completion.failed(refusal));
        CommitGroup refused = new CommitGroup(lock.newCondition());
        refused.settle(refusal);
        return refused;
      }
      long framedBytes = LogFrames.bytes(record.remaining(), named);
      int blocks = pending.blocksWith(framedBytes) - pending.blocks();
      Invariants.check(room.fits(blocks, framedBytes), "append without room", scn);
      pending.add(scn, record, named, durable);
      if (pending.count() > groups.size()) {
        groups.addLast(new CommitGroup(lock.newCondition()));
      }
      room.pendingBytesChanged(framedBytes);
      lastScn = scn;
      roomChanged();
      return groups.getLast();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void barrier(CompletionPort<Unit> port) {
    locked(() -> barrierNow(port));
  }

  private void barrierNow(CompletionPort<Unit> port) {
    Failure refusal = refusal();
    CommitGroup flying = inFlight;
    if (refusal != null) {
      ports.later(port, Completion.failed(refusal));
    } else if (!pending.isEmpty()) {
      pending.addBarrier(completion -> ports.later(port, completion));
      if (!writing) {
        work.signal();
      }
    } else if (flying != null) {
      barriers.add(port);
    } else {
      ports.later(port, Completion.done());
    }
  }

  @Override
  public long durableScn() {
    return durableScn;
  }

  @Override
  public LogPoint replayPoint() {
    return locked(() -> next);
  }

  @Override
  public LogCounters counters() {
    return locked(() -> tally.snapshot(room.usedBlocks(), env.layout().logBlocks()));
  }

  @Override
  public void trim(long position) {
    locked(
        () -> {
          Invariants.check(position <= next.position(), "trim", position, next.position());
          room.trim(position);
          roomChanged();
        });
  }

  @Override
  public void failElsewhere(Failure why) {
    locked(
        () -> {
          if (failure == null && !over) {
            failure = why;
            if (!writing) {
              fail(why);
            }
          }
        });
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    locked(
        () -> {
          Invariants.check(closing == null, "closed twice");
          closing = port;
          roomChanged.signalAll();
          room.failParked(new Failure.Closed("the log"));
          work.signal();
        });
  }

  // ------------------------------------------------------------------ writing; all with the lock

  /** The log's own thread: what nobody waits for, marks, and the end. */
  private void run() {
    lock.lock();
    try {
      while (!over) {
        if (writing) {
          work.awaitUninterruptibly();
        } else if (!pending.isEmpty()) {
          lead(0);
        } else if (closing != null) {
          end();
        } else if (marked || failure != null) {
          work.awaitUninterruptibly();
        } else if (untilMark() <= 0) {
          lead(BatchHeader.MARK_ONLY);
        } else {
          work.awaitNanos(untilMark());
        }
      }
    } catch (InterruptedException nobodyDoes) {
      throw new IllegalStateException("the log's thread was interrupted", nobodyDoes);
    } finally {
      lock.unlock();
    }
  }

  private long untilMark() {
    return endedNanos + config.markDelayNanos() - clock.monotonicNanos();
  }

  private void end() {
    CompletionPort<Unit> port = Invariants.present(closing, "who closes");
    if (failure == null && !marked) {
      lead(BatchHeader.MARK_ONLY);
      return;
    }
    over = true;
    ports.later(port, failure == null ? Completion.done() : Completion.failed(readOnly()));
  }

  /** Writes the first batch, or a mark, on this thread; the lock is free meanwhile. */
  private void lead(int flags) {
    LogBatch batch =
        Invariants.present(
            flags == BatchHeader.MARK_ONLY ? pending.emptyBatch() : pending.poll(), "a batch");
    CommitGroup group = groups.poll();
    Invariants.check((batch.recordCount() > 0) == (group != null), "who waits for a batch");
    boolean syncFirst = batch.namedBytes() > config.syncFirstBytes();
    BatchHeader head =
        batch.seal(
            batch.head(
                env.volumeId(),
                incarnation,
                next,
                durableScn,
                syncFirst ? flags | BatchHeader.EXTENTS_SYNCED : flags));
    long position = next.position();
    next = head.next();
    inFlight = group;
    writing = true;
    lock.unlock();
    Completion<Unit> written;
    try {
      written = device.write(batch, position, syncFirst);
    } finally {
      lock.lock();
    }
    writing = false;
    inFlight = null;
    Failure why = written instanceof Completion.Failed<Unit> failed ? failed.failure() : failure;
    if (why == null) {
      acknowledge(batch, group);
    } else {
      fail(batch, group, why);
    }
  }

  private void acknowledge(LogBatch batch, @Nullable CommitGroup group) {
    tally.durable(batch);
    if (batch.namedBytes() > 0) {
      tally.sync();
    }
    marked = batch.recordCount() == 0;
    endedNanos = clock.monotonicNanos();
    if (!marked) {
      durableScn = batch.lastScn();
    }
    complete(batch, Completion.done());
    completeBarriers(Completion.done());
    if (group != null) {
      group.settle(null);
    }
    room.pendingBytesChanged(BatchHeader.BYTES - batch.bytes());
    pending.recycle(batch);
    CommitGroup following = groups.peek();
    if (following != null && following.hasWaiters()) {
      following.wakeOne();
    } else {
      // For what nobody waits for, for the mark, and for the end.
      work.signal();
    }
    roomChanged();
  }

  private void fail(LogBatch batch, @Nullable CommitGroup group, Failure why) {
    complete(batch, Completion.failed(why));
    if (group != null) {
      group.settle(why);
    }
    completeBarriers(Completion.failed(why));
    fail(why);
  }

  private void fail(Failure why) {
    failure = why;
    for (LogBatch batch = pending.poll(); batch != null; batch = pending.poll()) {
      complete(batch, Completion.failed(why));
    }
    for (CommitGroup group = groups.poll(); group != null; group = groups.poll()) {
      group.settle(why);
    }
    room.failParked(readOnly());
    roomChanged.signalAll();
    work.signal();
    ports.post(() -> listener.logFailed(why));
  }

  private static void complete(LogBatch batch, Completion<Unit> completion) {
    for (CompletionPort<Unit> port : batch.ports()) {
      port.complete(completion);
    }
  }

  private void completeBarriers(Completion<Unit> completion) {
    for (CompletionPort<Unit> port : barriers) {
      ports.later(port, completion);
    }
    barriers.clear();
  }

  /** Wakes those who wait for room; asks for a checkpoint when the log is half full. */
  private void roomChanged() {
    room.update(next.position() + pending.blocks());
    roomChanged.signalAll();
  }

  private @Nullable Failure refusal() {
    Failure why = readOnlyReason();
    return why == null && closing != null ? new Failure.Closed("the log") : why;
  }

  private Failure readOnly() {
    Failure why = failure;
    return new Failure.ReadOnly(
        "writing the log failed ("
            + (why == null ? "" : why.message())
            + "); reading goes on, restart when the disk is in order");
  }
}
