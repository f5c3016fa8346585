package dev.upcall.txn.snapshot;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.space.HeldBlocks;
import dev.upcall.txn.state.StoreContext;

/**
 * Gives back what no snapshot holds any more: walks over the volume's map in the background, a
 * bounded piece in each upcall. What somebody still reads stays for another walk.
 */
public final class SnapshotSweep extends StateMachine<SnapshotSweep.State> {
  /** Where a sweep stands. */
  enum State {
    /** There is nothing to give back. */
    IDLE,
    /** The map is being walked. */
    SWEEPING,
    /** Something was in use; it is being waited for. */
    PAUSING
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("SnapshotSweep", State.class, State.IDLE)
          .on("a snapshot is gone", State.IDLE, State.SWEEPING)
          .on("all is free, closing", State.SWEEPING, State.IDLE)
          .on("something is in use", State.SWEEPING, State.PAUSING)
          .on("again", State.PAUSING, State.SWEEPING)
          .build();

  private static final long PAUSE_NANOS = 10_000_000;

  private final StoreContext context;
  private final FreeMap map;
  private final SnapshotCatalogue catalogue;
  private boolean again;
  private boolean used;
  private long freed;

  SnapshotSweep(StoreContext context, SnapshotCatalogue catalogue) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.map = context.state().map();
    this.catalogue = catalogue;
  }

  /** A snapshot holds nothing any more. */
  void start() {
    again = true;
    if (state() == State.IDLE) {
      begin();
    }
  }

  private void begin() {
    again = false;
    used = false;
    freed = 0;
    become(State.SWEEPING);
    context.dispatcher().post(() -> step(0));
  }

  private void step(long from) {
    if (catalogue.isClosing()) {
      become(State.IDLE);
      return;
    }
    long keptBefore = map.held().keptBlocks();
    long next = map.held().sweep(from, this::isUnused);
    long now = map.held().keptBlocks();
    Invariants.check(now <= keptBefore, "more kept after a sweep", now, keptBefore);
    Invariants.check(next == HeldBlocks.END || next > from, "sweep stands still", next, from);
    freed += keptBefore - now;
    if (next != HeldBlocks.END) {
      context.dispatcher().post(() -> step(next));
      return;
    }
    long blocks = freed;
    // Also for a snapshot that went in between: the sweep had passed some of its blocks.
    if (used || again) {
      become(State.PAUSING);
      context.dispatcher().schedule(PAUSE_NANOS, this::begin);
    } else {
      become(State.IDLE);
    }
    if (blocks > 0) {
      catalogue.swept(blocks);
    }
  }

  private boolean isUnused(Extent extent) {
    boolean unused = catalogue.isUnused(extent);
    used |= !unused;
    return unused;
  }
}
