package dev.upcall.fsm;

import dev.upcall.base.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * The base of every state machine: an object with a named state that moves only in upcalls of its
 * owner.
 *
 * @param <S> the states
 */
public abstract class StateMachine<S extends Enum<S>> {
  private final Transitions<S> transitions;
  private final @Nullable Dispatcher dispatcher;
  private final MachineStats stats;
  private final long number;
  private S state;
  private long enteredNanos;

  /**
   * A machine in its initial state, counted and recorded by the dispatcher that owns it; only its
   * thread may move the machine.
   */
  protected StateMachine(Transitions<S> transitions, Dispatcher dispatcher) {
    this(transitions, dispatcher, dispatcher.recorder().statsOf(transitions));
  }

  /**
   * A machine in its initial state that belongs to no dispatcher, such as one that only computes.
   * Its transitions are checked and counted for itself alone.
   */
  protected StateMachine(Transitions<S> transitions) {
    this(transitions, null, new MachineStats(transitions));
  }

  private StateMachine(
      Transitions<S> transitions, @Nullable Dispatcher dispatcher, MachineStats stats) {
    this.transitions = transitions;
    this.dispatcher = dispatcher;
    this.stats = stats;
    this.number = stats.born();
    this.state = transitions.initial();
    this.enteredNanos = dispatcher == null ? 0 : dispatcher.upcallNanos();
  }

  /** Where the machine stands. */
  public final S state() {
    return state;
  }

  /** Which of its kind on its dispatcher, counted from 0. */
  public final long machineNumber() {
    return number;
  }

  /** As {@link #become(Enum, String)} with the declared event as the reason. */
  protected final void become(S next) {
    move(next, null);
  }

  /**
   * The one method that changes the state: checks the move against the declaration (an undeclared
   * one is a programmer's error), counts it and records it.
   *
   * @param reason for the flight recorder; should be a constant, since it is kept for a while
   */
  protected final void become(S next, String reason) {
    move(next, reason);
  }

  private void move(S next, @Nullable String reason) {
    S from = state;
    if (dispatcher != null) {
      dispatcher.checkAccess();
    }
    if (!transitions.isLegal(from, next)) {
      throw new Invariants.Violation(
          "%s#%d may not go %s -> %s%s"
              .formatted(
                  transitions.machine(), number, from, next, reason == null ? "" : ": " + reason));
    }
    state = next;
    int fromIndex = Transitions.indexOf(from);
    int toIndex = Transitions.indexOf(next);
    Dispatcher owner = dispatcher;
    if (owner == null) {
      stats.moved(fromIndex, toIndex, 0);
      return;
    }
    long now = owner.upcallNanos();
    stats.moved(fromIndex, toIndex, now - enteredNanos);
    owner.recorder().record(stats, number, fromIndex, toIndex, reason, now);
    enteredNanos = now;
  }
}
