package dev.upcall.sim.store.campaign;

import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.RecordRing;
import dev.upcall.sim.SimTap;
import dev.upcall.sim.store.SimRun;
import dev.upcall.sim.store.campaign.SimComparison.Difference;
import dev.upcall.sim.store.plan.Canary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Runs a recorded lifetime again, and compares what its machines record now with what they
 * recorded: all of it, and transitions by themselves.
 */
final class SimReplay implements SimTap.Sink {
  private final SimComparison all;
  private final SimComparison transitions;

  /**
   * What came of it.
   *
   * @param head what was run
   * @param store which store it is now
   * @param build this one
   * @param record the first record that differs
   * @param transition the first transition that differs
   * @param end how it ended now
   */
  record Result(
      SimRecording.Head head,
      Canary store,
      String build,
      @Nullable Difference record,
      @Nullable Difference transition,
      String end) {
    /** Whether nothing differs. */
    boolean isSame() {
      return record == null && end.equals(head.end());
    }

    /** For a person. */
    void print(PrintWriter out) {
      out.printf(
          Locale.ROOT,
          "Seed %d%s, recorded by %s build: %,d records",
          head.seed(),
          head.canary() == Canary.SOUND ? "" : ", " + head.canary(),
          build.equals(head.build()) ? "this" : "another",
          head.records());
      out.println(
          head.leftOut() == 0
              ? ""
              : String.format(Locale.ROOT, ", and %,d left out behind them", head.leftOut()));
      if (store != head.canary()) {
        out.println("Now it is another store: " + store);
      }
      if (record == null) {
        out.println("All records are the same.");
      } else {
        print(out, record);
      }
      if (end.equals(head.end())) {
        out.println("The end is the same: " + end);
      } else {
        out.println("The end was: " + head.end());
        out.println("The end is:  " + end);
      }
    }

    private void print(PrintWriter out, Difference first) {
      print(out, first.equals(transition) ? "transition" : "record", first);
      if (transition == null) {
        out.println("No transition differs.");
      } else if (!first.equals(transition)) {
        print(out, "transition", transition);
      }
      if (!first.before().isEmpty()) {
        out.println("Before the first that differs:");
        first.before().forEach(line -> out.println("  " + line));
      }
    }

    private static void print(PrintWriter out, String what, Difference one) {
      out.printf(
          Locale.ROOT,
          "The first %s that differs, record %,d of machine %d:%n  recorded  %s%n  now       %s%n",
          what,
          one.number(),
          one.machine(),
          one.recorded(),
          one.now());
    }
  }

  private SimReplay(SimRecording recording) {
    all = new SimComparison(recording, record -> true);
    transitions = new SimComparison(recording, record -> record.kind() == RecordKind.TRANSITION);
  }

  /**
   * Runs it again.
   *
   * @param store the one that is run: the recorded one, or another with the same inputs
   * @throws SimRecording.Refused if its seed means something else here
   */
  static Result run(SimRecording recording, Canary store) throws IOException {
    SimRecording.Head head = recording.head();
    if (!SimRecorder.plan(head.seed()).equals(head.plan())) {
      throw new SimRecording.Refused(
          "recorded by a build whose seeds mean something else: %d is another lifetime here"
              .formatted(head.seed()));
    }
    SimReplay replay = new SimReplay(recording);
    SimRun run = new SimRun(head.seed(), head.canary(), store, SimRun.device(head.canary()));
    String end = SimRecorder.end(run, new SimTap(replay));
    replay.all.end();
    replay.transitions.end();
    return new Result(
        head, store, SimBuild.id(), replay.all.first(), replay.transitions.first(), end);
  }

  @Override
  public void took(int machine, List<String> names, ByteBuffer records) {
    for (int at = 0; at < records.limit(); at += RecordRing.RECORD_BYTES) {
      FlightRecord now = FlightRecord.read(records, at);
      all.take(machine, now, names);
      transitions.take(machine, now, names);
    }
  }
}
