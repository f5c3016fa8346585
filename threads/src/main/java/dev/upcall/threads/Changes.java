package dev.upcall.threads;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.space.Reserve;
import dev.upcall.store.Durability;
import dev.upcall.threads.log.CommitGroup;
import dev.upcall.threads.log.GroupCommitLog;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.change.Plan;
import dev.upcall.txn.change.Verdict;
import dev.upcall.txn.engine.SharedState;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.log.NamedExtent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
  private final ThreadEngine engine;
  private final GroupCommitLog log;
  private final PageFetcher fetcher;
  private final AtomicBoolean told = new AtomicBoolean();

  /** SCNs that were acknowledged before they were durable; guarded by the lock of changes. */
  private final ArrayDeque<Long> early = new ArrayDeque<>();

  Changes(
      SharedState shared,
      StateLocks locks,
      Keeper keeper,
      ThreadEngine engine,
      PageFetcher fetcher) {
    this.shared = shared;
    this.locks = locks;
    this.keeper = keeper;
    this.engine = engine;
    this.log = engine.commitLog();
    this.fetcher = fetcher;
  }

  /** What one attempt came to. */
  private sealed interface Attempt<T> {
    /** Nothing was applied. */
    record Stopped<T>(Verdict.Stop<T> why) implements Attempt<T> {}

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
      Failure readOnly = engine.readOnly();
      if (readOnly != null) {
        return Completion.failed(readOnly);
      }
      switch (attempt(change, durability)) {
        case Attempt.Applied<T> applied -> {
          return acknowledge(applied);
        }
        case Attempt.Stopped<T>(Verdict.Stop<T> why) -> {
          Completion<T> answer = await(change, why);
          if (answer != null) {
            return answer;
          }
        }
      }
    }
  }

  /** Waits for what is lacking, without locks; the answer, or null if it is worth trying again. */
  private <T> @Nullable Completion<T> await(SegmentChange<T> change, Verdict.Stop<T> stop) {
    return switch (stop) {
      case Verdict.Unchanged<T>(Completion<T> answer) -> answer;
      case Verdict.Refused<T>(Failure why) -> Completion.failed(why);
      case Verdict.PageMissing<T>(List<PageRef> pages) -> failed(fetcher.fetch(pages));
      case Verdict.Postponed<T>(Consumer<CompletionPort<Unit>> remedy) -> await(remedy);
      case Verdict.Locked<T>(LockKey key) -> await(port -> shared.whenUnlocked(key, change, port));
      case Verdict.Crowded<T>(long moreBlocks) ->
          await(port -> shared.whenPlaced(moreBlocks, port));
      case Verdict.PagesFull<T> _ -> await(shared::whenPagesAreWritten);
      case Verdict.VolumeFull<T>(long blocks, Reserve reserve) ->
          await(port -> shared.space().whenRoom(blocks, reserve, port));
      case Verdict.LogFull<T>(long recordBytes, List<NamedExtent> named) ->
          failed(log.awaitRoom(recordBytes, named));
    };
  }

  private <T> @Nullable Completion<T> await(Consumer<CompletionPort<Unit>> request) {
    return keeper.<Unit>await(request) instanceof Completion.Failed<Unit> failed
        ? failed.cast()
        : null;
  }

  private static <T> @Nullable Completion<T> failed(@Nullable Failure failure) {
    return failure == null ? null : Completion.failed(failure);
  }

  private <T> Completion<T> acknowledge(Attempt.Applied<T> applied) {
    fetcher.trim();
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
      return switch (plan(change)) {
        case Verdict.Stop<T> stop -> new Attempt.Stopped<>(stop);
        case Verdict.Apply<T>(Plan<T> plan) -> attempt(plan, durability);
      };
    } finally {
      locks.changes().unlock();
    }
  }

  private <T> Verdict<T> plan(SegmentChange<T> change) {
    long stamp = locks.state().read();
    try {
      return shared.plan(change);
    } finally {
      locks.state().endRead(stamp);
    }
  }

  private <T> Attempt<T> attempt(Plan<T> plan, Durability durability) {
    // Before the state is locked, so that nobody who looks waits for the log's lock. It stays true:
    // only who has the lock of changes appends.
    boolean inLog = log.hasRoom(plan.recordBytes(), plan.named());
    // Encoded before the state changes: nothing that follows can fail.
    ByteBuffer record = shared.record(plan);
    Invariants.check(
        record.remaining() <= plan.recordBytes(),
        "record larger than its room in the log",
        record.remaining(),
        plan.recordBytes());
    return switch (apply(plan, inLog)) {
      case Verdict.Stop<T> stop -> new Attempt.Stopped<>(stop);
      case Verdict.Apply<T> applied -> commit(plan, record, durability);
    };
  }

  /** Applies a plan if there is room, which nobody else takes meanwhile. */
  private <T> Verdict<T> apply(Plan<T> plan, boolean inLog) {
    long stamp = locks.state().write();
    locks.space().lock();
    try {
      Verdict<T> verdict = Verdict.of(plan, shared.room(plan, inLog));
      if (verdict instanceof Verdict.Apply<T>) {
        shared.apply(plan);
      }
      return verdict;
    } finally {
      locks.space().unlock();
      locks.state().endWrite(stamp);
    }
  }

  /** Gives a plan that has just been applied to the log. */
  private <T> Attempt<T> commit(Plan<T> plan, ByteBuffer record, Durability durability) {
    // Under the lock of changes still, so that the log's order is that of the SCNs.
    long scn = shared.view().scn();
    CommitGroup group = log.append(scn, record, plan.named());
    if (shared.wantsToHear(plan)) {
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
    long last = early.isEmpty() ? 0 : early.getLast();
    Invariants.check(scn > last, "acknowledged out of order", scn, last);
    early.add(scn);
    return true;
  }

  /** Tells the machines that there is work for them. */
  private void tell(boolean leftOrphan) {
    if (leftOrphan || !told.getAndSet(true)) {
      boolean accepted =
          shared
              .dispatcher()
              .offer(
                  () -> {
                    told.set(false);
                    shared.applied(leftOrphan);
                  });
      if (!accepted) {
        told.set(false);
      }
    }
  }
}
