package dev.upcall.pressure;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

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
   * Runs an action when it has the turn: now, or later. It ends with {@link #leave}.
   *
   * @param thing its number
   */
  public void take(long thing, Runnable turn) {
    Queue<Runnable> line = lines.get(thing);
    if (line == null) {
      lines.put(thing, new ArrayDeque<>(1));
      turn.run();
    } else {
      FlightRecorder recorder = dispatcher.recorder();
      long asker = recorder.current();
      line.add(() -> recorder.serving(asker, turn));
    }
  }

  /** Whoever has the turn has done with it; the next one begins in an upcall of its own. */
  public void leave(long thing) {
    Queue<Runnable> line = Invariants.present(lines.get(thing), "a turn that somebody has");
    Runnable next = line.poll();
    if (next == null) {
      lines.remove(thing);
    } else {
      dispatcher.post(next);
    }
  }
}
