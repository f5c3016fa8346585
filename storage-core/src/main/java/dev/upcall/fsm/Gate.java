package dev.upcall.fsm;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The protocol of closing anything: refuse new work, let what is inside finish, then free. Owner's
 * thread only.
 */
public final class Gate extends StateMachine<Gate.State> {
  /** The states of a {@link Gate}. */
  public enum State {
    /** Work may enter. */
    OPEN,
    /** Nothing enters any more; waits until the last one inside has left. */
    CLOSING,
    /** Nobody is inside, and nobody will be. */
    CLOSED
  }

  /** The machine's legal moves. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("Gate", State.class, State.OPEN)
          .on("close with work inside", State.OPEN, State.CLOSING)
          .on("close while empty", State.OPEN, State.CLOSED)
          .on("the last one leaves", State.CLOSING, State.CLOSED)
          .build();

  private final String name;
  private final Dispatcher dispatcher;
  private final List<CompletionPort<Unit>> closers = new ArrayList<>();
  private int inside;

  /** An open gate in front of {@code name}. */
  public Gate(String name, Dispatcher dispatcher) {
    super(TRANSITIONS, dispatcher);
    this.name = Objects.requireNonNull(name, "name");
    this.dispatcher = dispatcher;
  }

  /** How many are inside. */
  public int inside() {
    return inside;
  }

  /** Whether work may enter. */
  public boolean isOpen() {
    return state() == State.OPEN;
  }

  /** The failure for whom the gate does not let in. */
  public Failure.Closed closed() {
    return new Failure.Closed(name);
  }

  /** Lets one piece of work in; {@link #leave} must follow, once. False if closing or closed. */
  public boolean enter() {
    dispatcher.checkAccess();
    if (!isOpen()) {
      return false;
    }
    inside++;
    return true;
  }

  /** One piece of work is done. */
  public void leave() {
    dispatcher.checkAccess();
    Invariants.check(inside > 0, "more left than entered", name);
    inside--;
    if (inside == 0 && state() == State.CLOSING) {
      becomeClosed();
    }
  }

  /**
   * Closes: nothing enters from now on, and the port hears when nobody is inside any more. May be
   * asked any number of times.
   */
  public void close(CompletionPort<Unit> port) {
    dispatcher.checkAccess();
    closers.add(Objects.requireNonNull(port, "port"));
    switch (state()) {
      case OPEN -> {
        if (inside == 0) {
          becomeClosed();
        } else {
          become(State.CLOSING);
        }
      }
      case CLOSING -> {}
      case CLOSED -> tellClosers();
    }
  }

  private void becomeClosed() {
    become(State.CLOSED);
    tellClosers();
  }

  private void tellClosers() {
    for (CompletionPort<Unit> closer : closers) {
      dispatcher.complete(closer, Completion.done());
    }
    closers.clear();
  }
}
