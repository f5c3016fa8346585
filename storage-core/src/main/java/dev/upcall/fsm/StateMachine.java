package dev.upcall.fsm;

import dev.upcall.base.Invariants;
import java.util.Objects;

/**
 * The base of every state machine: an object with a named state that moves only in upcalls of its
 * owner.
 *
 * @param <S> the states
 */
public abstract class StateMachine<S extends Enum<S>> {
  private final Transitions<S> transitions;
  private final Dispatcher dispatcher;
  private final MachineStats stats;
  private final long number;
  private S state;
  private long enteredNanos;

  /**
   * A machine in its initial state, counted and recorded by the dispatcher that owns it; only its
   * thread may move the machine.
   */
  protected StateMachine(Transitions<S> transitions, Dispatcher dispatcher) {
    this.transitions = Objects.requireNonNull(transitions, "transitions");
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
    this.stats = dispatcher.recorder().statsOf(transitions);
    this.number = stats.born();
    this.state = transitions.initial();
    this.enteredNanos = dispatcher.upcallNanos();
  }

  /** Where the machine stands. */
  public final S state() {
    return state;
  }

  /** Which of its kind on its dispatcher, counted from 0. */
  public final long machineNumber() {
    return number;
  }

  /**
   * The one method that changes the state: checks the move against the declaration (an undeclared
   * one is a programmer's error), counts it and records it.
   */
  protected final void become(S next) {
    S from = state;
    dispatcher.checkAccess();
    if (!transitions.isLegal(from, next)) {
      throw new Invariants.Violation(
          "%s#%d may not go %s -> %s".formatted(transitions.machine(), number, from, next));
    }
    state = next;
    int fromIndex = Transitions.indexOf(from);
    int toIndex = Transitions.indexOf(next);
    long now = dispatcher.upcallNanos();
    stats.moved(fromIndex, toIndex, now - enteredNanos);
    dispatcher.recorder().moved(stats, number, fromIndex, toIndex);
    enteredNanos = now;
  }
}
