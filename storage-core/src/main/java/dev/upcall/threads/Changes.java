package dev.upcall.threads;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import dev.upcall.space.Reserve;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.Durability;
import dev.upcall.txn.Plan;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.SharedState;
import dev.upcall.txn.log.CommitGroup;
import dev.upcall.txn.log.GroupCommitLog;
import dev.upcall.txn.log.NamedExtent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Changes, on the threads of those who ask for them. One at a time is planned, beside those who
 * look, and applied, alone and at once; then its record joins the log's batch, and the next may
 * begin while this one's thread waits for the disk. Whatever is lacking (a page, room) is waited
 * for without locks, and the change planned again from its start.
 */
final class Changes {
  private final SharedState shared;
  private final StateLocks locks;
  private final Keeper keeper;
  private final Partner partner;
  private final GroupCommitLog log;
  private final PageFetcher fetcher;
  private final AtomicBoolean told = new AtomicBoolean();

  /** SCNs that were acknowledged before they were durable; guarded by the lock of changes. */
  private final ArrayDeque<Long> early = new ArrayDeque<>();

  Changes(
      SharedState shared, StateLocks locks, Keeper keeper, Partner partner, PageFetcher fetcher) {
    this.shared = shared;
    this.locks = locks;
    this.keeper = keeper;
    this.partner = partner;
    this.log = partner.commitLog();
    this.fetcher = fetcher;
  }

  /** What one attempt came to. */
  private sealed interface Attempt<T> {
    /** Nothing was to be applied, or it was refused. */
    record Over<T>(Completion<T> completion) implements Attempt<T> {}

    /** A page must be in memory. */
    record Lacking<T>(PageRef page) implements Attempt<T> {}

    /** Unplaced content must become less. */
    record Crowded<T>() implements Attempt<T> {}

    /** The volume must have more room. */
    record Full<T>(long blocks, Reserve reserve) implements Attempt<T> {}

    /** The log must have more room. */
    record LogFull<T>(long recordBytes, List<NamedExtent> named) implements Attempt<T> {}

    /**
     * It is part of the state.
     *
     * @param acknowledged whether its thread need not wait for the log
     */
    record Applied<T>(Completion<T> completion, CommitGroup group, boolean acknowledged)
        implements Attempt<T> {}
  }

  /** See {@link ThreadStore#change}. */
  <T> Completion<T> run(SegmentChange<T> change, Durability durability) {
    while (true) {
      Failure failure = partner.readOnly();
      if (failure == null) {
        switch (attempt(change, durability)) {
          case Attempt.Over<T>(Completion<T> completion) -> {
            return completion;
          }
          case Attempt.Lacking<T>(PageRef page) -> failure = fetcher.fetch(page);
          case Attempt.Crowded<T>() -> failure = failureOf(keeper.<Unit>await(shared::whenPlaced));
          case Attempt.Full<T>(long blocks, Reserve reserve) ->
              failure =
                  failureOf(
                      keeper.<Unit>await(port -> shared.space().whenRoom(blocks, reserve, port)));
          case Attempt.LogFull<T>(long recordBytes, List<NamedExtent> named) ->
              log.awaitRoom(recordBytes, named);
          case Attempt.Applied<T> applied -> {
            return acknowledge(applied);
          }
        }
      }
      if (failure != null) {
        return Completion.failed(failure);
      }
    }
  }

  private <T> Completion<T> acknowledge(Attempt.Applied<T> applied) {
    if (applied.acknowledged()) {
      log.writeSoon();
      return applied.completion();
    }
    Failure failure = log.await(applied.group());
    return failure == null ? applied.completion() : Completion.failed(failure);
  }

  private <T> Attempt<T> attempt(SegmentChange<T> change, Durability durability) {
    locks.changes().lock();
    try {
      Plan<T> plan;
      long blocks;
      boolean crowded;
      long stamp = locks.state().read();
      try {
        plan = shared.plan(change);
        blocks = plan.nothingToApply() ? 0 : shared.worstCaseBlocks(plan);
        crowded = shared.mustWaitForPlacing(plan);
      } catch (PageMissing missing) {
        return new Attempt.Lacking<>(missing.page());
      } finally {
        locks.state().endRead(stamp);
      }
      if (plan.nothingToApply()) {
        return new Attempt.Over<>(plan.outcome());
      }
      long recordBytes = plan.recordBytes();
      Failure tooLarge = log.refuses(recordBytes, plan.named());
      if (tooLarge == null) {
        tooLarge = shared.refuses(plan);
      }
      if (tooLarge != null) {
        return new Attempt.Over<>(Completion.failed(tooLarge));
      }
      if (crowded) {
        return new Attempt.Crowded<>();
      }
      if (!log.hasRoom(recordBytes, plan.named())) {
        return new Attempt.LogFull<>(recordBytes, plan.named());
      }
      return apply(plan, blocks, durability);
    } finally {
      locks.changes().unlock();
    }
  }

  private <T> Attempt<T> apply(Plan<T> plan, long blocks, Durability durability) {
    ByteBuffer record = plan.record();
    long scn;
    boolean wanted;
    long stamp = locks.state().write();
    locks.space().lock();
    try {
      if (!shared.space().hasRoom(blocks, plan.reserve())) {
        return new Attempt.Full<>(blocks, plan.reserve());
      }
      scn = shared.apply(plan);
      wanted = shared.wantsToHear(plan);
    } finally {
      locks.space().unlock();
      locks.state().endWrite(stamp);
    }
    CommitGroup group = log.append(scn, record, plan.named());
    if (wanted) {
      tell(plan.leavesOrphan());
    }
    boolean acknowledged = durability == Durability.ASYNC && acknowledgeEarly(plan, scn);
    return new Attempt.Applied<>(plan.outcome(), group, acknowledged);
  }

  private boolean acknowledgeEarly(Plan<?> plan, long scn) {
    long durable = log.durableScn();
    for (Long first = early.peek(); first != null && first <= durable; first = early.peek()) {
      early.remove();
      shared.earlyIsDurable();
    }
    if (!shared.acknowledgeEarly(plan, shared.dispatcher().clock().monotonicNanos())) {
      return false;
    }
    early.add(scn);
    return true;
  }

  /** Tells the machines that there is work for them. */
  private void tell(boolean leftOrphan) {
    if (leftOrphan || !told.getAndSet(true)) {
      try {
        shared
            .dispatcher()
            .execute(
                () -> {
                  told.set(false);
                  shared.applied(leftOrphan);
                });
      } catch (RejectedExecutionException ended) {
        told.set(false);
      }
    }
  }

  private static @Nullable Failure failureOf(Completion<Unit> completion) {
    return completion instanceof Completion.Failed<Unit> failed ? failed.failure() : null;
  }
}
