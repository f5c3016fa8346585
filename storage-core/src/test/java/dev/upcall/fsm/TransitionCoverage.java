package dev.upcall.fsm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which declared transitions a suite has taken. A suite adds the recorder of each dispatcher
 * it used ({@code @AfterEach}), and asserts at its end ({@code @AfterAll}) that every declared
 * transition of its machines was exercised.
 */
public final class TransitionCoverage {
  private final Map<String, Long> taken = new LinkedHashMap<>();

  /** Adds what the machines of one dispatcher did. */
  public synchronized void add(FlightRecorder recorder) {
    for (MachineStats stats : recorder.stats()) {
      for (MachineStats.Taken move : stats.taken()) {
        taken.merge(key(stats.transitions(), move.from(), move.to()), move.count(), Long::sum);
      }
    }
  }

  /** The declared moves that nobody made, as {@code Machine: FROM -> TO (event)}. */
  public synchronized List<String> missing(Transitions<?>... machines) {
    List<String> missing = new ArrayList<>();
    for (Transitions<?> machine : machines) {
      for (Transitions.Transition<?> move : machine.declared()) {
        String key = key(machine, move.from().name(), move.to().name());
        if (taken.getOrDefault(key, 0L) == 0) {
          missing.add(key + " (" + move.event() + ")");
        }
      }
    }
    return missing;
  }

  /** Fails, naming them, if a declared transition of these machines was never taken. */
  public void assertAllTaken(Transitions<?>... machines) {
    List<String> missing = missing(machines);
    if (!missing.isEmpty()) {
      throw new AssertionError(
          "declared transitions that no test has taken:\n  " + String.join("\n  ", missing));
    }
  }

  private static String key(Transitions<?> machine, String from, String to) {
    return machine.machine() + ": " + from + " -> " + to;
  }
}
