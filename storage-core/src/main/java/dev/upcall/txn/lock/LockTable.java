package dev.upcall.txn.lock;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.LockConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.meter.Distribution;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which key, and who waits for it. Locks are exclusive and go first come, first served: a
 * released key belongs at once to the first in its queue.
 *
 * <p>Deadlocks cannot come into being: when a wait would begin that closes a cycle in the wait-for
 * graph (J. Gray, A. Reuter, <em>Transaction Processing</em>, 7.11), the request is refused
 * instead. An owner waits for one key at a time and a key has one holder, so each owner has one way
 * out in the graph and looking is a walk along a chain. Those ahead in the queue need no edges of
 * their own: they wait for the same holder.
 *
 * <p>Dispatcher's thread only; completions never arrive inside the call.
 */
public final class LockTable {
  private static final class Lock {
    private LockRequest holder;
    private final ArrayDeque<LockRequest> queue = new ArrayDeque<>();

    Lock(LockRequest holder) {
      this.holder = holder;
    }
  }

  private final Dispatcher dispatcher;
  private final LockConfig config;
  private final Map<LockKey, Lock> locks = new LinkedHashMap<>();
  private final Distribution waitNanos = new Distribution();
  private int waiting;
  private long timeouts;
  private long deadlocks;
  private long refused;

  /** A table in which nothing is locked. */
  public LockTable(Dispatcher dispatcher, LockConfig config) {
    this.dispatcher = dispatcher;
    this.config = config;
  }

  /** Whether nothing is locked. */
  public boolean isEmpty() {
    return locks.isEmpty();
  }

  /**
   * Whether somebody other than the owner (if any) holds a key for longer than its turn. Requests
   * that stand alone do not wait for each other: some that want the same keys would pass them on
   * among themselves for ever.
   */
  public boolean isHeldByOther(LockKey key, @Nullable LockOwner owner) {
    Lock lock = locks.get(key);
    return lock != null && lock.holder.owner != owner && !lock.holder.owner.standsAlone();
  }

  /**
   * Asks for a key that the owner does not hold; it must not be waiting. Completes when the owner
   * holds it. Failures: {@code Deadlock}, at once; {@code LockTimeout}; {@code TooLarge} and {@code
   * Busy} beyond the limits. Given up by {@link #release}, it never completes.
   *
   * @param purpose what the owner wants to do, for messages
   */
  public void acquire(LockOwner owner, LockKey key, Purpose purpose, CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    Invariants.check(!owner.holds(key), "a lock taken twice by one owner");
    Invariants.check(owner.waiting() == null, "an owner that waits asks for another lock");
    LockRequest request =
        new LockRequest(dispatcher, owner, key, purpose, dispatcher.recorder().waiting(port));
    Failure tooMany = tooMany(owner);
    Lock lock = locks.get(key);
    if (tooMany != null) {
      refused++;
      refuse(request, tooMany);
    } else if (lock == null) {
      locks.put(key, new Lock(request));
      grant(request);
    } else {
      queue(request, lock);
    }
  }

  /** Gives back all that an owner holds, and gives up what it waits for. */
  public void release(LockOwner owner) {
    dispatcher.checkOwner();
    LockRequest wanted = owner.waiting();
    if (wanted != null) {
      leaveQueue(wanted);
    }
    for (LockRequest request : owner.all()) {
      pass(request);
    }
  }

  /** What it counts. */
  public LockCounters counters() {
    return new LockCounters(
        locks.size(), waiting, timeouts, deadlocks, refused, waitNanos.snapshot());
  }

  private @Nullable Failure tooMany(LockOwner owner) {
    if (owner.heldCount() >= config.maxLocksPerOwner()) {
      return new Failure.TooLarge(
          owner.name(), owner.heldCount() + 1L, config.maxLocksPerOwner(), "locks");
    }
    return locks.size() + waiting >= config.maxLocks() ? new Failure.Busy("locks") : null;
  }

  private void grant(LockRequest request) {
    request.held();
    dispatcher.complete(request.port, Completion.done());
  }

  private void refuse(LockRequest request, Failure failure) {
    request.over();
    dispatcher.complete(request.port, Completion.failed(failure));
  }

  private void queue(LockRequest request, Lock lock) {
    List<LockRequest> cycle = cycle(request, lock);
    if (!cycle.isEmpty()) {
      deadlocks++;
      refuse(request, new Failure.Deadlock(describe(cycle)));
      return;
    }
    lock.queue.addLast(request);
    waiting++;
    request.waits(
        dispatcher.upcallNanos(),
        dispatcher.schedule(config.timeoutNanos(), () -> timedOut(request)));
  }

  /** The requests of the cycle that this one would close, itself first; empty if it closes none. */
  private List<LockRequest> cycle(LockRequest request, Lock lock) {
    List<LockRequest> chain = new ArrayList<>();
    chain.add(request);
    LockOwner at = lock.holder.owner;
    for (LockRequest next = at.waiting(); next != null; next = at.waiting()) {
      chain.add(next);
      at = lockOf(next).holder.owner;
    }
    return at == request.owner ? chain : List.of();
  }

  private String describe(List<LockRequest> cycle) {
    StringBuilder text = new StringBuilder();
    for (LockRequest request : cycle) {
      text.append(text.isEmpty() ? "" : "; ")
          .append(request.owner.name())
          .append(" (")
          .append(request.purpose.purpose())
          .append(") waits for ")
          .append(request.name())
          .append(", held by ")
          .append(lockOf(request).holder.owner.name());
    }
    return text.toString();
  }

  private Lock lockOf(LockRequest request) {
    return Invariants.present(locks.get(request.key), "the lock that a request waits for");
  }

  private void timedOut(LockRequest request) {
    timeouts++;
    Failure failure =
        new Failure.LockTimeout(
            request.name() + ", held by " + lockOf(request).holder.owner.name(),
            config.timeoutNanos());
    leaveQueue(request);
    dispatcher.complete(request.port, Completion.failed(failure));
  }

  private void leaveQueue(LockRequest request) {
    lockOf(request).queue.remove(request);
    waitEnds(request);
    request.over();
  }

  private void waitEnds(LockRequest request) {
    waiting--;
    waitNanos.record(dispatcher.upcallNanos() - request.sinceNanos());
  }

  /** The next in the queue has it now. */
  private void pass(LockRequest request) {
    Lock lock = lockOf(request);
    request.over();
    LockRequest next = lock.queue.pollFirst();
    if (next == null) {
      locks.remove(request.key);
    } else {
      waitEnds(next);
      lock.holder = next;
      grant(next);
    }
  }
}
