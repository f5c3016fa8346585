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
final class Frame extends StateMachine<Frame.State> {
  /** Where a frame stands. */
  enum State {
    /** It has no memory. */
    FREE,
    /** Its content is on its way from the disk; it can be found, and waited for. */
    LOADING,
    /** It has been handed out to be filled; it has no address, nobody can find it. */
    PRIVATE,
    /** It holds the verified content of its blocks; it can be found, and evicted when unpinned. */
    VALID,
    /** Its blocks were freed or its load failed; nobody finds it any more, its holders keep it. */
    DETACHED
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("Frame", State.class, State.FREE)
          .on("load", State.FREE, State.LOADING)
          .on("allocate", State.FREE, State.PRIVATE)
          .on("verified", State.LOADING, State.VALID)
          .on("failed or forgotten", State.LOADING, State.DETACHED)
          .on("publish", State.PRIVATE, State.VALID)
          .on("released unpublished", State.PRIVATE, State.FREE)
          .on("forgotten while pinned", State.VALID, State.DETACHED)
          .on("evicted or forgotten", State.VALID, State.FREE)
          .on("last pin released", State.DETACHED, State.FREE)
          .build();

  /** The address of a frame without one. */
  static final long NOWHERE = -1;

  final int page;
  private long firstBlock = NOWHERE;
  private int blocks;
  private int pins;
  private @Nullable List<ReadRequest> waiting;
  private @Nullable SharedFrame shared;
  private @Nullable BlockRun verified;

  Frame(int page, Dispatcher dispatcher) {
    super(TRANSITIONS, dispatcher);
    this.page = page;
  }

  /** The first page of its memory, and its number. */
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

  boolean is(State state) {
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
    Invariants.check(is(State.FREE) && pins == 0, "claiming a frame in use", page);
    blocks = sizeBlocks;
    pins = 1;
    firstBlock = NOWHERE;
    verified = null;
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

  /** The run with whose checksums its content was compared, if that is remembered, or null. */
  @Nullable BlockRun verified() {
    return verified;
  }

  void verified(BlockRun run) {
    verified = run;
  }

  /** What other threads see of it, or null. */
  @Nullable SharedFrame shared() {
    return shared;
  }

  void share(@Nullable SharedFrame newShared) {
    shared = newShared;
  }

  void enter(State next) {
    become(next);
  }

  @Override
  public String toString() {
    return "frame %d (%s, blocks %d+%d, %d pins)"
        .formatted(page, state(), firstBlock, blocks, pins);
  }
}
