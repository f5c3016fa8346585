package dev.upcall.threads.log;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.locks.MeteredLock;
import dev.upcall.txn.log.LogBatch;
import dev.upcall.txn.log.NamedExtent;
import dev.upcall.txn.log.PendingBatches;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What threads and machines wait for in a {@link GroupCommitLog}: the batches that have not been
 * written yet and the one that is being written, each with the threads whose records share it.
 * Everything with the log's lock.
 */
final class CommitQueue {
  /**
   * A batch that somebody writes.
   *
   * @param group who shares it; null for a mark
   */
  record Flight(LogBatch batch, @Nullable CommitGroup group) {}

  private final MeteredLock lock;
  private final PendingBatches pending;

  /** One for each pending batch. */
  private final ArrayDeque<CommitGroup> groups = new ArrayDeque<>();

  private @Nullable Flight inFlight;

  /** A queue guarded by this lock. */
  CommitQueue(PendingBatches pending, MeteredLock lock) {
    this.pending = pending;
    this.lock = lock;
  }

  /** Whether there is nothing to be written. */
  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** The most bytes of one framed record. */
  int maxFramedBytes() {
    return pending.maxFramedBytes();
  }

  /** Blocks of log that what is to be written will take. */
  int blocks() {
    return pending.blocks();
  }

  /** Blocks of log that it will take more with one more record. */
  int moreBlocks(long framedBytes) {
    return pending.moreBlocks(framedBytes);
  }

  /** Whether somebody writes. */
  boolean isWriting() {
    return inFlight != null;
  }

  /** Takes a record into the last batch, or a new one; who waits for that. */
  CommitGroup add(
      long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable) {
    pending.add(scn, record, named, durable, FlightRecorder.NOBODY);
    if (pending.count() > groups.size()) {
      groups.addLast(new CommitGroup(lock.newCondition()));
    }
    return groups.getLast();
  }

  /** A group for a record that no batch took. */
  CommitGroup refused(Failure why) {
    CommitGroup group = new CommitGroup(lock.newCondition());
    group.settle(why);
    return group;
  }

  /** Who waits for the last record appended, or null when all are durable. */
  @Nullable CommitGroup last() {
    if (!groups.isEmpty()) {
      return groups.getLast();
    }
    return inFlight == null ? null : inFlight.group();
  }

  /** Lets a port complete with the last record appended; false when all are durable. */
  boolean addBarrier(CompletionPort<Unit> port) {
    Flight flight = inFlight;
    if (!pending.isEmpty()) {
      pending.addBarrier(port, FlightRecorder.NOBODY);
    } else if (flight != null && flight.group() != null) {
      flight.batch().addBarrier(port, FlightRecorder.NOBODY);
    } else {
      return false;
    }
    return true;
  }

  /** Takes the first batch out, to be written. Not when empty, nor while somebody writes. */
  Flight take() {
    return fly(Invariants.present(pending.poll(), "a batch"), groups.remove());
  }

  /** An empty batch to be written, as a mark. Not while somebody writes. */
  Flight takeMark() {
    return fly(pending.emptyBatch(), null);
  }

  private Flight fly(LogBatch batch, @Nullable CommitGroup group) {
    Invariants.check(inFlight == null, "two batches in flight");
    Flight flight = new Flight(batch, group);
    inFlight = flight;
    return flight;
  }

  /** The batch in flight is durable. */
  void durable(Flight flight) {
    land(flight, null);
    pending.recycle(flight.batch());
  }

  /** The batch in flight is lost. */
  void lost(Flight flight, Failure why) {
    land(flight, why);
  }

  private void land(Flight flight, @Nullable Failure why) {
    inFlight = null;
    settle(flight.batch(), flight.group(), why);
  }

  /** Nothing of what waits will be written. */
  void clear(Failure why) {
    for (LogBatch batch = pending.poll(); batch != null; batch = pending.poll()) {
      settle(batch, groups.remove(), why);
    }
  }

  private static void settle(LogBatch batch, @Nullable CommitGroup group, @Nullable Failure why) {
    Completion<Unit> completion = why == null ? Completion.done() : Completion.failed(why);
    for (CompletionPort<Unit> port : batch.ports()) {
      port.complete(completion);
    }
    if (group != null) {
      group.settle(why);
    }
  }

  /** Wakes one of those who wait for the first batch; false when no thread does. */
  boolean wakeFirst() {
    CommitGroup first = groups.peek();
    if (first == null || !first.hasWaiters()) {
      return false;
    }
    first.wakeOne();
    return true;
  }
}
