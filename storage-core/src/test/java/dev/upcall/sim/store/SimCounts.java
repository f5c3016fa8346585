package dev.upcall.sim.store;

import dev.upcall.fsm.MachineStats;
import dev.upcall.fsm.Transitions;
import dev.upcall.sim.FaultKind;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What simulated lifetimes were made of: machines that ran, faults that struck, moves that the
 * store's state machines made.
 */
public final class SimCounts {
  /**
   * One declared transition.
   *
   * @param from the state before
   * @param to the state after
   * @param event the declared events, joined
   * @param count how often it was taken
   */
  public record Move(String from, String to, String event, long count) {
    @Override
    public String toString() {
      return "%s -> %s (%s)".formatted(from, to, event);
    }
  }

  private final Map<Transitions<?>, long[]> taken = new LinkedHashMap<>();
  private final EnumMap<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
  private long lifetimes;
  private long starts;
  private long answered;

  /** One machine has reached its end: what it did is added. */
  public void machineEnded(SimWorld world) {
    starts++;
    world.disk().faultCounts().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
    for (MachineStats stats : world.dispatcher().recorder().stats()) {
      List<? extends Transitions.Transition<?>> declared = stats.transitions().declared();
      long[] sums = sumsOf(stats.transitions());
      for (int i = 0; i < sums.length; i++) {
        sums[i] += stats.taken(declared.get(i).from(), declared.get(i).to());
      }
    }
  }

  /** One lifetime is over, in which so many requests were answered. */
  void lifetimeEnded(int requestsAnswered) {
    lifetimes++;
    answered += requestsAnswered;
  }

  /** Adds what somebody else has counted. */
  public void add(SimCounts other) {
    lifetimes += other.lifetimes;
    starts += other.starts;
    answered += other.answered;
    other.faults.forEach((kind, count) -> faults.merge(kind, count, Long::sum));
    other.taken.forEach(
        (machine, counts) -> {
          long[] sums = sumsOf(machine);
          for (int i = 0; i < sums.length; i++) {
            sums[i] += counts[i];
          }
        });
  }

  private long[] sumsOf(Transitions<?> machine) {
    return taken.computeIfAbsent(machine, key -> new long[key.declared().size()]);
  }

  /** Whole lifetimes. */
  long lifetimes() {
    return lifetimes;
  }

  /** How often a machine was started: formats, recoveries and recoveries of recoveries. */
  public long starts() {
    return starts;
  }

  /** Requests answered. */
  public long answered() {
    return answered;
  }

  /** How often each kind of fault struck; all kinds. */
  public Map<FaultKind, Long> faults() {
    EnumMap<FaultKind, Long> all = new EnumMap<>(FaultKind.class);
    for (FaultKind kind : FaultKind.values()) {
      all.put(kind, faults.getOrDefault(kind, 0L));
    }
    return all;
  }

  /** Every declared transition of every machine met, by the machine's name, as declared. */
  public TreeMap<String, List<Move>> moves() {
    TreeMap<String, List<Move>> all = new TreeMap<>();
    taken.forEach((machine, counts) -> all.put(machine.machine(), moves(machine, counts)));
    return all;
  }

  private static List<Move> moves(Transitions<?> machine, long[] counts) {
    List<Move> moves = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      Transitions.Transition<?> declared = machine.declared().get(i);
      String from = declared.from().name();
      String to = declared.to().name();
      int same = indexOf(moves, from, to);
      if (same < 0) {
        moves.add(new Move(from, to, declared.event(), counts[i]));
      } else {
        String events = moves.get(same).event() + " or " + declared.event();
        moves.set(same, new Move(from, to, events, counts[i]));
      }
    }
    return moves;
  }

  private static int indexOf(List<Move> moves, String from, String to) {
    for (int i = 0; i < moves.size(); i++) {
      if (moves.get(i).from().equals(from) && moves.get(i).to().equals(to)) {
        return i;
      }
    }
    return -1;
  }
}
