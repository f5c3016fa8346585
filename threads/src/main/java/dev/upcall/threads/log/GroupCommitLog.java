package dev.upcall.threads.log;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.locks.LockWait;
import dev.upcall.locks.MeteredLock;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.LogConfig;
import dev.upcall.txn.log.LogCounters;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.log.LogScan;
import dev.upcall.txn.log.LogState;
import dev.upcall.txn.log.LogWriter;
import dev.upcall.txn.log.NamedExtent;
import dev.upcall.txn.volume.LogPoint;
import java.nio.ByteBuffer;
import java.util.List;
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
 * All of them do no more than take the lock; what goes on behind it is {@link GroupCommit}.
 */
public final class GroupCommitLog implements CommitLog {
  private static final CompletionPort<Unit> NOBODY = completion -> {};

  private final String name;
  private final MachinePorts machines;

  /** Only with the lock. */
  private final GroupCommit commit;

  private final MeteredLock lock;

  /**
   * A log that continues another. {@link #start} it.
   *
   * @param start where: what {@link LogScan} found
   * @param incarnation a random number, a new one for every writer ever made on a volume
   */
  public GroupCommitLog(
      LogConfig config, LogVolume env, LogState start, long incarnation, LogListener listener) {
    this.name = "upcall-log " + env.device().name();
    this.machines = new MachinePorts(env.dispatcher());
    this.commit = new GroupCommit(config, env, start, incarnation, listener);
    this.lock = commit.lock();
  }

  /** Starts the log's own thread. */
  public void start() {
    Thread.ofPlatform().daemon().name(name).start(() -> lock.run(commit::run));
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
    return lock.get(() -> commit.append(scn, record, named, NOBODY));
  }

  /** Why nothing can become durable any more, or null. */
  public @Nullable Failure readOnlyReason() {
    return commit.readOnlyReason();
  }

  /** Tells the log's own thread that there is something for which no thread will wait. */
  public void writeSoon() {
    lock.run(commit::wakeWriter);
  }

  /** Waits until a record is durable, leading if nobody does; why it is not, or null. */
  public @Nullable Failure await(CommitGroup group) {
    return lock.get(() -> commit.await(group));
  }

  /** Waits until everything appended so far is durable; why it is not, or null. */
  public @Nullable Failure awaitAll() {
    return lock.get(commit::awaitAll);
  }

  /** Waits until there may be room for such a record; why there will be none, or null. */
  public @Nullable Failure awaitRoom(long recordBytes, List<NamedExtent> named) {
    return lock.get(() -> commit.awaitRoom(recordBytes, named));
  }

  // ------------------------------------------------------------------ for the machines

  @Override
  public int maxRecordBytes() {
    return commit.maxRecordBytes();
  }

  @Override
  public boolean hasRoom(long recordBytes, List<NamedExtent> named) {
    return lock.get(() -> commit.hasRoom(recordBytes, named));
  }

  @Override
  public void whenRoom(long recordBytes, List<NamedExtent> named, CompletionPort<Unit> port) {
    lock.run(() -> commit.whenRoom(recordBytes, named, port));
  }

  @Override
  public boolean isPreparing() {
    return lock.get(commit::isPreparing);
  }

  @Override
  public void whenPrepared(CompletionPort<Unit> port) {
    lock.run(() -> commit.whenPrepared(port));
  }

  @Override
  public void whenWhole(CompletionPort<Unit> port) {
    if (lock.get(commit::wantWhole)) {
      machines.later(port).complete(Completion.done());
    } else {
      whenPrepared(port.then(prepared -> whenWhole(port)));
    }
  }

  @Override
  public void append(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    lock.run(
        () -> {
          commit.append(scn, record, named, machines.later(durable));
          commit.wakeWriter();
        });
  }

  @Override
  public void barrier(CompletionPort<Unit> port) {
    lock.run(() -> commit.barrier(machines.later(port)));
  }

  @Override
  public long durableScn() {
    return commit.durableScn();
  }

  @Override
  public LogPoint replayPoint() {
    return lock.get(commit::next);
  }

  @Override
  public LogCounters counters() {
    return lock.get(commit::counters);
  }

  @Override
  public void trim(long position) {
    lock.run(() -> commit.trim(position));
  }

  @Override
  public void failElsewhere(Failure why) {
    lock.run(() -> commit.failElsewhere(why));
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    lock.run(() -> commit.close(machines.later(port)));
  }
}
