package dev.upcall.fsm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the machines of one kind have done on one dispatcher, as of one moment; immutable, any
 * thread.
 */
public final class MachineCounts {
  /**
   * One state of this kind of machine.
   *
   * @param name the state
   * @param entered how often a machine came into it, births included
   * @param standing how many machines stand in it now; 0 for a final state, which nothing leaves
   * @param nanosIn all time spent in it by machines that have left it again
   */
  public record State(String name, long entered, long standing, long nanosIn) {
    /** Checks that nothing is missing. */
    public State {
      Objects.requireNonNull(name, "name");
    }
  }

  private final Transitions<?> transitions;
  private final long machines;
  private final long[] taken;
  private final long[] nanosIn;

  /** Takes the arrays over; {@code taken} is a table of from times to. */
  MachineCounts(Transitions<?> transitions, long machines, long[] taken, long[] nanosIn) {
    this.transitions = transitions;
    this.machines = machines;
    this.taken = taken;
    this.nanosIn = nanosIn;
  }

  /** The kind of machine. */
  public String machine() {
    return transitions.machine();
  }

  /** How many machines of this kind were made. */
  public long machines() {
    return machines;
  }

  /** All states, in the order of their declaration. */
  public List<State> states() {
    List<State> states = new ArrayList<>();
    int count = transitions.states().size();
    for (int state = 0; state < count; state++) {
      Enum<?> named = transitions.states().get(state);
      long entered = named == transitions.initial() ? machines : 0;
      long left = 0;
      for (int other = 0; other < count; other++) {
        entered += taken[other * count + state];
        left += taken[state * count + other];
      }
      boolean isFinal = transitions.declared().stream().noneMatch(move -> move.from() == named);
      states.add(new State(named.name(), entered, isFinal ? 0 : entered - left, nanosIn[state]));
    }
    return states;
  }
}
