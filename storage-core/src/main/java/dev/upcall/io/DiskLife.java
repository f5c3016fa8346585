package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import java.util.ArrayList;
import java.util.List;

/**
 * Opening to closing of a disk over an {@link OpenVolume}: counts what is inside, refuses what
 * comes late, and releases the volume on a helper thread when the last request has left.
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
  private final Runnable detach;
  private final Runnable free;
  private final List<CompletionPort<Unit>> closers = new ArrayList<>();
  private long sizeBlocks;
  private int inside;

  /**
   * An open disk.
   *
   * @param detach runs on the dispatcher when nothing is in flight any more
   * @param free runs then on a helper thread; closes the descriptors and, last, the volume
   */
  DiskLife(Dispatcher dispatcher, OpenVolume volume, Runnable detach, Runnable free) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.volume = volume;
    this.detach = detach;
    this.free = free;
    this.sizeBlocks = volume.sizeBlocks();
  }

  /** The size as of the last completed request that changed it. */
  long sizeBlocks() {
    return sizeBlocks;
  }

  /** Whether anything is inside. */
  int inside() {
    return inside;
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

  private void release() {
    become(DiskState.RELEASING);
    detach.run();
    HelperThread.<Unit>run(
        dispatcher,
        "close " + volume.name(),
        () -> {
          free.run();
          return Completion.done();
        },
        released -> {
          become(DiskState.CLOSED);
          for (CompletionPort<Unit> closer : closers) {
            dispatcher.complete(closer, released);
          }
          closers.clear();
        });
  }
}
