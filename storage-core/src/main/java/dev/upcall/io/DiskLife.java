package dev.upcall.io;

import dev.upcall.base.ThreadEnd;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Opening to closing of a disk over an {@link OpenVolume}: counts what is inside, refuses what
 * comes late, and releases the volume on a helper thread when the last request has left. A
 * dispatcher that ends before, by a failure above all, releases it as its last act.
 */
final class DiskLife extends StateMachine<DiskState> {
  static final Transitions<DiskState> TRANSITIONS =
      Transitions.of("Disk", DiskState.class, DiskState.OPEN)
          .on("close", DiskState.OPEN, DiskState.DRAINING)
          .on("the last request left", DiskState.DRAINING, DiskState.RELEASING)
          .on("released", DiskState.RELEASING, DiskState.CLOSED)
          .build();

  private final Dispatcher dispatcher;
  private final OpenVolume volume;
  private final Ends ends;
  private final long closingHook;
  private final List<CompletionPort<Unit>> closers = new ArrayList<>();
  private final List<Thread> helpers = new ArrayList<>();
  private long sizeBlocks;
  private int inside;

  /**
   * How a disk ends.
   *
   * @param drain at the dispatcher's end, on its thread: drops what waits, and returns when nothing
   *     is in flight any more
   * @param detach runs on the dispatcher when nothing is in flight any more
   * @param free runs then, where it may block; closes the descriptors and, last, the volume
   */
  record Ends(Runnable drain, Runnable detach, Runnable free) {}

  /** An open disk. */
  DiskLife(Dispatcher dispatcher, OpenVolume volume, Ends ends) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.volume = volume;
    this.ends = ends;
    this.sizeBlocks = volume.sizeBlocks();
    this.closingHook = dispatcher.closings().add(this::dispatcherCloses);
  }

  /** The size as of the last completed request that changed it. */
  long sizeBlocks() {
    return sizeBlocks;
  }

  /** Lets a request in, or completes it with why not. */
  boolean admit(DiskRequest request) {
    dispatcher.checkOwner();
    DiskRules.check(request);
    if (state() != DiskState.OPEN) {
      dispatcher.complete(request.port(), Completion.failed(new Failure.Closed(volume.name())));
      return false;
    }
    Failure outside = DiskRules.outOfRange(request, sizeBlocks);
    if (outside != null) {
      dispatcher.complete(request.port(), Completion.failed(outside));
      return false;
    }
    inside++;
    return true;
  }

  /** A request was served: takes note of a new size, and goes on with closing. */
  void left(DiskRequest request, boolean done) {
    if (done) {
      if (request instanceof DiskRequest.Allocate allocate) {
        sizeBlocks = Math.max(sizeBlocks, allocate.block() + allocate.blocks());
      } else if (request instanceof DiskRequest.Shrink shrink) {
        sizeBlocks = Math.min(sizeBlocks, shrink.blocks());
      }
    }
    inside--;
    if (inside == 0 && state() == DiskState.DRAINING) {
      release();
    }
  }

  /** What a failed request becomes. */
  <T> Completion<T> failure(DiskRequest request, int errno) {
    return Completion.failed(Errno.failure(request, errno, volume.name(), sizeBlocks));
  }

  /** Starts closing; may be asked any number of times. */
  void close(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    switch (state()) {
      case OPEN -> {
        closers.add(port);
        become(DiskState.DRAINING);
        if (inside == 0) {
          release();
        }
      }
      case DRAINING, RELEASING -> closers.add(port);
      case CLOSED -> dispatcher.complete(port, Completion.done());
    }
  }

  /** Has something done that blocks; the dispatcher's end waits for it. */
  <T> void help(String what, Supplier<Completion<T>> work, CompletionPort<T> port) {
    helpers.removeIf(helper -> !helper.isAlive());
    helpers.add(HelperThread.run(dispatcher, what, work, port));
  }

  /** Nobody is there any more who would ask for the close, or hear of its end. */
  private void dispatcherCloses() {
    ends.drain().run();
    helpers.forEach(ThreadEnd::await);
    switch (state()) {
      case OPEN, DRAINING -> {
        ends.detach().run();
        ends.free().run();
      }
      case RELEASING, CLOSED -> {}
    }
  }

  private void release() {
    become(DiskState.RELEASING);
    ends.detach().run();
    this.<Unit>help(
        "close " + volume.name(),
        () -> {
          ends.free().run();
          return Completion.done();
        },
        released -> {
          become(DiskState.CLOSED);
          dispatcher.closings().remove(closingHook);
          for (CompletionPort<Unit> closer : closers) {
            dispatcher.complete(closer, released);
          }
          closers.clear();
        });
  }
}
