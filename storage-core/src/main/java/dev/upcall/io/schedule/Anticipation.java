package dev.upcall.io.schedule;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Standing still on purpose: when a read was answered, and what is next is another's and far away,
 * the device waits for a moment, because who reads one block often reads the next. Nobody in
 * particular is not waited for. Used by one policy, on its thread; that decides which requests take
 * part, and asks before it sends what is next.
 */
public final class Anticipation extends StateMachine<AnticipatoryState> {
  public static final Transitions<AnticipatoryState> TRANSITIONS =
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
  private final long waitNanos;
  private final AskerHistories askers = new AskerHistories(MAX_THINK_NANOS);

  /** Whose awaited request went to the device last; nobody if it was another kind. */
  private int expected = NOBODY;

  /** Whether that was answered, and when. */
  private boolean isAnswered;

  private long answeredNanos;

  /** One was waited for: what is next goes now, whatever it is. */
  private boolean hasWaited;

  /**
   * Nobody has asked yet.
   *
   * @param waitNanos so long the next request of an asker is waited for; 0: nobody is
   */
  public Anticipation(Dispatcher dispatcher, long waitNanos) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.waitNanos = waitNanos;
  }

  /** A request came that somebody waits for. */
  public void asks(Dispatch dispatch) {
    if (dispatch.asker() != NOBODY) {
      askers.of(dispatch.asker()).asks(dispatch, now());
    }
  }

  /**
   * A request waits, of any kind: perhaps it is the one that was waited for.
   *
   * @param head where the last awaited request ended
   */
  public void arrives(Dispatch dispatch, long head) {
    if (isWaiting() && isWorthIt(dispatch, head)) {
      stopWaiting();
    }
  }

  /** A request that somebody waits for is answered. */
  public void answered(Dispatch dispatch) {
    if (dispatch.asker() == NOBODY) {
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

  /**
   * A request goes to the device.
   *
   * @param isAwaited whether somebody waits for it, whose next one may be waited for
   */
  public void sent(Dispatch dispatch, boolean isAwaited) {
    hasWaited = false;
    isAnswered = false;
    expected = isAwaited ? dispatch.asker() : NOBODY;
    if (expected != NOBODY) {
      askers.of(expected).sent();
    }
  }

  /** Whether the device shall stand still, once what waited for too long has been let go. */
  public boolean isStanding() {
    if (state() == AnticipatoryState.ANTICIPATING && isTimeUp()) {
      stopWaiting();
    }
    return isWaiting();
  }

  private boolean isWaiting() {
    return state() != AnticipatoryState.DISPATCHING;
  }

  /**
   * Whether the device shall stand still from now on.
   *
   * @param nearest what else would be next, if anything
   * @param head where the last awaited request ended
   */
  public boolean shouldStand(@Nullable Dispatch nearest, long head) {
    if (expected == NOBODY || hasWaited || waitNanos == 0 || isWorthIt(nearest, head)) {
      return false;
    }
    become(isAnswered ? AnticipatoryState.ANTICIPATING : AnticipatoryState.AWAITING_ANSWER);
    return true;
  }

  /** Whether there is no better one to wait for. */
  private boolean isWorthIt(@Nullable Dispatch dispatch, long head) {
    if (dispatch != null && dispatch.asker() == expected) {
      return true;
    }
    AskerHistory history = askers.of(expected);
    if ((isAnswered && isTimeUp()) || history.hasQueued()) {
      return true;
    }
    if (dispatch != null && dispatch.isAwaited() && isNear(dispatch, history, head)) {
      history.notes(dispatch, now());
      return true;
    }
    return history.thinksLongerThan(waitNanos);
  }

  private boolean isNear(Dispatch dispatch, AskerHistory history, long head) {
    long waitedMillis = isAnswered ? (now() - answeredNanos) / MILLI_NANOS : 0;
    if (waitedMillis > MAX_DOUBLINGS) {
      return true;
    }
    long near = NEAR_BLOCKS << waitedMillis;
    boolean isAround = head <= dispatch.block() + near / 2 && dispatch.block() <= head + near;
    return isAround || history.goesFartherThan(Math.abs(dispatch.block() - head));
  }

  private boolean isTimeUp() {
    return now() - answeredNanos >= waitNanos;
  }

  private void stopWaiting() {
    hasWaited = true;
    become(AnticipatoryState.DISPATCHING);
  }

  /** After so long it stands still no more; {@code Long.MAX_VALUE} if that is not known yet. */
  public long pauseNanos() {
    return state() == AnticipatoryState.ANTICIPATING
        ? Math.max(1, answeredNanos + waitNanos - now())
        : Long.MAX_VALUE;
  }

  private long now() {
    return dispatcher.upcallNanos();
  }
}
