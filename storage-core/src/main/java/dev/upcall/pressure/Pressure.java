package dev.upcall.pressure;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.IoClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who makes room never waits for room. All others wait in one line, in the order in which they
 * came; only one who waits for something else may pass.
 *
 * <p>What is scarce has a level, and the table says from which levels on work begins, is urgent,
 * and whoever needs more waits ({@link Thresholds}). The work is write-back and checkpoints ({@link
 * Relief}). Whoever is still short of room when two rounds of that work have ended, the first of
 * which may have begun before he came, gives up, unless more is about to come ({@link Need}).
 *
 * <p>Dispatcher's thread only. Those who wait are told in upcalls of their own.
 */
public final class Pressure {
  private static final int ROUNDS_WAITED = 2;

  /**
   * So many are told in one upcall. Fewer would make it shorter, since each may plan and apply its
   * change in it; but who was told together commits together, and from then on again and again.
   */
  private static final int TOLD_AT_ONCE = 64;

  /** Less unplaced content than this is not placed ahead: one write of write-back carries it. */
  private static final long AHEAD_BLOCKS = 1024;

  private static final long RETRY_NANOS = 100_000_000L;

  private final Dispatcher dispatcher;

  /** One for each {@link Scarce}, in its order. */
  private final Row[] rows = new Row[Scarce.values().length];

  private @Nullable Relief relief;
  private @Nullable Failure stopped;
  private boolean closing;

  /** The upcall that tells those who wait is on its way. */
  private boolean telling;

  private int waiting;

  /** Unplaced content is being placed for those who wait. */
  private boolean placing;

  private long placed;
  private @Nullable Failure placingFailure;

  /** Of a store that has nothing, and in which nobody works. */
  public Pressure(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
    Arrays.setAll(rows, what -> new Row());
  }

  // ------------------------------------------------------------------ the table

  /** Says how to find out how much of something is in use, and from when on that matters. */
  public void watch(Scarce what, LongSupplier level, Thresholds at) {
    row(what).watch(level, at);
  }

  /** Says who works. */
  public void relieveBy(Relief work) {
    relief = work;
  }

  private Relief relief() {
    return Invariants.present(relief, "somebody who makes room");
  }

  public Thresholds at(Scarce what) {
    return row(what).at();
  }

  /** How much more there may be of something before changes wait; may be negative. */
  public long left(Scarce what) {
    Row row = row(what);
    return row.at().limit() - row.level();
  }

  /**
   * Whether somebody waits, or will soon: then background work goes at full speed; else it leaves
   * the device to those who read. Looked at with each piece of work, so it costs a few comparisons.
   */
  public boolean isUrgent() {
    if (waiting > 0) {
      return true;
    }
    for (Row row : rows) {
      if (row.isUrgent()) {
        return true;
      }
    }
    return false;
  }

  /** The class of a piece of background work as things are now. */
  public IoClass ioClass() {
    return isUrgent() ? IoClass.FOREGROUND_WRITE : IoClass.BACKGROUND;
  }

  public List<PressureCounters> counters() {
    List<PressureCounters> counters = new ArrayList<>();
    for (Scarce what : Scarce.values()) {
      counters.add(row(what).counters(what));
    }
    return counters;
  }

  private Row row(Scarce what) {
    return rows[what.ordinal()];
  }

  // ------------------------------------------------------------------ the line

  /**
   * Completes, in a later upcall, with what the need takes as soon as there is enough for it and
   * for all who came before and wait for the same; or with its refusal. Never for the store's own
   * work, for which others may be waiting.
   */
  public <T> void await(Scarce what, Need<T> need, CompletionPort<T> port) {
    dispatcher.checkOwner();
    Row row = row(what);
    Waiter<T> waiter =
        new Waiter<>(need, dispatcher.recorder().waiting(port), row.rounds(), placed);
    if (!row.isAwaited()) {
      Runnable served = waiter.served(placed);
      if (served != null) {
        dispatcher.post(served);
        return;
      }
    }
    Failure failure = stopped;
    if (failure != null) {
      dispatcher.complete(port, Completion.failed(failure));
      return;
    }
    row.entered(waiter);
    waiting++;
    if (need.timeoutNanos() < Long.MAX_VALUE) {
      waiter.limitedBy(
          dispatcher.schedule(need.timeoutNanos(), () -> refuse(row, waiter, need.refusal(null))));
    }
    // What rests already would make all of them wait.
    relief().lift();
    if (row.waiters().getFirst() == waiter) {
      need.seek();
    }
  }

  public boolean isAwaited(Scarce what) {
    return row(what).isAwaited();
  }

  /** There may be room for those who wait for this. */
  public void changed(Scarce what) {
    changed(row(what));
  }

  private void changed(Row row) {
    if (row.change() && !telling) {
      telling = true;
      // In an upcall of its own: whoever says that there is room is in the middle of something.
      dispatcher.post(this::tell);
    }
  }

  /** All who wait for this give up. */
  public void refuseAll(Scarce what, Failure why) {
    Row row = row(what);
    // Who is refused may come again at once.
    for (int left = row.waiters().size(); left > 0 && row.isAwaited(); left--) {
      refuse(row, row.waiters().getFirst(), why);
    }
  }

  private void tell() {
    telling = false;
    for (Row row : rows) {
      if (row.takeChange() && !tell(row)) {
        changed(row);
      }
    }
  }

  /** Tells those for whom there is room, and those who need not wait any longer; whether all. */
  private boolean tell(Row row) {
    for (int i = 0; i < TOLD_AT_ONCE; i++) {
      Waiter<?> first = row.waiters().peekFirst();
      if (first == null) {
        return true;
      }
      Runnable served = first.served(placed);
      if (served != null) {
        leave(row, first);
        // At once: only when it has used its room is it known what is left for the next one.
        served.run();
        continue;
      }
      Failure why = givesUp(row, first);
      if (why == null) {
        first.need().seek();
        return true;
      }
      refuse(row, first, why);
    }
    return false;
  }

  private @Nullable Failure givesUp(Row row, Waiter<?> waiter) {
    if (stopped != null) {
      return stopped;
    }
    boolean hopeless = waiter.rounds(row.rounds()) >= ROUNDS_WAITED && !waiter.need().isComing();
    return hopeless ? waiter.need().refusal(placingFailure) : null;
  }

  private void leave(Row row, Waiter<?> waiter) {
    row.waiters().remove(waiter);
    waiting--;
  }

  private void refuse(Row row, Waiter<?> waiter, Failure why) {
    leave(row, waiter);
    row.wasRefused();
    waiter.refuse(why);
    changed(row);
  }

  // ------------------------------------------------------------------ the work

  /** Something was changed, or memory is wanted: begins the work that the levels call for. */
  public void look() {
    if (stopped != null) {
      return;
    }
    Row unplaced = row(Scarce.UNPLACED);
    boolean crowded = row(Scarce.FRAMES).callsForWork() && unplaced.level() > 0;
    if (!relief().isPlacing() && (crowded || unplaced.callsForWork() || isPlacedAhead(unplaced))) {
      relief().place(completion -> {});
    }
    if (row(Scarce.PAGES).callsForWork() || row(Scarce.SPACE).callsForWork()) {
      checkpointWanted();
    }
    if ((relief().isPlacing() || relief().isCheckpointing()) && isUrgent()) {
      relief().lift();
    }
  }

  /**
   * Whether a checkpoint is half-way due and would have much to place. Begun only then, placing
   * lasts as long as callers take to fill what is left of the log, and all of them wait for the
   * rest.
   */
  private boolean isPlacedAhead(Row unplaced) {
    boolean isMuch = unplaced.level() >= Math.min(AHEAD_BLOCKS, unplaced.at().halfWay());
    return isMuch && (row(Scarce.LOG).isHalfWay() || row(Scarce.SPACE).isHalfWay());
  }

  /** Begins a checkpoint unless one is being made; until one succeeds, others follow. */
  public void checkpointWanted() {
    if (stopped == null && !relief().isCheckpointing()) {
      relief().checkpoint(this::checkpointTried);
    }
  }

  /** Without space there was no checkpoint; whoever waits for one still does. */
  private void checkpointTried(Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit>) {
      dispatcher.schedule(RETRY_NANOS, this::tryAgain);
    }
  }

  private void tryAgain() {
    if (!closing) {
      checkpointWanted();
    }
  }

  /** A checkpoint ended, whoever asked for it; what it freed is free now, or soon. */
  public void checkpointEnded() {
    row(Scarce.SPACE).roundEnded();
    changed(Scarce.SPACE);
    changed(Scarce.PAGES);
  }

  /**
   * Unplaced content must become less. Where it cannot be placed, a checkpoint makes room in the
   * log or on the volume first.
   */
  public void placingWanted() {
    if (!placing && stopped == null) {
      placing = true;
      long before = row(Scarce.UNPLACED).level();
      relief().place(completion -> placed(completion, before));
    }
  }

  private void placed(Completion<Unit> completion, long before) {
    placingFailure = completion instanceof Completion.Failed<Unit>(Failure why) ? why : null;
    // What cannot be read keeps only its own segment from being placed.
    boolean someWere = row(Scarce.UNPLACED).level() < before;
    boolean noRoom = placingFailure != null && isLackOfRoom(placingFailure);
    if (stopped != null || placingFailure == null || (!noRoom && someWere)) {
      placed++;
      placingEnded();
      return;
    }
    if (!(placingFailure instanceof Failure.Busy)) {
      row(Scarce.UNPLACED).roundEnded();
      row(Scarce.COPIES).roundEnded();
    }
    relief().checkpoint(checkpointed -> placingEnded());
  }

  private static boolean isLackOfRoom(Failure failure) {
    return failure instanceof Failure.VolumeFull
        || failure instanceof Failure.TooLarge
        || failure instanceof Failure.Busy;
  }

  private void placingEnded() {
    placing = false;
    changed(Scarce.UNPLACED);
    changed(Scarce.COPIES);
  }

  // ------------------------------------------------------------------ the end

  /** The store closes: what it still does, it asks for by itself. */
  public void close() {
    closing = true;
  }

  /** Nobody makes room any more: whoever waits, now or later, for more than there is, gives up. */
  public void stop(Failure failure) {
    if (stopped == null) {
      stopped = failure;
    }
    for (Row row : rows) {
      changed(row);
    }
  }
}
