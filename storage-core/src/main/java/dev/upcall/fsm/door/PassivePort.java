package dev.upcall.fsm.door;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.fsm.wakeup.Inbox;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A passive completion port: its upcall only enqueues, and one thread, its <em>holder</em>, takes
 * the completions out when it likes. The holder is the thread that first polls or takes; it may be
 * the dispatcher's owner (then only {@link #poll} makes sense), another platform thread or a
 * virtual thread. Together with a {@link RequestDoor} this is the way for a single-threaded
 * application on a thread of its own.
 *
 * <p>A sleeping holder is woken once for all completions of a turn of the dispatcher, within the
 * bounds of {@link WaitConfig}.
 *
 * <p>One port may serve any number of requests, also of several dispatchers. Completions come out
 * in the order in which each dispatcher delivered them. The queue is as long as there are requests
 * outstanding that name this port, and so bounded by the door they came through.
 *
 * @param <T> the value's type
 */
public final class PassivePort<T> implements CompletionPort<T>, AutoCloseable {
  private final Dispatcher dispatcher;
  private final @Nullable Cork cork;
  private final Inbox<Object> inbox = new Inbox<>();
  private final long terminationHook;
  private @Nullable Thread holder;
  private boolean dispatcherEnded;

  /** A port for completions of a dispatcher. Any thread. */
  public PassivePort(Dispatcher dispatcher) {
    this(null, dispatcher);
  }

  /**
   * A port whose holder holds back the wake-ups of its requests until it has nothing to take.
   *
   * @param cork in the door of these requests
   */
  public PassivePort(Dispatcher dispatcher, Cork cork) {
    this(Objects.requireNonNull(cork, "cork"), dispatcher);
  }

  private PassivePort(@Nullable Cork cork, Dispatcher dispatcher) {
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
    this.cork = cork;
    this.terminationHook = dispatcher.terminations().add(() -> put(End.DISPATCHER_ENDED));
  }

  private enum End {
    /** Put behind the last completion that the dispatcher could deliver. */
    DISPATCHER_ENDED
  }

  /** Enqueues. Any thread. */
  @Override
  public void complete(Completion<T> completion) {
    put(Objects.requireNonNull(completion, "completion"));
  }

  private void put(Object completionOrEnd) {
    if (inbox.offer(completionOrEnd) == Inbox.Offer.ACCEPTED_WAKE) {
      // The holder wrote its name before it fell asleep, and the offer has seen it asleep.
      dispatcher.unparkSoon(Invariants.present(holder, "the holder that sleeps"));
    }
  }

  /** The next completion, or null if none is there now. Holder only. */
  @SuppressWarnings("unchecked")
  public @Nullable Completion<T> poll() {
    beHolder();
    Object next = inbox.poll();
    if (next == End.DISPATCHER_ENDED) {
      dispatcherEnded = true;
      next = inbox.poll();
    }
    if (next == null && cork != null) {
      cork.pull();
    }
    return (Completion<T>) next;
  }

  /**
   * The next completion; waits for it. Holder only, and never on the dispatcher's own thread, which
   * would wait for itself.
   *
   * @throws InterruptedException if the holder was interrupted; nothing is lost
   * @throws DispatcherStoppedException if the dispatcher has ended and all it delivered was taken
   */
  public Completion<T> take() throws InterruptedException {
    return Invariants.present(take(Long.MAX_VALUE), "a completion at the end of all time");
  }

  /** As {@link #take()}, but gives up after a time and returns null. */
  public @Nullable Completion<T> take(long timeoutNanos) throws InterruptedException {
    Invariants.check(!dispatcher.isOwner(), "a dispatcher's thread waits for itself");
    Clock clock = dispatcher.clock();
    boolean forEver = timeoutNanos == Long.MAX_VALUE;
    long start = forEver ? 0 : clock.monotonicNanos();
    while (true) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Completion<T> completion = poll();
      if (completion != null) {
        return completion;
      }
      if (dispatcherEnded) {
        throw DispatcherStoppedException.outcomeUnknown(dispatcher);
      }
      long left = forEver ? 0 : timeoutNanos - (clock.monotonicNanos() - start);
      if (!forEver && left <= 0) {
        return null;
      }
      if (inbox.fallAsleep()) {
        if (forEver) {
          LockSupport.park(this);
        } else {
          LockSupport.parkNanos(this, left);
        }
        inbox.awake();
      }
    }
  }

  /**
   * Forgets the port. Whoever closes with requests outstanding loses their completions with all
   * that is in them.
   */
  @Override
  public void close() {
    dispatcher.terminations().remove(terminationHook);
  }

  /**
   * Throws if the dispatcher has failed and all it delivered was taken. Holder only.
   *
   * @throws DispatcherStoppedException with the cause
   */
  public void checkAlive() {
    beHolder();
    if (dispatcherEnded && inbox.isEmpty() && dispatcher.failure().isPresent()) {
      throw DispatcherStoppedException.outcomeUnknown(dispatcher);
    }
  }

  private void beHolder() {
    Thread caller = Thread.currentThread();
    if (holder == null) {
      holder = caller;
    } else if (holder != caller) {
      throw new Invariants.Violation("a passive port has one holder: " + holder);
    }
  }
}
