package dev.upcall.pressure;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Turns at things that have numbers: at each thing one has the turn, and the others stand in line
 * in the order of coming. Dispatcher's thread only.
 */
public final class Turns {
  private final Dispatcher dispatcher;

  /** Who waits for what somebody has. */
  private final Map<Long, Queue<Runnable>> lines = new LinkedHashMap<>();

  /** Nobody has a turn. */
  public Turns(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /**
   * Runs an action when it has the turn: now, or later.
   *
   * @param thing its number
   * @param turn is given what ends it, once or more often; the next turn begins in an upcall of its
   *     own
   */
  public void take(long thing, Consumer<Runnable> turn) {
    Queue<Runnable> line = lines.get(thing);
    if (line == null) {
      lines.put(thing, new ArrayDeque<>(1));
      turn.accept(new Turn(thing));
    } else {
      FlightRecorder recorder = dispatcher.recorder();
      long asker = recorder.current();
      line.add(() -> recorder.serving(asker, () -> turn.accept(new Turn(thing))));
    }
  }

  /** Ends a turn; nothing when it has ended. */
  private final class Turn implements Runnable {
    private final long thing;
    private boolean over;

    Turn(long thing) {
      this.thing = thing;
    }

    @Override
    public void run() {
      if (!over) {
        over = true;
        leave(thing);
      }
    }
  }

  private void leave(long thing) {
    Queue<Runnable> line = Invariants.present(lines.get(thing), "a turn that somebody has");
    Runnable next = line.poll();
    if (next == null) {
      lines.remove(thing);
    } else {
      dispatcher.post(next);
    }
  }
}
