package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One frame: 1 to 16 blocks of contiguous memory and what they hold. A frame is known by its first
 * page, so the object is made once per page that ever began a frame, and used again.
 *
 * <p>The pin count covers leases, reads that wait, and the load itself; memory of a pinned frame is
 * neither moved nor reused. Only {@link FrameCache} changes a frame.
 */
final class Frame extends StateMachine<FrameState> {
  static final Transitions<FrameState> TRANSITIONS =
      Transitions.of("Frame", FrameState.class, FrameState.FREE)
          .on("load", FrameState.FREE, FrameState.LOADING)
          .on("allocate", FrameState.FREE, FrameState.PRIVATE)
          .on("verified", FrameState.LOADING, FrameState.VALID)
          .on("failed or forgotten", FrameState.LOADING, FrameState.DETACHED)
          .on("publish", FrameState.PRIVATE, FrameState.VALID)
          .on("released unpublished", FrameState.PRIVATE, FrameState.FREE)
          .on("forgotten while pinned", FrameState.VALID, FrameState.DETACHED)
          .on("evicted or forgotten", FrameState.VALID, FrameState.FREE)
          .on("last pin released", FrameState.DETACHED, FrameState.FREE)
          .build();

  /** The address of a frame without one. */
  static final long NOWHERE = -1;

  private final int page;
  private long firstBlock = NOWHERE;
  private int blocks;
  private int pins;
  private @Nullable List<ReadRequest> waiting;

  Frame(int page, Dispatcher dispatcher) {
    super(TRANSITIONS, dispatcher);
    this.page = page;
  }

  /** The first page of its memory, and its number. */
  int page() {
    return page;
  }

  int blocks() {
    return blocks;
  }

  long firstBlock() {
    return firstBlock;
  }

  /** The first address behind its blocks. */
  long end() {
    return firstBlock + blocks;
  }

  int pins() {
    return pins;
  }

  boolean is(FrameState state) {
    return state() == state;
  }

  /** A read waits for its load. */
  void await(ReadRequest read) {
    if (waiting == null) {
      waiting = new ArrayList<>(1);
    }
    waiting.add(read);
  }

  /** The reads that wait for its load; they wait no more. */
  List<ReadRequest> takeWaiting() {
    List<ReadRequest> taken = waiting;
    waiting = null;
    return taken == null ? List.of() : taken;
  }

  /** Memory for content to come; pinned once by whoever claimed it. */
  void claim(int sizeBlocks) {
    Invariants.check(is(FrameState.FREE) && pins == 0, "claiming a frame in use", page);
    blocks = sizeBlocks;
    pins = 1;
    firstBlock = NOWHERE;
  }

  void assign(long address) {
    firstBlock = address;
  }

  void shrink(int sizeBlocks) {
    blocks = sizeBlocks;
  }

  int addPin() {
    return pins++;
  }

  int dropPin() {
    Invariants.check(pins > 0, "unpinning a frame that is not pinned", page);
    return --pins;
  }

  void enter(FrameState next) {
    become(next);
  }

  @Override
  public String toString() {
    return "frame %d (%s, blocks %d+%d, %d pins)"
        .formatted(page, state(), firstBlock, blocks, pins);
  }
}
