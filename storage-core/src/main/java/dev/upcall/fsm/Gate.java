package dev.upcall.fsm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The protocol of closing anything: refuse new work, let what is inside finish, then free. The gate
 * knows who is inside by name, so that closing too early fails with the names of those who would
 * have been hurt. Owner's thread only.
 */
public final class Gate extends StateMachine<GateState> {
  /** The machine's legal moves. */
  public static final Transitions<GateState> TRANSITIONS =
      Transitions.of("Gate", GateState.class, GateState.OPEN)
          .on("close with work inside", GateState.OPEN, GateState.CLOSING)
          .on("close while empty", GateState.OPEN, GateState.CLOSED)
          .on("the last one leaves", GateState.CLOSING, GateState.CLOSED)
          .build();

  private final String name;
  private final Dispatcher dispatcher;
  private final List<CompletionPort<Unit>> closers = new ArrayList<>();
  private final Map<String, int[]> insideByHolder = new TreeMap<>();
  private int inside;

  /** An open gate in front of {@code name}. */
  public Gate(String name, Dispatcher dispatcher) {
    super(TRANSITIONS, dispatcher);
    this.name = name;
    this.dispatcher = dispatcher;
  }

  /** How many are inside. */
  public int inside() {
    return inside;
  }

  /** Whether work may enter. */
  public boolean isOpen() {
    return state() == GateState.OPEN;
  }

  /** The failure for whom the gate does not let in. */
  public Failure.Closed closed() {
    return new Failure.Closed(name);
  }

  /**
   * Lets one piece of work in; {@link #leave} must follow, once.
   *
   * @param holder what kind of work it is: a constant
   * @return false if the gate is closing or closed
   */
  public boolean enter(String holder) {
    dispatcher.checkAccess();
    if (!isOpen()) {
      return false;
    }
    int[] count = insideByHolder.get(holder);
    if (count == null) {
      count = new int[1];
      insideByHolder.put(holder, count);
    }
    count[0]++;
    inside++;
    return true;
  }

  /** One piece of work is done. */
  public void leave(String holder) {
    dispatcher.checkAccess();
    int[] count = insideByHolder.get(holder);
    if (count == null || count[0] == 0) {
      throw new Invariants.Violation(holder + " leaves " + name + " without having entered");
    }
    count[0]--;
    inside--;
    if (inside == 0 && state() == GateState.CLOSING) {
      becomeClosed();
    }
  }

  /**
   * Closes: nothing enters from now on, and the port hears when nobody is inside any more. May be
   * asked any number of times.
   */
  public void close(CompletionPort<Unit> port) {
    dispatcher.checkAccess();
    closers.add(port);
    switch (state()) {
      case OPEN -> {
        if (inside == 0) {
          becomeClosed();
        } else {
          become(GateState.CLOSING);
        }
      }
      case CLOSING -> {}
      case CLOSED -> tellClosers();
    }
  }

  /** Throws, naming the holders, unless the gate is closed. To be called before freeing. */
  public void checkClosed() {
    Invariants.check(state() == GateState.CLOSED, name + " is freed with work inside", holders());
  }

  /** Who is inside: {@code name xCount}, sorted by name. */
  public String holders() {
    StringBuilder names = new StringBuilder();
    insideByHolder.forEach(
        (holder, count) -> {
          if (count[0] > 0) {
            names.append(names.isEmpty() ? "" : ", ").append(holder).append(" x").append(count[0]);
          }
        });
    return names.isEmpty() ? "nobody (" + state() + ")" : names.toString();
  }

  private void becomeClosed() {
    become(GateState.CLOSED);
    tellClosers();
  }

  private void tellClosers() {
    for (CompletionPort<Unit> closer : closers) {
      dispatcher.complete(closer, Completion.done());
    }
    closers.clear();
  }
}
