package dev.upcall.journal.trace;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Where machines stand, as far as their moves were seen. */
final class MachineStates implements Consumer<TraceRecord> {
  /** Machines that are remembered; of more those are forgotten that have not moved for longest. */
  private static final int MAX_MACHINES = 1 << 20;

  private final Consumer<Left> to;
  private final Map<Machine, TraceRecord> standing =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Machine, TraceRecord> eldest) {
          return size() > MAX_MACHINES;
        }
      };

  /**
   * A machine.
   *
   * @param name the number of the name of its kind
   * @param number which of its kind
   */
  record Machine(int name, long number) {}

  /**
   * A state that was left.
   *
   * @param entered the move into it
   * @param atNanos when it was left
   */
  record Left(TraceRecord entered, long atNanos) {}

  MachineStates(Consumer<Left> to) {
    this.to = to;
  }

  @Override
  public void accept(TraceRecord one) {
    if (one.kind() == TraceKind.TRANSITION) {
      Machine machine = new Machine(one.name(), one.number());
      TraceRecord before = standing.remove(machine);
      if (before != null) {
        to.accept(new Left(before, one.atNanos()));
      }
      standing.put(machine, one);
    }
  }

  /** The last move of each machine. */
  Map<Machine, TraceRecord> standing() {
    return standing;
  }
}
