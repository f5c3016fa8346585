package dev.upcall.journal.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long machines stood in each state, by their kinds. What still stands does not count. */
public final class StateTimes {
  private final Map<State, Spread> spreads = new LinkedHashMap<>();

  /**
   * A state.
   *
   * @param machine the number of the name of the kind of machine
   * @param state the number of its name
   */
  public record State(int machine, int state) {}

  /**
   * A state and its times.
   *
   * @param spread of the stays that have ended
   */
  public record Stay(State state, Spread spread) {}

  private StateTimes() {}

  /** Looks at all records; by their whole time, the largest first. */
  public static List<Stay> of(TraceSource.Cursor records) throws IOException {
    StateTimes times = new StateTimes();
    MachineStates states = new MachineStates(times::add);
    records.read(states);
    List<Stay> stays = new ArrayList<>();
    times.spreads.forEach((state, spread) -> stays.add(new Stay(state, spread)));
    stays.sort(Comparator.comparingLong((Stay stay) -> stay.spread().sumNanos()).reversed());
    return stays;
  }

  private void add(MachineStates.Left left) {
    State state = new State(left.entered().name(), left.entered().to());
    spreads
        .computeIfAbsent(state, _ -> new Spread())
        .add(left.atNanos() - left.entered().atNanos());
  }
}
