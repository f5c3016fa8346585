package dev.upcall.fsm;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What blocking facades are made of: any number of platform or virtual threads, each waiting for
 * one request at a time. The request runs on the dispatcher, its completion wakes the thread.
 *
 * <p>The wait parks (so a virtual thread frees its carrier) and holds no lock. It cannot be
 * interrupted, because a request that has begun cannot be taken back; the interrupt is kept for the
 * caller.
 */
public final class Blocking {
  private final RequestDoor door;

  /** Waits for requests that go through this door. */
  public Blocking(RequestDoor door) {
    this.door = door;
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
   * @return the completion; {@code Closed} if the dispatcher had ended before the request began
   * @throws DispatcherStoppedException if it ended with the request inside, whose outcome is not
   *     known
   * @throws Invariants.Violation on the dispatcher's own thread, which would wait for itself
   */
  public <T> Completion<T> await(Consumer<? super CompletionPort<T>> request) {
    Waiter<T> waiter = new Waiter<>();
    try {
      door.put(request, waiter);
    } catch (RejectedExecutionException ended) {
      return Completion.failed(new Failure.Closed(door.name()));
    }
    return waiter.await(door.dispatcher());
  }

  private static final class Waiter<T> implements CompletionPort<T>, Abandonable {
    private final Thread thread = Thread.currentThread();
    private volatile @Nullable Completion<T> completion;
    private volatile boolean abandoned;

    @Override
    public void complete(Completion<T> result) {
      completion = result;
      LockSupport.unpark(thread);
    }

    @Override
    public void abandon() {
      abandoned = true;
      LockSupport.unpark(thread);
    }

    Completion<T> await(Dispatcher dispatcher) {
      boolean interrupted = false;
      try {
        while (true) {
          Completion<T> result = completion;
          if (result != null) {
            return result;
          }
          if (abandoned) {
            throw dispatcher.stoppedException();
          }
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      } finally {
        if (interrupted) {
          thread.interrupt();
        }
      }
    }
  }
}
