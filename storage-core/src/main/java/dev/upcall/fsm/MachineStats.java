package dev.upcall.fsm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the machines of one kind have done on one dispatcher: how many there were, how often each
 * transition was taken and how long they stood in each state. Plain counters of the owner's thread.
 */
public final class MachineStats {
  /**
   * How often one move was made.
   *
   * @param from the state before
   * @param to the state after
   * @param count how often
   */
  public record Taken(String from, String to, long count) {
    /** Checks that nothing is missing. */
    public Taken {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
    }
  }

  private final Transitions<?> transitions;
  private final int name;
  private final int states;
  private final long[] taken;
  private final long[] nanosIn;
  private long machines;

  MachineStats(Transitions<?> transitions, int name) {
    this.transitions = transitions;
    this.name = name;
    this.states = transitions.states().size();
    this.taken = new long[states * states];
    this.nanosIn = new long[states];
  }

  /** The declaration of these machines. */
  public Transitions<?> transitions() {
    return transitions;
  }

  /** How many machines of this kind were made. */
  public long machines() {
    return machines;
  }

  /** How often the move between two states was made. */
  public long taken(Enum<?> from, Enum<?> to) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(to, "to");
    return taken[Transitions.indexOf(from) * states + Transitions.indexOf(to)];
  }

  /** All time spent in a state by machines that have left it again, in nanoseconds. */
  public long nanosIn(Enum<?> state) {
    Objects.requireNonNull(state, "state");
    return nanosIn[Transitions.indexOf(state)];
  }

  /** The count of every declared move, zeros included, in the order of declaration. */
  public List<Taken> taken() {
    List<Taken> counts = new ArrayList<>();
    for (Transitions.Transition<?> move : transitions.declared()) {
      Taken count = new Taken(move.from().name(), move.to().name(), taken(move.from(), move.to()));
      if (!counts.contains(count)) {
        counts.add(count);
      }
    }
    return counts;
  }

  /** A copy for any thread. */
  public MachineCounts snapshot() {
    return new MachineCounts(transitions, machines, taken.clone(), nanosIn.clone());
  }

  /** What its kind is called in records; the names of its states follow in their order. */
  int name() {
    return name;
  }

  /** The declared events of a move between states that are named so in records. */
  String eventsOf(int fromName, int toName) {
    return transitions.eventsOf(fromName - name - 1, toName - name - 1);
  }

  long born() {
    return machines++;
  }

  void moved(int from, int to, long nanosInFrom) {
    taken[from * states + to]++;
    nanosIn[from] += nanosInFrom;
  }
}
