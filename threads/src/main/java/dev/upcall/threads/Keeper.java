package dev.upcall.threads;

import dev.upcall.base.Clock;
import dev.upcall.base.ThreadEnd;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Reactor;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.ParkingReactor;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.DeferredDisk;
import dev.upcall.io.DiskRequest;
import dev.upcall.locks.LockOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The one background thread of an engine of threads: it runs the machines that keep the store in
 * order (recovery, write-back, checkpoint, reclaiming, finding room). While it runs upcalls it
 * holds all locks of the state, so to the machines it is as if they were alone; while it waits, for
 * the disk or for work, it holds none.
 */
final class Keeper {
  private static final int DOOR_CAPACITY = 4096;

  private final StateLocks locks;
  private final Dispatcher dispatcher;
  private final DeferredDisk disk;
  private final Blocking blocking;
  private final Runnable afterwards;
  private final Thread thread;

  /**
   * Starts the thread.
   *
   * @param afterwards run by the thread as its last act, with no lock held, whatever ended it
   */
  Keeper(BlockDevice device, StateLocks locks, Clock clock, Runnable afterwards) {
    this.locks = locks;
    this.afterwards = afterwards;
    this.dispatcher = new Dispatcher(clock, new Turns());
    this.disk = new DeferredDisk(device, dispatcher);
    this.blocking = new Blocking(new RequestDoor("the keeper", DOOR_CAPACITY, dispatcher));
    this.thread =
        Thread.ofPlatform().daemon().name("upcall-keeper " + device.name()).unstarted(this::run);
    thread.start();
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  DeferredDisk disk() {
    return disk;
  }

  Blocking blocking() {
    return blocking;
  }

  /** Runs a request among the machines and waits for its completion; the caller holds no lock. */
  <T> Completion<T> await(Consumer<? super CompletionPort<T>> request) {
    assert LockOrder.holdsNone();
    return blocking.await(request);
  }

  /** Ends the thread and waits until it has. An interrupt is kept for the caller. */
  void stop() {
    dispatcher.stop();
    ThreadEnd.await(thread);
  }

  private void run() {
    locks.enter();
    try {
      dispatcher.run();
    } finally {
      try {
        dispatcher.close();
      } finally {
        locks.leave();
        afterwards.run();
      }
    }
  }

  /** Lets the others in between two turns. */
  private final class Turns implements Reactor {
    private final ParkingReactor parking = new ParkingReactor();

    @Override
    public void attach(Dispatcher owner) {
      parking.attach(owner);
    }

    @Override
    public int reap(int limit) {
      return parking.reap(limit);
    }

    @Override
    public void submit() {
      if (disk.isWanted()) {
        disk.serve(this::unlocked);
      } else {
        locks.leave();
        locks.enter();
      }
    }

    private List<Completion<Unit>> unlocked(
        List<DiskRequest> requests, Function<DiskRequest, Completion<Unit>> device) {
      List<Completion<Unit>> completions = new ArrayList<>(requests.size());
      locks.leave();
      try {
        for (DiskRequest request : requests) {
          completions.add(device.apply(request));
        }
      } finally {
        locks.enter();
      }
      return completions;
    }

    @Override
    public boolean isSubmissionDue() {
      return disk.isWanted();
    }

    @Override
    public void await(long timeoutNanos) {
      locks.leave();
      try {
        parking.await(timeoutNanos);
      } finally {
        locks.enter();
      }
    }

    @Override
    public void wakeup() {
      parking.wakeup();
    }

    @Override
    public boolean help(String name, Runnable work) {
      return parking.help(name, work);
    }

    @Override
    public void awaitHelpers() {
      parking.awaitHelpers();
    }

    @Override
    public void close() {
      parking.close();
    }
  }
}
