package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpCounters;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the requests of all sessions of a server that are inside the store at once (Deshpande and
 * Lakhamraju's admission control, made explicit). Who would begin one while as many are inside as
 * may be stands in line, in the order of coming; the line is bounded, and so is the time in it. A
 * request that has begun is not held up again: it counts while the store works for it, not while
 * its client is to send or to take something, so that slow clients keep nobody out. Dispatcher's
 * thread only.
 */
final class Admission {
  /** Sessions that are called by one upcall at most. */
  private static final int CALLS_PER_UPCALL = 64;

  private final Dispatcher dispatcher;
  private final HttpConfig.Admission limits;
  private final HttpCounters counters;
  private final Runnable call = this::call;
  private @Nullable Turn first;
  private @Nullable Turn last;
  private boolean callPosted;
  private int inside;

  Admission(Dispatcher dispatcher, HttpConfig.Admission limits, HttpCounters counters) {
    this.dispatcher = dispatcher;
    this.limits = limits;
    this.counters = counters;
  }

  private enum Stage {
    OUT,
    WAITING,
    CALLED,
    INSIDE
  }

  /** A session's one place, outside, in line or inside. */
  static final class Turn {
    private final Admission admission;
    private final Runnable upcall;
    private Stage stage = Stage.OUT;
    private long sinceNanos;
    private @Nullable Turn before;
    private @Nullable Turn behind;

    private Turn(Admission admission, Runnable upcall) {
      this.admission = admission;
      this.upcall = upcall;
    }

    /** Whether a request may begin now. */
    boolean mayBegin() {
      return admission.mayBegin(this);
    }

    /** Stands in line, if it does not yet; false when the line is full. */
    boolean await() {
      return stage == Stage.WAITING || admission.append(this);
    }

    /** Whether it stands in line. */
    boolean isWaiting() {
      return stage == Stage.WAITING;
    }

    /** Whether it has stood in line for as long as one may. */
    boolean isLate(long nowNanos) {
      return stage == Stage.WAITING && nowNanos - sinceNanos >= admission.limits.waitNanos();
    }

    /** The session has moved; whoever stood in line does so no more. */
    void moved(boolean inside) {
      admission.moved(this, inside);
    }
  }

  /**
   * A place for a new session.
   *
   * @param upcall runs when a request may begin; whoever does not begin one then has been called in
   *     vain
   */
  Turn turn(Runnable upcall) {
    return new Turn(this, upcall);
  }

  private boolean hasRoom() {
    return !limits.isOn() || inside < limits.maxInside();
  }

  private boolean mayBegin(Turn turn) {
    return switch (turn.stage) {
      case OUT -> hasRoom() && first == null;
      case CALLED -> hasRoom();
      case WAITING -> false;
      case INSIDE -> true;
    };
  }

  private boolean append(Turn turn) {
    if (counters.get(HttpCount.WAITING_REQUESTS) >= limits.maxWaiting()) {
      return false;
    }
    turn.stage = Stage.WAITING;
    turn.sinceNanos = dispatcher.clock().monotonicNanos();
    turn.before = last;
    if (last == null) {
      first = turn;
    } else {
      last.behind = turn;
    }
    last = turn;
    counters.add(HttpCount.WAITING_REQUESTS);
    postCall();
    return true;
  }

  private void remove(Turn turn) {
    if (turn.before == null) {
      first = turn.behind;
    } else {
      turn.before.behind = turn.behind;
    }
    if (turn.behind == null) {
      last = turn.before;
    } else {
      turn.behind.before = turn.before;
    }
    turn.before = null;
    turn.behind = null;
    turn.stage = Stage.OUT;
    counters.add(HttpCount.WAITING_REQUESTS, -1);
  }

  private void moved(Turn turn, boolean inStore) {
    if (turn.stage == Stage.WAITING) {
      remove(turn);
    }
    if (inStore && turn.stage != Stage.INSIDE) {
      turn.stage = Stage.INSIDE;
      inside++;
    } else if (!inStore && turn.stage == Stage.INSIDE) {
      turn.stage = Stage.OUT;
      inside--;
      Invariants.check(inside >= 0, "more left than came", inside);
    }
    postCall();
  }

  private void postCall() {
    if (!callPosted && first != null && hasRoom()) {
      callPosted = true;
      dispatcher.post(call);
    }
  }

  private void call() {
    callPosted = false;
    for (int i = 0; i < CALLS_PER_UPCALL && hasRoom(); i++) {
      Turn next = first;
      if (next == null) {
        return;
      }
      remove(next);
      next.stage = Stage.CALLED;
      next.upcall.run();
      if (next.stage == Stage.CALLED) {
        next.stage = Stage.OUT;
      }
    }
    postCall();
  }
}
