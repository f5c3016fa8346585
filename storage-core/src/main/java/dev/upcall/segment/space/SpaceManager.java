package dev.upcall.segment.space;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.pressure.Need;
import dev.upcall.pressure.Pressure;
import dev.upcall.pressure.Scarce;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.Reserve;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out space and finds more: gives free blocks room on the device, grows the volume up to its
 * cap, and where that is reached asks for the checkpoint that makes freed extents reusable. Whoever
 * has to wait does so in the line of {@link Pressure}. Dispatcher's thread only.
 */
public final class SpaceManager {
  private static final int MAX_PIECES = 64;
  private static final int WHOLE_PERCENT = 100;

  private final Dispatcher dispatcher;
  private final FreeMap map;
  private final Limits limits;
  private final Room room;
  private final Pressure pressure;
  private final List<CompletionPort<Unit>> growers = new ArrayList<>();
  private long grownAtLeast;

  /** What the first of those who wait wants. */
  private long wantedBlocks;

  private boolean moreComes;
  private long cameForGrowers;
  private long lackingBlocks;
  private @Nullable Failure stopped;

  /**
   * How far the volume may go.
   *
   * @param layout where the homes of the free-space map lie, which grow with it
   * @param capBlocks the size that is never passed
   * @param growthBlocks the least step of growth
   */
  public record Limits(VolumeLayout layout, long capBlocks, long growthBlocks) {}

  /** So many blocks, for whatever {@code taken} does with them if they are there. */
  private final class Blocks<T> implements Need<T> {
    private final long count;
    private final Supplier<@Nullable T> taken;

    Blocks(long count, Supplier<@Nullable T> taken) {
      this.count = count;
      this.taken = taken;
    }

    @Override
    public @Nullable T take(boolean placed) {
      return taken.get();
    }

    @Override
    public void seek() {
      wantedBlocks = count;
      findMore();
    }

    @Override
    public boolean isComing() {
      return mayGrow();
    }

    @Override
    public Failure refusal(@Nullable Failure failure) {
      return full(count);
    }
  }

  /** A manager of the space that {@code map} describes. */
  public SpaceManager(
      Dispatcher dispatcher, Disk disk, FreeMap map, Limits limits, Pressure pressure) {
    this.dispatcher = dispatcher;
    this.map = map;
    this.limits = limits;
    this.room = new Room(dispatcher, disk, map, limits);
    this.pressure = pressure;
  }

  /**
   * Says what must have its room on the device before the volume takes more of it: so whatever
   * fills the device finds it there. Once, before anything is allocated.
   */
  public void growAfter(Consumer<CompletionPort<Unit>> first) {
    room.growAfter(first);
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
    allocate(blocks, Reserve.NORMAL, port);
  }

  /** As {@link #allocate(long, CompletionPort)}, on behalf of a kind of change. */
  public void allocate(long blocks, Reserve reserve, CompletionPort<List<Extent>> port) {
    pressure.await(
        Scarce.SPACE,
        new Blocks<>(
            blocks,
            () -> {
              List<Extent> extents = map.allocatePieces(blocks, MAX_PIECES, reserve);
              return extents.isEmpty() ? null : extents;
            }),
        port);
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
    pressure.await(
        Scarce.SPACE,
        new Blocks<>(blocks, () -> hasRoom(blocks, reserve) ? Unit.UNIT : null),
        port);
  }

  /** Gives free blocks room on the device before anybody wants them. */
  public void prepare(long blocks) {
    if (map.availableBlocks(Reserve.NORMAL) == 0 && map.unbacked().blocks() > 0) {
      grow(blocks, completion -> {});
    }
  }

  /** Whether more blocks may become allocatable without a checkpoint. */
  public boolean mayGrow() {
    return moreComes || !room.isIdle() || (stopped == null && room.mayMake());
  }

  /**
   * Makes more blocks allocatable, for the store's own work, which must not wait for a checkpoint:
   * the checkpoint may be waiting for it. Completes when there are more by any amount. Failures:
   * {@code VolumeFull}, {@code Device}.
   */
  public void grow(long blocks, CompletionPort<Unit> port) {
    if (!mayGrow()) {
      dispatcher.complete(port, Completion.failed(full(blocks)));
      return;
    }
    cameForGrowers = growers.isEmpty() ? 0 : cameForGrowers;
    growers.add(dispatcher.recorder().waiting(port));
    grownAtLeast = Math.max(grownAtLeast, blocks);
    findMore();
  }

  /** Whether a change may have so many blocks promised to the next checkpoint. */
  public boolean hasRoom(long blocks, Reserve reserve) {
    return map.availableBlocks(reserve) - lackingBlocks >= blocks;
  }

  /** Whether so many blocks are there, or may come, without a checkpoint. */
  public boolean isRoomy(long blocks, Reserve reserve) {
    return mayGrow() || hasRoom(blocks, reserve);
  }

  /**
   * Tells that blocks that were freed are free now. While more are about to come nobody is told
   * that the volume is full, and it does not grow.
   *
   * @param blocks how many
   * @param more whether more come soon
   * @param lacking what is lacking of the promise to the next checkpoint, 0 when no more come:
   *     changes leave so much alone, or they would take piece by piece what it needs
   */
  public void cameBack(long blocks, boolean more, long lacking) {
    boolean waitedFor = moreComes;
    moreComes = more;
    lackingBlocks = lacking;
    cameForGrowers += blocks;
    if (waitedFor && (!more || cameForGrowers >= grownAtLeast)) {
      endGrowers(Completion.done());
    }
    pressure.changed(Scarce.SPACE);
  }

  /** Tells that a checkpoint ended and what it freed is reusable, now or soon. */
  public void checkpointEnded() {
    room.tryAgain();
    pressure.checkpointEnded();
  }

  /** Tells that blocks that were held are no longer: whoever waits may try again. */
  public void heldReturned() {
    findMore();
  }

  /** Whether somebody waits for space. */
  public boolean isWanted() {
    return pressure.isAwaited(Scarce.SPACE) || !growers.isEmpty();
  }

  /**
   * How much of the space that there is only a checkpoint would bring, in per cent: 0 while the
   * volume may grow, or while that is less than a step of growth; 100 when the store's own work
   * waits for space.
   */
  public int shortagePercent() {
    if (!growers.isEmpty()) {
      return WHOLE_PERCENT;
    }
    // What the checkpoint itself would write does not come back.
    long brought = map.freshBlocks() - map.promisedBlocks();
    if (brought < limits.growthBlocks() || mayGrow()) {
      return 0;
    }
    return (int) (WHOLE_PERCENT * brought / (brought + map.availableBlocks(Reserve.NORMAL)));
  }

  /** Whether {@link #truncate} may be asked now. */
  public boolean mayTruncate() {
    return room.isIdle();
  }

  /**
   * Cuts the file to the volume's size, once a durable superblock says that it has no more; nothing
   * grows meanwhile. Failures: {@code Device}.
   */
  public void truncate(CompletionPort<Unit> port) {
    room.truncate(
        completion -> {
          dispatcher.complete(port, completion);
          findMore();
        });
  }

  /** Gives reserved extents back. */
  public void giveBack(List<Extent> extents) {
    for (Extent extent : extents) {
      map.giveBack(extent);
    }
    pressure.changed(Scarce.SPACE);
  }

  /** Nothing is looked for any more: no checkpoint will make room. */
  public void stop(Failure failure) {
    if (stopped == null) {
      stopped = failure;
    }
    if (room.isIdle()) {
      endGrowers(Completion.failed(failure));
    }
  }

  /** The failure that says how full the volume is, or that its device is. */
  public Failure.VolumeFull full(long blocks) {
    Failure.VolumeFull device = room.deviceFull();
    if (device != null) {
      return new Failure.VolumeFull(
          blocks * Disk.BLOCK_BYTES, device.freeBytes(), 0, device.device());
    }
    return new Failure.VolumeFull(
        blocks * Disk.BLOCK_BYTES,
        map.freeBlocks() * Disk.BLOCK_BYTES,
        limits.capBlocks() * Disk.BLOCK_BYTES);
  }

  private void findMore() {
    if (moreComes || !room.isIdle() || !isWanted()) {
      return;
    }
    if (stopped == null && room.mayMake()) {
      long first = pressure.isAwaited(Scarce.SPACE) ? wantedBlocks : 1;
      room.make(Math.max(Math.max(1, first), grownAtLeast), this::made);
      return;
    }
    endGrowers(Completion.failed(stopped == null ? full(grownAtLeast) : stopped));
    if (pressure.isAwaited(Scarce.SPACE)) {
      pressure.checkpointWanted();
    }
  }

  private void made(Completion<Unit> completion) {
    endGrowers(completion);
    if (completion instanceof Completion.Failed<Unit> failed
        && !(failed.failure() instanceof Failure.VolumeFull)) {
      pressure.refuseAll(Scarce.SPACE, failed.failure());
    } else {
      pressure.changed(Scarce.SPACE);
    }
  }

  private void endGrowers(Completion<Unit> completion) {
    grownAtLeast = 0;
    cameForGrowers = 0;
    List<CompletionPort<Unit>> askers = List.copyOf(growers);
    growers.clear();
    for (CompletionPort<Unit> port : askers) {
      dispatcher.complete(port, completion);
    }
  }
}
