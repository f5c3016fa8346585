package dev.upcall.segment.space;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The volume's room on its device, one change of it at a time: gives free blocks that have none
 * their room, makes the volume longer, and cuts it. Where the device is full it tries again with
 * less, down to what is wanted, before it says so. Dispatcher's thread only.
 */
public final class Room extends StateMachine<Room.State> {
  /** What is being done about the volume's room. */
  public enum State {
    /** Nothing. */
    IDLE,
    /** Free blocks of the volume are getting room on the device. */
    BACKING,
    /** The volume is getting longer. */
    GROWING,
    /** What a growth that failed may have left behind the volume's end is being cut off. */
    UNDOING,
    /** The volume's file is being cut to the volume's size. */
    TRUNCATING
  }

  /** The legal transitions. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Room", State.class, State.IDLE)
          .on("room wanted, there are free blocks without", State.IDLE, State.BACKING)
          .on("room wanted, all free blocks have theirs", State.IDLE, State.GROWING)
          .on("done, failed", State.BACKING, State.IDLE)
          .on("done, failed", State.GROWING, State.IDLE)
          .on("device full", State.GROWING, State.UNDOING)
          .on("undone", State.UNDOING, State.IDLE)
          .on("volume smaller than its file", State.IDLE, State.TRUNCATING)
          .on("cut, failed", State.TRUNCATING, State.IDLE)
          .build();

  private final Disk disk;
  private final FreeMap map;
  private final SpaceManager.Limits limits;

  /** What must have its room before the volume grows. */
  private Consumer<CompletionPort<Unit>> first = port -> port.complete(Completion.done());

  /** The size for which the map has its homes; a superblock may still name what was cut since. */
  private long homesOfBlocks;

  /** The device was full: nothing more than what is wanted is asked for. */
  private boolean frugal;

  /** Why the device has no room for what was wanted last; null if it may have some. */
  private Failure.@Nullable VolumeFull full;

  Room(Dispatcher dispatcher, Disk disk, FreeMap map, SpaceManager.Limits limits) {
    super(TRANSITIONS, dispatcher);
    this.disk = disk;
    this.map = map;
    this.limits = limits;
    this.homesOfBlocks = map.totalBlocks();
  }

  void growAfter(Consumer<CompletionPort<Unit>> other) {
    first = other;
  }

  boolean isIdle() {
    return state() == State.IDLE;
  }

  /** Whether {@link #make} may bring anything, now or when somebody lets go of blocks. */
  boolean mayMake() {
    return full == null && (map.unbacked().blocks() > 0 || map.totalBlocks() < limits.capBlocks());
  }

  /** What the device said when it had no room for what was wanted last, or null. */
  Failure.@Nullable VolumeFull deviceFull() {
    return full;
  }

  /** The device may have room again. */
  void tryAgain() {
    frugal = false;
    full = null;
  }

  /**
   * Makes room for blocks, or for some of them, and completes. While {@link #isIdle} only.
   * Failures: {@code VolumeFull}, {@code Device}.
   *
   * @return false if there is nothing to be done until somebody lets go of the blocks that he holds
   */
  boolean make(long wanted, CompletionPort<Unit> port) {
    Extent unbacked = map.unbacked().holdToBack(step(wanted, 0), /* doubtfulFirst= */ frugal);
    if (unbacked != null) {
      become(State.BACKING);
      allocate(unbacked, completion -> backed(unbacked, wanted, completion, port));
      return true;
    }
    long total = map.totalBlocks();
    long blocks = Math.min(step(wanted, total / 8), limits.capBlocks() - total);
    if (blocks <= 0) {
      return false;
    }
    become(State.GROWING);
    Extent behind = new Extent(total, blocks);
    long fileBlocks = disk.sizeBlocks();
    CompletionPort<Unit> grown = completion -> grown(behind, fileBlocks, wanted, completion, port);
    // Durable before the file is longer: no checkpoint of a longer volume finds the device too full
    // for its map, and no removal finds it too full for the log.
    first.accept(
        grown.then(
            ready ->
                write(
                    limits.layout().mapHomes(homesOfBlocks, behind.end()).iterator(),
                    grown.then(
                        written -> {
                          homesOfBlocks = Math.max(homesOfBlocks, behind.end());
                          allocate(behind, grown);
                        }))));
    return true;
  }

  private long step(long wanted, long proportionate) {
    return frugal ? wanted : Math.max(Math.max(limits.growthBlocks(), proportionate), wanted);
  }

  /** Writes zeros, durably. */
  private void write(Iterator<Extent> pieces, CompletionPort<Unit> port) {
    if (!pieces.hasNext()) {
      port.complete(Completion.done());
      return;
    }
    Extent piece = pieces.next();
    List<ByteBuffer> zeros = List.of(Disk.newBuffer((int) piece.blocks() * Disk.BLOCK_BYTES));
    disk.submit(
        new DiskRequest.DurableWrite(
            piece.block(),
            zeros,
            IoClass.FOREGROUND_WRITE,
            port.then(done -> write(pieces, port))));
  }

  private void allocate(Extent extent, CompletionPort<Unit> port) {
    disk.submit(
        new DiskRequest.Allocate(extent.block(), extent.blocks(), IoClass.FOREGROUND_WRITE, port));
  }

  private void backed(
      Extent extent, long wanted, Completion<Unit> completion, CompletionPort<Unit> port) {
    become(State.IDLE);
    if (completion instanceof Completion.Done<Unit>) {
      map.unbacked().backed(extent);
      port.complete(completion);
      return;
    }
    map.unbacked().unbacked(extent);
    refused(extent, wanted, completion, port);
  }

  private void grown(
      Extent extent,
      long fileBlocks,
      long wanted,
      Completion<Unit> completion,
      CompletionPort<Unit> port) {
    if (completion instanceof Completion.Done<Unit>) {
      become(State.IDLE);
      map.grow(extent.end());
      port.complete(completion);
    } else if (isFull(completion)) {
      // The file may have become longer all the same, and hold room that nobody uses. It was longer
      // than the volume before if a cut was on its way, and a superblock may still say so.
      become(State.UNDOING);
      cut(
          Math.max(extent.block(), fileBlocks),
          undone -> {
            become(State.IDLE);
            refused(extent, wanted, completion, port);
          });
    } else {
      become(State.IDLE);
      port.complete(completion);
    }
  }

  /** Tries again with less, or says that there is no more. */
  private void refused(
      Extent extent, long wanted, Completion<Unit> completion, CompletionPort<Unit> port) {
    if (!(completion instanceof Completion.Failed<Unit>(Failure.VolumeFull why))) {
      port.complete(completion);
      return;
    }
    boolean less = !frugal && extent.blocks() > wanted;
    frugal = true;
    if (!less && map.unbacked().doubtfulBlocks() == 0) {
      full = why;
      port.complete(completion);
    } else {
      Invariants.check(make(wanted, port), "nothing to be tried again", wanted);
    }
  }

  private static boolean isFull(@Nullable Completion<Unit> completion) {
    return completion instanceof Completion.Failed<Unit> failed
        && failed.failure() instanceof Failure.VolumeFull;
  }

  /**
   * Cuts the file to the volume's size. While {@link #isIdle} only, and only when a durable
   * superblock says that the volume is no longer than that. Failures: {@code Device}.
   */
  void truncate(CompletionPort<Unit> port) {
    become(State.TRUNCATING);
    cut(
        map.totalBlocks(),
        completion -> {
          become(State.IDLE);
          port.complete(completion);
        });
  }

  private void cut(long blocks, CompletionPort<Unit> port) {
    disk.submit(new DiskRequest.Shrink(blocks, IoClass.BACKGROUND, port));
  }
}
