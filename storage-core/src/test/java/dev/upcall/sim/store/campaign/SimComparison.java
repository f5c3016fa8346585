package dev.upcall.sim.store.campaign;

import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Compares what is recorded now with a recording, one record after the other. */
final class SimComparison {
  private static final int BEFORE = 12;
  private static final String NOTHING = "nothing, the machine's end";

  private final SimRecording recording;
  private final Predicate<FlightRecord> compared;
  private int machine = 1;
  private int next;
  private long same;
  private @Nullable Difference first;

  /**
   * A place at which the two are not the same.
   *
   * @param machine of the lifetime: 1 is the first
   * @param number where in that machine's part of the recording: 1 is the first record
   * @param recorded what was recorded there, in one line
   * @param now what is recorded there now
   * @param before the last records before it of that machine, as recorded
   */
  record Difference(int machine, int number, String recorded, String now, List<String> before) {}

  /**
   * Before the first record.
   *
   * @param compared which records are looked at, in both
   */
  SimComparison(SimRecording recording, Predicate<FlightRecord> compared) {
    this.recording = recording;
    this.compared = compared;
  }

  /** The first place that differs. */
  @Nullable Difference first() {
    return first;
  }

  /** How many are the same before that. */
  long same() {
    return same;
  }

  /** The next record of a machine. */
  void take(int of, FlightRecord now, List<String> names) {
    if (first != null || !compared.test(now)) {
      return;
    }
    behindMachines(of);
    if (first == null && !isBehindCut()) {
      FlightRecord recorded = peek();
      if (recorded == null) {
        differs(NOTHING, now.describe(names));
      } else if (!isSame(recorded, now, names)) {
        differs(recorded.describe(names()), now.describe(names));
      } else {
        same++;
        next++;
      }
    }
  }

  /** The last machine has ended, too. */
  void end() {
    behindMachines(recording.machines().size() + 1);
  }

  private void behindMachines(int of) {
    while (first == null && machine < of && machine <= recording.machines().size()) {
      FlightRecord recorded = peek();
      if (recorded != null) {
        differs(recorded.describe(names()), NOTHING);
      } else {
        machine++;
        next = 0;
      }
    }
    machine = Math.max(machine, first == null ? of : machine);
  }

  /** Whether what is compared is where the recording has left out all. */
  private boolean isBehindCut() {
    return recording.head().leftOut() > 0
        && machine >= recording.machines().size()
        && peek() == null;
  }

  /** The recorded one that comes next on the present machine. */
  private @Nullable FlightRecord peek() {
    if (machine > recording.machines().size()) {
      return null;
    }
    SimRecording.Machine of = recording.machines().get(machine - 1);
    while (next < of.count()) {
      FlightRecord recorded = of.record(next);
      if (compared.test(recorded)) {
        return recorded;
      }
      next++;
    }
    return null;
  }

  private List<String> names() {
    return machine > recording.machines().size()
        ? List.of()
        : recording.machines().get(machine - 1).names();
  }

  private void differs(String recorded, String now) {
    List<String> before = new ArrayList<>();
    if (machine <= recording.machines().size()) {
      SimRecording.Machine of = recording.machines().get(machine - 1);
      for (int number = Math.max(0, next - BEFORE); number < next; number++) {
        before.add(of.record(number).describe(of.names()));
      }
    }
    first = new Difference(machine, next + 1, recorded, now, List.copyOf(before));
  }

  /** Numbers of names may be others in another build. */
  private boolean isSame(FlightRecord recorded, FlightRecord now, List<String> names) {
    boolean counts = now.kind() == RecordKind.TURN;
    return recorded.atNanos() == now.atNanos()
        && recorded.request() == now.request()
        && recorded.kind() == now.kind()
        && recorded.number() == now.number()
        && recorded.extra() == now.extra()
        && recorded.more() == now.more()
        && isSame(recorded.name(), now.name(), names)
        && (counts ? recorded.from() == now.from() : isSame(recorded.from(), now.from(), names))
        && (counts ? recorded.to() == now.to() : isSame(recorded.to(), now.to(), names));
  }

  private boolean isSame(int recorded, int now, List<String> names) {
    return text(names(), recorded).equals(text(names, now));
  }

  private static String text(List<String> names, int index) {
    return index < names.size() ? names.get(index) : "name " + index;
  }
}
