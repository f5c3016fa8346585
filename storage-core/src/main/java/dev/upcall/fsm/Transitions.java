package dev.upcall.fsm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The legal transitions of one kind of state machine, declared once as data.
 *
 * @param <S> the states
 */
public final class Transitions<S extends Enum<S>> {
  /**
   * One legal move and the event that causes it.
   *
   * @param from the state before
   * @param to the state after
   * @param event what happened, in a few words
   * @param <S> the states
   */
  public record Transition<S extends Enum<S>>(S from, S to, String event) {
    /** Checks that nothing is missing. */
    public Transition {
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
      Objects.requireNonNull(event, "event");
    }
  }

  private final String machine;
  private final S initial;
  private final List<Transition<S>> declared;
  private final boolean[] legal;
  private final List<S> states;

  private Transitions(String machine, Class<S> type, S initial, List<Transition<S>> declared) {
    this.machine = machine;
    this.initial = initial;
    this.declared = List.copyOf(declared);
    this.states = List.of(type.getEnumConstants());
    this.legal = new boolean[states.size() * states.size()];
    for (Transition<S> transition : declared) {
      legal[indexOf(transition.from()) * states.size() + indexOf(transition.to())] = true;
    }
  }

  /** Starts the declaration of a machine. */
  public static <S extends Enum<S>> Builder<S> of(String machine, Class<S> type, S initial) {
    Objects.requireNonNull(machine, "machine");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(initial, "initial");
    return new Builder<>(machine, type, initial);
  }

  /** The machine's name. */
  public String machine() {
    return machine;
  }

  /** The state in which a machine is born. */
  public S initial() {
    return initial;
  }

  /** All states, in the order of their enum. */
  public List<S> states() {
    return states;
  }

  /** All declared transitions, in the order of their declaration. */
  public List<Transition<S>> declared() {
    return declared;
  }

  boolean isLegal(S from, S to) {
    return legal[indexOf(from) * states.size() + indexOf(to)];
  }

  /** The declared events of a move, joined; ordinals of the states. */
  String eventsOf(int from, int to) {
    StringBuilder events = new StringBuilder();
    for (Transition<S> transition : declared) {
      if (indexOf(transition.from()) == from && indexOf(transition.to()) == to) {
        events.append(events.isEmpty() ? "" : " or ").append(transition.event());
      }
    }
    return events.toString();
  }

  /** A state's row and column in tables; the order of the enum never reaches a disk or a wire. */
  @SuppressWarnings("EnumOrdinal")
  static int indexOf(Enum<?> state) {
    return state.ordinal();
  }

  /** Collects transitions. */
  public static final class Builder<S extends Enum<S>> {
    private final String machine;
    private final Class<S> type;
    private final S initial;
    private final List<Transition<S>> declared = new ArrayList<>();

    private Builder(String machine, Class<S> type, S initial) {
      this.machine = machine;
      this.type = type;
      this.initial = initial;
    }

    /** Declares one legal move. */
    public Builder<S> on(String event, S from, S to) {
      declared.add(new Transition<>(from, to, event));
      return this;
    }

    /** Ends the declaration. */
    public Transitions<S> build() {
      return new Transitions<>(machine, type, initial, declared);
    }
  }
}
