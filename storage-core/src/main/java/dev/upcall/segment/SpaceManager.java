package dev.upcall.segment;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.Reserve;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands out space and finds more: grows the volume up to its cap, and where that is reached waits
 * for the checkpoint that makes freed extents reusable. Requests are served in order of arrival.
 * Dispatcher's thread only.
 */
public final class SpaceManager {
  private static final int MAX_PIECES = 64;

  /**
   * A waiter gives up when this many checkpoints ended since it came and nothing fits yet: the
   * first may have begun before.
   */
  private static final int CHECKPOINTS_WAITED = 2;

  private final Dispatcher dispatcher;
  private final Disk disk;
  private final FreeMap map;
  private final Limits limits;
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private final List<CompletionPort<Unit>> growers = new ArrayList<>();
  private Runnable checkpointWanted = () -> {};
  private boolean growing;
  private boolean deviceFull;
  private long checkpoints;
  private @Nullable Failure stopped;

  /**
   * How far the volume may go.
   *
   * @param capBlocks the size that is never passed
   * @param growthBlocks the least step of growth
   */
  public record Limits(long capBlocks, long growthBlocks) {}

  /**
   * Somebody who waits.
   *
   * @param room the reserve that must hold so many blocks, or null to be given the blocks
   *     themselves
   */
  private record Waiter(
      long blocks,
      @Nullable Reserve room,
      long sinceCheckpoint,
      CompletionPort<List<Extent>> port) {}

  /** A manager of the space that {@code map} describes. */
  public SpaceManager(Dispatcher dispatcher, Disk disk, FreeMap map, Limits limits) {
    this.dispatcher = dispatcher;
    this.disk = disk;
    this.map = map;
    this.limits = limits;
  }

  /** Says whom to ask for a checkpoint. */
  public void onCheckpointWanted(Runnable upcall) {
    checkpointWanted = upcall;
  }

  /** The map. */
  public FreeMap map() {
    return map;
  }

  /** The cap in blocks. */
  public long capBlocks() {
    return limits.capBlocks();
  }

  /**
   * Reserves space for content: one extent if there is one that long, else a few pieces. Whoever
   * gets it commits it through a change or gives it back. Failures: {@code VolumeFull}, {@code
   * Device}.
   */
  public void allocate(long blocks, CompletionPort<List<Extent>> port) {
    if (waiters.isEmpty()) {
      List<Extent> extents = map.allocatePieces(blocks, MAX_PIECES);
      if (!extents.isEmpty()) {
        dispatcher.complete(port, Completion.done(extents));
        return;
      }
    }
    await(new Waiter(blocks, null, checkpoints, port));
  }

  /**
   * As {@link #allocate}, for the store's own work, which must not wait for a checkpoint: the
   * checkpoint may be waiting for it. Lets the volume grow, and else fails at once.
   */
  public void allocateUnwaiting(long blocks, CompletionPort<List<Extent>> port) {
    List<Extent> extents = map.allocatePieces(blocks, MAX_PIECES);
    if (!extents.isEmpty()) {
      dispatcher.complete(port, Completion.done(extents));
      return;
    }
    grow(
        blocks,
        grown -> {
          switch (grown) {
            case Completion.Failed<Unit> failed -> port.complete(failed.cast());
            case Completion.Done<Unit> done -> allocateUnwaiting(blocks, port);
          }
        });
  }

  /**
   * Completes when there may be room for {@code blocks} more that a change wants to reserve, or
   * fails when there will not be.
   */
  public void whenRoom(long blocks, Reserve reserve, CompletionPort<Unit> port) {
    await(
        new Waiter(
            blocks,
            reserve,
            checkpoints,
            completion ->
                port.complete(
                    completion instanceof Completion.Failed<List<Extent>> failed
                        ? failed.cast()
                        : Completion.done())));
  }

  private void await(Waiter waiter) {
    Failure failure = stopped;
    if (failure != null) {
      dispatcher.complete(waiter.port(), Completion.failed(failure));
    } else {
      waiters.add(waiter);
      findMore();
    }
  }

  /** Whether the volume may still become larger. */
  public boolean mayGrow() {
    return growing || (stopped == null && !deviceFull && map.totalBlocks() < limits.capBlocks());
  }

  /**
   * Makes the volume larger, for the store's own work, which must not wait for a checkpoint: the
   * checkpoint may be waiting for it. Completes when it has grown by any amount. Failures: {@code
   * VolumeFull}, {@code Device}.
   */
  public void grow(long blocks, CompletionPort<Unit> port) {
    if (!mayGrow()) {
      dispatcher.complete(port, Completion.failed(full(blocks)));
      return;
    }
    growers.add(port);
    if (!growing) {
      startGrowing(blocks);
    }
  }

  /** Tells that a checkpoint ended and what it freed is reusable now. */
  public void checkpointEnded() {
    checkpoints++;
    deviceFull = false;
    serve();
  }

  /** Gives reserved extents back. */
  public void giveBack(List<Extent> extents) {
    for (Extent extent : extents) {
      map.giveBack(extent);
    }
    serve();
  }

  /** Fails everybody who waits now or later: no checkpoint will make room any more. */
  public void stop(Failure failure) {
    if (stopped == null) {
      stopped = failure;
    }
    failWaiters(failure);
  }

  private void failWaiters(Failure failure) {
    for (Waiter waiter = waiters.poll(); waiter != null; waiter = waiters.poll()) {
      dispatcher.complete(waiter.port(), Completion.failed(failure));
    }
  }

  private void serve() {
    while (!waiters.isEmpty()) {
      Waiter waiter = waiters.getFirst();
      Completion<List<Extent>> completion = tryServe(waiter);
      if (completion == null) {
        findMore();
        return;
      }
      waiters.removeFirst();
      dispatcher.complete(waiter.port(), completion);
    }
  }

  private @Nullable Completion<List<Extent>> tryServe(Waiter waiter) {
    if (waiter.room() != null) {
      if (map.availableBlocks(waiter.room()) >= waiter.blocks()) {
        return Completion.done(List.of());
      }
    } else {
      List<Extent> extents = map.allocatePieces(waiter.blocks(), MAX_PIECES);
      if (!extents.isEmpty()) {
        return Completion.done(extents);
      }
    }
    if (mayGrow() || checkpoints - waiter.sinceCheckpoint() < CHECKPOINTS_WAITED) {
      return null;
    }
    return Completion.failed(full(waiter.blocks()));
  }

  /** The failure that says how full the volume is. */
  public Failure.VolumeFull full(long blocks) {
    return new Failure.VolumeFull(
        blocks * Disk.BLOCK_BYTES,
        map.freeBlocks() * Disk.BLOCK_BYTES,
        limits.capBlocks() * Disk.BLOCK_BYTES);
  }

  private void findMore() {
    if (growing || waiters.isEmpty()) {
      return;
    }
    long total = map.totalBlocks();
    if (deviceFull || total >= limits.capBlocks()) {
      checkpointWanted.run();
      return;
    }
    startGrowing(waiters.getFirst().blocks());
  }

  private void startGrowing(long wanted) {
    long total = map.totalBlocks();
    long step = Math.max(Math.max(limits.growthBlocks(), total / 8), wanted);
    long blocks = Math.min(step, limits.capBlocks() - total);
    growing = true;
    disk.submit(
        new DiskRequest.Allocate(
            total,
            blocks,
            IoClass.FOREGROUND_WRITE,
            completion -> grown(total + blocks, completion)));
  }

  private void grown(long total, Completion<Unit> completion) {
    growing = false;
    List<CompletionPort<Unit>> askers = List.copyOf(growers);
    growers.clear();
    for (CompletionPort<Unit> port : askers) {
      dispatcher.complete(port, completion);
    }
    if (completion instanceof Completion.Failed<Unit> failed) {
      if (failed.failure() instanceof Failure.VolumeFull) {
        deviceFull = true;
      } else {
        failWaiters(failed.failure());
        return;
      }
    } else {
      map.grow(total);
    }
    serve();
  }
}
