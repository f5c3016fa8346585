package dev.upcall.io.volume;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import dev.upcall.io.DiskState;
import dev.upcall.io.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
  private long sizeBlocks;
  private int inside;

  /** Requests in flight that cut the volume, and that look at its size. */
  private int sizing;

  /** The least size that those which look may rightly find. */
  private long leastBlocks;

  private @Nullable Failure lost;

  /** At the dispatcher's end. */
  private boolean letGo;

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
    Failure gone = lost;
    if (gone != null && !DiskRules.changesNothing(request)) {
      dispatcher.complete(request.port(), Completion.failed(gone));
      return false;
    }
    if (isSizing(request)) {
      // Those in flight may each be served before or behind this one.
      long rightly = DiskRules.resized(request, sizeBlocks);
      leastBlocks = sizing == 0 ? rightly : Math.min(leastBlocks, rightly);
      sizing++;
    }
    inside++;
    return true;
  }

  private static boolean isSizing(DiskRequest request) {
    return request instanceof DiskRequest.Shrink || request instanceof DiskRequest.Stat;
  }

  /**
   * What {@link OpenVolume#presentBytes} means: the owner's thread, in the upcall of its arrival.
   */
  Completion<Unit> looked(Completion<Long> presentBytes) {
    Completion<Unit> outcome =
        presentBytes.flatMap(
            bytes ->
                bytes < leastBlocks * Disk.BLOCK_BYTES
                    ? Completion.failed(DiskRules.cut(volume.name(), bytes, leastBlocks))
                    : Completion.done());
    if (lost == null && outcome instanceof Completion.Failed<Unit>(Failure why)) {
      lost = why;
    }
    return outcome;
  }

  /** A request was served: takes note of a new size, and goes on with closing. */
  void left(DiskRequest request, boolean done) {
    if (done) {
      sizeBlocks = DiskRules.resized(request, sizeBlocks);
    }
    sizing -= isSizing(request) ? 1 : 0;
    inside--;
    if (inside == 0 && state() == DiskState.DRAINING) {
      release();
    }
  }

  /** What a failed request becomes; blocks when the device is full. */
  <T> Completion<T> failure(DiskRequest request, int errno) {
    return Completion.failed(Errno.failure(request, errno, volume.name()));
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
    HelperThread.run(dispatcher, what, work, port);
  }

  /** Nobody is there any more who would ask for the close, or hear of its end. */
  private void dispatcherCloses() {
    ends.drain().run();
    switch (state()) {
      case OPEN, DRAINING -> {
        if (!letGo) {
          letGo = true; // no descriptor is closed twice, should there be no memory for the rest
          ends.detach().run();
          ends.free().run();
        }
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
