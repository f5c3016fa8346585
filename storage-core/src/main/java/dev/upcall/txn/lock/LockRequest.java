package dev.upcall.txn.lock;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import org.jspecify.annotations.Nullable;

/** One lock from the asking to the release. Moved by its {@link LockTable}. */
public final class LockRequest extends StateMachine<LockRequest.State> {
  /** Where a request for a lock stands. */
  public enum State {
    /** Asked for, not looked at. */
    ASKED,
    /** Somebody else holds the key; in the queue behind those that came before. */
    WAITING,
    /** Held. */
    HELD,
    /** Released, refused or given up. */
    OVER
  }

  /** The machine's legal moves. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Lock", State.class, State.ASKED)
          .on("nobody holds it", State.ASKED, State.HELD)
          .on("somebody holds it", State.ASKED, State.WAITING)
          .on("waiting would close a cycle, too many locks", State.ASKED, State.OVER)
          .on("first in the queue, and released", State.WAITING, State.HELD)
          .on("waited too long, given up", State.WAITING, State.OVER)
          .on("released", State.HELD, State.OVER)
          .build();

  final LockOwner owner;
  final LockKey key;
  final Purpose purpose;
  final CompletionPort<Unit> port;
  private long sinceNanos;
  private Dispatcher.@Nullable Timer timer;

  /**
   * A request.
   *
   * @param purpose what the owner wants to do, for messages
   */
  LockRequest(
      Dispatcher dispatcher,
      LockOwner owner,
      LockKey key,
      Purpose purpose,
      CompletionPort<Unit> port) {
    super(TRANSITIONS, dispatcher);
    this.owner = owner;
    this.key = key;
    this.purpose = purpose;
    this.port = port;
  }

  /** What the owner calls the key. */
  String name() {
    return purpose.nameOf(key);
  }

  long sinceNanos() {
    return sinceNanos;
  }

  void waits(long nowNanos, Dispatcher.Timer timeout) {
    become(State.WAITING);
    sinceNanos = nowNanos;
    timer = timeout;
    owner.waitsFor(this);
  }

  void held() {
    become(State.HELD);
    stopWaiting();
    owner.granted(this);
  }

  void over() {
    if (state() == State.HELD) {
      owner.lost(this);
    }
    become(State.OVER);
    stopWaiting();
  }

  private void stopWaiting() {
    if (timer != null) {
      timer.cancel();
      timer = null;
      owner.waitsFor(null);
    }
  }
}
