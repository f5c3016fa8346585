package dev.upcall.fsm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the state machines of one dispatcher have done: counters per declared transition, and the
 * last transitions one by one in a ring of fixed size, for diagnosis. Belongs to the dispatcher's
 * owner; {@link Dispatcher#recorder} gives it out. Recording allocates nothing.
 */
public final class FlightRecorder {
  /**
   * One transition that was made.
   *
   * @param atNanos when, on the dispatcher's monotonic clock, as of the start of the upcall
   * @param machine the kind of machine
   * @param number which of its kind, counted from 0 in the order of their making
   * @param from the state before
   * @param to the state after
   * @param events the declared events of this move
   */
  public record Entry(
      long atNanos, String machine, long number, String from, String to, String events) {
    /** Checks that nothing is missing. */
    public Entry {
      Objects.requireNonNull(machine, "machine");
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
      Objects.requireNonNull(events, "events");
    }

    @Override
    public String toString() {
      return "%d %s#%d %s -> %s (%s)".formatted(atNanos, machine, number, from, to, events);
    }
  }

  private final Map<Transitions<?>, MachineStats> statsByKind = new LinkedHashMap<>();
  private final @Nullable MachineStats[] kinds;
  private final long[] atNanos;
  private final long[] numbers;
  private final int[] moves;
  private long recorded;

  FlightRecorder(int kept) {
    kinds = new @Nullable MachineStats[kept];
    atNanos = new long[kept];
    numbers = new long[kept];
    moves = new int[kept];
  }

  /** The counters of one kind of machine; made when first asked for. */
  public MachineStats statsOf(Transitions<?> transitions) {
    Objects.requireNonNull(transitions, "transitions");
    return statsByKind.computeIfAbsent(transitions, MachineStats::new);
  }

  /** The counters of all kinds seen, in the order of their first machine. */
  public List<MachineStats> stats() {
    return List.copyOf(statsByKind.values());
  }

  /** A copy of the counters of all kinds seen, for any thread. */
  public List<MachineCounts> counts() {
    List<MachineCounts> counts = new ArrayList<>(statsByKind.size());
    for (MachineStats stats : statsByKind.values()) {
      counts.add(stats.snapshot());
    }
    return counts;
  }

  /** The last transitions, oldest first. */
  public List<Entry> recent() {
    List<Entry> entries = new ArrayList<>();
    for (long i = Math.max(0, recorded - kinds.length); i < recorded; i++) {
      int slot = (int) (i % kinds.length);
      MachineStats kind = kinds[slot];
      if (kind != null) {
        entries.add(entry(slot, kind.transitions()));
      }
    }
    return entries;
  }

  void record(MachineStats kind, long number, int from, int to, long now) {
    int slot = (int) (recorded++ % kinds.length);
    kinds[slot] = kind;
    numbers[slot] = number;
    moves[slot] = from << 16 | to;
    atNanos[slot] = now;
  }

  private Entry entry(int slot, Transitions<?> kind) {
    int from = moves[slot] >>> 16;
    int to = moves[slot] & 0xffff;
    return new Entry(
        atNanos[slot],
        kind.machine(),
        numbers[slot],
        kind.states().get(from).name(),
        kind.states().get(to).name(),
        kind.eventsOf(from, to));
  }
}
