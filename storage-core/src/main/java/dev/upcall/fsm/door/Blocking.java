package dev.upcall.fsm.door;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.fsm.wakeup.Abandonable;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What blocking facades are made of: any number of platform or virtual threads, each waiting for
 * one request at a time. The request runs on the dispatcher, its completion wakes the thread.
 *
 * <p>The wait parks (so a virtual thread frees its carrier) and holds no lock. It cannot be
 * interrupted, because a request that has begun cannot be taken back; the interrupt is kept for the
 * caller. Where calls that follow one another closely are answered quickly, both sides look for
 * each other a while before they sleep, within {@link WaitConfig#spinNanos} and {@link
 * WaitConfig#callerSpinNanos}.
 */
public final class Blocking {
  private final RequestDoor door;
  private final CallerSpin spin;

  /** Waits for requests that go through this door. */
  public Blocking(RequestDoor door) {
    this.door = Objects.requireNonNull(door, "door");
    this.spin = new CallerSpin(door.dispatcher());
  }

  /** The door in front of the dispatcher. */
  public RequestDoor door() {
    return door;
  }

  /**
   * Runs {@code request} on the dispatcher's thread, with the port that it must complete, and waits
   * for the completion: {@code blocking.await(port -> files.stat(path, port))}. Parks before the
   * door while that is full.
   *
   * @return the completion; {@code Closed} if the dispatcher had been stopped before the request
   *     began
   * @throws DispatcherStoppedException if it ended with the request inside, whose outcome is not
   *     known, or had failed before
   * @throws Invariants.Violation on the dispatcher's own thread, which would wait for itself
   */
  public <T> Completion<T> await(Consumer<? super CompletionPort<T>> request) {
    Objects.requireNonNull(request, "request");
    Waiter<T> waiter = new Waiter<>(door.dispatcher(), spin.nowNanos());
    try {
      door.<T>put(port -> begin(request, port, waiter.calledNanos), waiter);
    } catch (RejectedExecutionException ended) {
      if (door.dispatcher().failure().isPresent()) {
        throw DispatcherStoppedException.refused(door.dispatcher());
      }
      return Completion.failed(new Failure.Closed(door.name()));
    }
    return waiter.await(spin);
  }

  /** On the dispatcher's thread. */
  private <T> void begin(
      Consumer<? super CompletionPort<T>> request, CompletionPort<T> port, long calledNanos) {
    door.dispatcher().sleep().callerCame(calledNanos);
    request.accept(port);
  }

  /**
   * One wait. Its word is null until there is an outcome, or PARKED once the caller has announced
   * that it will park: so who brings the outcome, by a swap, knows whether to wake, and a caller
   * that looked in time costs no wake-up.
   */
  private static final class Waiter<T>
      implements CompletionPort<T>, Abandonable, CallerSpin.Answer {
    private static final Object PARKED = "parked";
    private static final Object ABANDONED = "abandoned";

    private final Dispatcher dispatcher;
    private final long calledNanos;
    private final Thread thread = Thread.currentThread();
    private final AtomicReference<@Nullable Object> outcome = new AtomicReference<>();

    /** When it was answered; written before the outcome. */
    private long answeredNanos;

    Waiter(Dispatcher dispatcher, long calledNanos) {
      this.dispatcher = dispatcher;
      this.calledNanos = calledNanos;
    }

    @Override
    public void complete(Completion<T> result) {
      dispatcher.sleep().callerServed();
      answeredNanos = dispatcher.upcallNanos();
      if (outcome.getAndSet(result) == PARKED) {
        LockSupport.unpark(thread);
      }
    }

    @Override
    public void abandon() {
      // Once announced, a park stays announced: so one of the two finds what it expects, unless
      // there is an outcome already.
      if (!outcome.compareAndSet(null, ABANDONED) && outcome.compareAndSet(PARKED, ABANDONED)) {
        LockSupport.unpark(thread);
      }
    }

    @Override
    public boolean isThere() {
      return outcome.get() != null;
    }

    @SuppressWarnings("unchecked")
    Completion<T> await(CallerSpin spin) {
      spin.look(this, calledNanos);
      if (outcome.compareAndSet(null, PARKED)) {
        park();
      }
      Object result = outcome.get();
      if (result == ABANDONED) {
        throw DispatcherStoppedException.outcomeUnknown(dispatcher);
      }
      spin.waited(answeredNanos - calledNanos);
      return (Completion<T>) Invariants.present(result, "an outcome");
    }

    private void park() {
      boolean interrupted = false;
      while (outcome.get() == PARKED) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        thread.interrupt();
      }
    }
  }
}
