package dev.upcall.io.elevator;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.schedule.Anticipation;
import dev.upcall.io.schedule.BlockQueue;
import dev.upcall.io.schedule.Dispatch;
import dev.upcall.io.schedule.SchedulingPolicy;
import dev.upcall.io.schedule.SideQueue;
import org.jspecify.annotations.Nullable;

/**
 * An elevator for what somebody waits for and one for the rest, in batches of limited time; after a
 * read the device may stand still for a moment ({@link Anticipation}).
 *
 * <p>Longest wait: the deadline, and then for each older one another deadline and both batches.
 */
public final class AnticipatoryPolicy implements SchedulingPolicy {
  private final Dispatcher dispatcher;
  private final int depth;
  private final Anticipation anticipation;
  private final Side awaited;
  private final Side others;
  private final SideQueue dataless = new SideQueue();
  private final AnticipatoryBatch batch;
  private int inFlight;

  /** One of the two elevators. */
  private static final class Side {
    private final BlockQueue queue = new BlockQueue();
    private final long deadlineNanos;
    private long head;
    private long lateCheckedNanos;

    private Side(long deadlineNanos, long nowNanos) {
      this.deadlineNanos = deadlineNanos;
      this.lateCheckedNanos = nowNanos;
    }

    /** The oldest if it is late; looked for so seldom that a crowd of them is no storm of seeks. */
    private BlockQueue.@Nullable Waiting late(long nowNanos) {
      if (nowNanos - lateCheckedNanos < deadlineNanos) {
        return null;
      }
      lateCheckedNanos = nowNanos;
      return queue.oldestBefore(nowNanos - deadlineNanos);
    }

    private BlockQueue.@Nullable Waiting nearest() {
      return queue.nearest(head, ElevatorConfig.ANTICIPATORY_BACK_BLOCKS);
    }
  }

  /** A policy with nothing in it. */
  public AnticipatoryPolicy(ElevatorConfig config, Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
    this.depth = config.depth();
    ElevatorConfig.Anticipatory knobs = config.anticipatory();
    this.anticipation = new Anticipation(dispatcher, knobs.waitNanos());
    long now = now();
    this.awaited = new Side(knobs.readNanos(), now);
    this.others = new Side(knobs.writeNanos(), now);
    this.batch = new AnticipatoryBatch(knobs, now);
  }

  // ------------------------------------------------------------------ what comes

  @Override
  public void add(Dispatch dispatch) {
    if (!dispatch.movesData()) {
      dataless.add(dispatch);
      return;
    }
    if (dispatch.isAwaited()) {
      anticipation.asks(dispatch);
    }
    side(dispatch).queue.add(dispatch, now());
    anticipation.arrives(dispatch, awaited.head);
  }

  private Side side(Dispatch dispatch) {
    return dispatch.isAwaited() ? awaited : others;
  }

  @Override
  public void beginsEarlier(Dispatch dispatch, long formerBlock) {
    side(dispatch).queue.beginsEarlier(dispatch, formerBlock);
  }

  @Override
  public void completed(Dispatch dispatch) {
    inFlight--;
    if (!dispatch.movesData()) {
      return;
    }
    batch.completed(dispatch.isAwaited(), now());
    if (dispatch.isAwaited()) {
      anticipation.answered(dispatch);
    }
  }

  // ------------------------------------------------------------------ what goes

  @Override
  public @Nullable Dispatch next() {
    if (inFlight >= depth) {
      return null;
    }
    boolean isStanding = anticipation.isStanding();
    if (awaited.queue.isEmpty()) {
      batch.hasNoRival(others.queue.isEmpty());
    }
    boolean dataWaits = !(awaited.queue.isEmpty() && others.queue.isEmpty());
    Dispatch next = dataless.poll(dataWaits);
    if (next == null && dataWaits && !isStanding) {
      next = nextOfData();
    }
    if (next == null) {
      next = dataless.poll(/* othersWait= */ false);
    }
    inFlight += next == null ? 0 : 1;
    return next;
  }

  private @Nullable Dispatch nextOfData() {
    boolean bothWait = !awaited.queue.isEmpty() && !others.queue.isEmpty();
    if (!(bothWait && batch.isOver(now()))) {
      Side side = batch.isOfAwaited() ? awaited : others;
      BlockQueue.Waiting nearest = side.nearest();
      if (side == awaited) {
        BlockQueue.Waiting late = awaited.late(now());
        if (late != null) {
          return begin(awaited, late);
        }
        if (anticipation.shouldStand(nearest == null ? null : nearest.dispatch(), awaited.head)) {
          return null;
        }
      }
      if (nearest != null) {
        batch.goesOn(!bothWait && side == awaited, now());
        return begin(side, nearest);
      }
    }
    boolean toAwaited = others.queue.isEmpty() || !(batch.isOfAwaited() || awaited.queue.isEmpty());
    batch.turnsTo(toAwaited);
    Side side = toAwaited ? awaited : others;
    return begin(
        side,
        Invariants.present(toAwaited ? side.queue.oldest() : side.nearest(), "one that waits"));
  }

  /** What one batch has sent comes back before the next one begins. */
  private @Nullable Dispatch begin(Side side, BlockQueue.Waiting candidate) {
    if (!batch.mayBegin(now())) {
      return null;
    }
    BlockQueue.Waiting late = side.late(now());
    return send(side, late == null ? candidate : late);
  }

  private Dispatch send(Side side, BlockQueue.Waiting next) {
    Dispatch dispatch = side.queue.take(next);
    side.head = dispatch.end();
    anticipation.sent(dispatch, side == awaited);
    batch.sent();
    return dispatch;
  }

  @Override
  public long pauseNanos() {
    return inFlight < depth ? anticipation.pauseNanos() : Long.MAX_VALUE;
  }

  @Override
  public int waiting() {
    return awaited.queue.size() + others.queue.size() + dataless.size();
  }

  private long now() {
    return dispatcher.upcallNanos();
  }
}
