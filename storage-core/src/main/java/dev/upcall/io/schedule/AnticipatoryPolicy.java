package dev.upcall.io.schedule;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An elevator for what somebody waits for and one for the rest, in batches of limited time; and
 * when a read was answered, and what is next is another's and far away, the device stands still for
 * a moment, because who reads one block often reads the next. Nobody in particular is not waited
 * for.
 *
 * <p>Longest wait: the deadline, and then for each older one another deadline and both batches.
 */
public final class AnticipatoryPolicy extends StateMachine<AnticipatoryState>
    implements SchedulingPolicy {
  static final Transitions<AnticipatoryState> TRANSITIONS =
      Transitions.of("Anticipation", AnticipatoryState.class, AnticipatoryState.DISPATCHING)
          .on(
              "next is far, and a read at the device",
              AnticipatoryState.DISPATCHING,
              AnticipatoryState.AWAITING_ANSWER)
          .on(
              "next is far, and a read was answered",
              AnticipatoryState.DISPATCHING,
              AnticipatoryState.ANTICIPATING)
          .on(
              "the read is answered",
              AnticipatoryState.AWAITING_ANSWER,
              AnticipatoryState.ANTICIPATING)
          .on(
              "a request worth it",
              AnticipatoryState.AWAITING_ANSWER,
              AnticipatoryState.DISPATCHING)
          .on("a request worth it", AnticipatoryState.ANTICIPATING, AnticipatoryState.DISPATCHING)
          .on("time is up", AnticipatoryState.ANTICIPATING, AnticipatoryState.DISPATCHING)
          .build();

  private static final int NOBODY = 0;

  /** So near, in blocks, is near: 4 MiB, and twice that for each millisecond of waiting. */
  private static final long NEAR_BLOCKS = 1024;

  private static final int MAX_DOUBLINGS = 20;
  private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MAX_THINK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Dispatcher dispatcher;
  private final int depth;
  private final ElevatorConfig.Anticipatory config;
  private final AskerHistories askers = new AskerHistories(MAX_THINK_NANOS);
  private final Side awaited;
  private final Side others;
  private final SideQueue dataless = new SideQueue();
  private final AnticipatoryBatch batch;
  private int inFlight;

  /** Whose awaited request went to the device last; nobody if it was another kind. */
  private int expected = NOBODY;

  /** Whether that was answered, and when. */
  private boolean isAnswered;

  private long answeredNanos;

  /** One was waited for: what is next goes now, whatever it is. */
  private boolean hasWaited;

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
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.depth = config.depth();
    this.config = config.anticipatory();
    long now = now();
    this.awaited = new Side(this.config.readNanos(), now);
    this.others = new Side(this.config.writeNanos(), now);
    this.batch = new AnticipatoryBatch(this.config, now);
  }

  // ------------------------------------------------------------------ what comes

  @Override
  public void add(Dispatch dispatch) {
    if (!dispatch.movesData()) {
      dataless.add(dispatch);
      return;
    }
    if (dispatch.isAwaited() && dispatch.asker() != NOBODY) {
      askers.of(dispatch.asker()).asks(dispatch, now());
    }
    side(dispatch).queue.add(dispatch, now());
    if (state() != AnticipatoryState.DISPATCHING && isWorthIt(dispatch)) {
      stopWaiting();
    }
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
    if (!dispatch.isAwaited() || dispatch.asker() == NOBODY) {
      return;
    }
    askers.of(dispatch.asker()).answered(now());
    if (dispatch.asker() == expected) {
      isAnswered = true;
      answeredNanos = now();
      if (state() == AnticipatoryState.AWAITING_ANSWER) {
        become(AnticipatoryState.ANTICIPATING);
      }
    }
  }

  // ------------------------------------------------------------------ what goes

  @Override
  public @Nullable Dispatch next() {
    if (inFlight >= depth) {
      return null;
    }
    if (state() == AnticipatoryState.ANTICIPATING && isTimeUp()) {
      stopWaiting();
    }
    if (awaited.queue.isEmpty()) {
      batch.hasNoRival(others.queue.isEmpty());
    }
    boolean dataWaits = !(awaited.queue.isEmpty() && others.queue.isEmpty());
    Dispatch next = dataless.poll(dataWaits);
    if (next == null && dataWaits && state() == AnticipatoryState.DISPATCHING) {
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
        if (shouldWait(nearest == null ? null : nearest.dispatch())) {
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
    hasWaited = false;
    isAnswered = false;
    expected = side == awaited ? dispatch.asker() : NOBODY;
    if (expected != NOBODY) {
      askers.of(expected).sent();
    }
    batch.sent();
    return dispatch;
  }

  // ------------------------------------------------------------------ waiting on purpose

  private boolean shouldWait(@Nullable Dispatch nearest) {
    if (expected == NOBODY || hasWaited || config.waitNanos() == 0 || isWorthIt(nearest)) {
      return false;
    }
    become(isAnswered ? AnticipatoryState.ANTICIPATING : AnticipatoryState.AWAITING_ANSWER);
    return true;
  }

  /** Whether there is no better one to wait for. */
  private boolean isWorthIt(@Nullable Dispatch dispatch) {
    if (dispatch != null && dispatch.asker() == expected) {
      return true;
    }
    AskerHistory history = askers.of(expected);
    if ((isAnswered && isTimeUp()) || history.hasQueued()) {
      return true;
    }
    if (dispatch != null && dispatch.isAwaited() && isNear(dispatch, history)) {
      history.notes(dispatch, now());
      return true;
    }
    return history.thinksLongerThan(config.waitNanos());
  }

  private boolean isNear(Dispatch dispatch, AskerHistory history) {
    long waitedMillis = isAnswered ? (now() - answeredNanos) / MILLI_NANOS : 0;
    if (waitedMillis > MAX_DOUBLINGS) {
      return true;
    }
    long near = NEAR_BLOCKS << waitedMillis;
    long head = awaited.head;
    boolean isAround = head <= dispatch.block() + near / 2 && dispatch.block() <= head + near;
    return isAround || history.goesFartherThan(Math.abs(dispatch.block() - head));
  }

  private boolean isTimeUp() {
    return now() - answeredNanos >= config.waitNanos();
  }

  private void stopWaiting() {
    hasWaited = true;
    become(AnticipatoryState.DISPATCHING);
  }

  @Override
  public long pauseNanos() {
    return state() == AnticipatoryState.ANTICIPATING && inFlight < depth
        ? Math.max(1, answeredNanos + config.waitNanos() - now())
        : Long.MAX_VALUE;
  }

  @Override
  public int waiting() {
    return awaited.queue.size() + others.queue.size() + dataless.size();
  }

  private long now() {
    return dispatcher.upcallNanos();
  }
}
