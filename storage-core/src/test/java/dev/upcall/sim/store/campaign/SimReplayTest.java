package dev.upcall.sim.store.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.sim.store.plan.Canary;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording of a lifetime runs again as it ran, or the first record that differs is named. */
class SimReplayTest {
  private static final long MOST = SimRecorder.MAX_RECORDS;

  @TempDir Path here;

  private static SimReplay.Result replay(Path folder, Canary store) throws IOException {
    return SimReplay.run(SimRecording.read(folder), store);
  }

  static String text(SimReplay.Result result) {
    StringWriter text = new StringWriter();
    result.print(new PrintWriter(text, true));
    return text.toString();
  }

  @Test
  void aLifetimeThatHoldsIsTheSameAgain() throws IOException {
    SimRecording.Head head = SimRecorder.record(7, Canary.SOUND, here, MOST);
    assertTrue(head.end().startsWith("held, Outcome[hash="), head.end());
    SimReplay.Result result = replay(here, Canary.SOUND);
    assertTrue(result.isSame(), () -> text(result));
    assertTrue(text(result).startsWith("Seed 7, recorded by this build: "), () -> text(result));
    SimRecording recording = SimRecording.read(here);
    assertTrue(recording.machines().size() > 4, "machines: " + recording.machines().size());
    assertEquals(
        head.records(), recording.machines().stream().mapToLong(SimRecording.Machine::count).sum());
    assertTrue(head.records() > 10_000, "records: " + head.records());
  }

  /** A store that makes changes durable where the other only says so. */
  @Test
  void ofAnotherStoreTheFirstTransitionThatDiffersIsNamed() throws IOException {
    SimRecorder.record(7, Canary.SOUND, here, MOST);
    SimReplay.Result result = replay(here, Canary.ACKNOWLEDGED_BEFORE_DURABLE);
    SimComparison.Difference record = Objects.requireNonNull(result.record());
    SimComparison.Difference transition = Objects.requireNonNull(result.transition());
    assertFalse(result.isSame());
    SimRecording recording = SimRecording.read(here);
    List<String> recorded = lines(recording, record.machine());
    assertEquals(recorded.get(record.number() - 1), record.recorded());
    assertEquals(
        recorded.subList(Math.max(0, record.number() - 13), record.number() - 1), record.before());
    assertEquals(
        lines(recording, transition.machine()).get(transition.number() - 1), transition.recorded());
    assertTrue(transition.recorded().contains(" -> "), transition.recorded());
    assertTrue(transition.now().contains(" -> "), transition.now());
    assertTrue(text(result).contains("first transition that differs"), () -> text(result));
  }

  private static List<String> lines(SimRecording recording, int machine) {
    SimRecording.Machine of = recording.machines().get(machine - 1);
    List<String> lines = new ArrayList<>();
    for (int number = 0; number < of.count(); number++) {
      lines.add(of.record(number).describe(of.names()));
    }
    return lines;
  }

  @Test
  void whatIsBehindTheBoundIsLeftOut() throws IOException {
    SimRecording.Head all = SimRecorder.record(7, Canary.SOUND, here, MOST);
    SimRecording.Head some = SimRecorder.record(7, Canary.SOUND, here, 9_000);
    assertTrue(some.records() <= 9_000 && some.records() > 7_000, "records: " + some.records());
    assertEquals(all.records(), some.records() + some.leftOut());
    SimReplay.Result result = replay(here, Canary.SOUND);
    assertTrue(result.isSame(), () -> text(result));
    assertTrue(text(result).contains(" left out behind them"), () -> text(result));
  }

  /** Each difference that there can be is found: one is made at each kind of place. */
  @Test
  void aRecordThatIsMissingOrMoreIsNamed() throws IOException {
    SimRecorder.record(7, Canary.SOUND, here, MOST);
    SimRecording whole = SimRecording.read(here);
    SimRecording fewer =
        new SimRecording(whole.head(), whole.machines().subList(0, whole.machines().size() - 1));
    SimComparison.Difference more = Objects.requireNonNull(compare(whole, fewer).first());
    assertEquals(whole.machines().size(), more.machine());
    assertEquals(1, more.number());
    assertEquals("nothing, the machine's end", more.recorded());
    SimComparison.Difference less = Objects.requireNonNull(compare(fewer, whole).first());
    assertEquals(whole.machines().size(), less.machine());
    assertEquals("nothing, the machine's end", less.now());
    assertNull(compare(whole, whole).first());
    assertEquals(whole.head().records(), compare(whole, whole).same());
  }

  private static SimComparison compare(SimRecording now, SimRecording recorded) {
    SimComparison comparison = new SimComparison(recorded, one -> true);
    for (int machine = 1; machine <= now.machines().size(); machine++) {
      SimRecording.Machine of = now.machines().get(machine - 1);
      for (int number = 0; number < of.count(); number++) {
        comparison.take(machine, of.record(number), of.names());
      }
    }
    comparison.end();
    return comparison;
  }

  @Test
  void whateverByteIsDamagedIsRefused() throws IOException {
    SimRecorder.record(1, Canary.SOUND, here, 3_000);
    for (String name : List.of("lifetime", "records")) {
      Path file = here.resolve(name);
      byte[] bytes = Files.readAllBytes(file);
      int step = Math.max(1, bytes.length / 100);
      for (int at = 0; at < bytes.length; at += step) {
        byte[] damaged = bytes.clone();
        damaged[at] ^= 0x20;
        Files.write(file, damaged);
        refused(here, "");
      }
      for (int cut : new int[] {0, 1, bytes.length / 2, bytes.length - 1}) {
        Files.write(file, Arrays.copyOf(bytes, cut));
        refused(here, name.equals("records") ? "is not whole: " + cut + " bytes" : "");
      }
      Files.write(file, bytes);
    }
    assertTrue(replay(here, Canary.SOUND).isSame());
  }

  @Test
  void whatIsNoWholeRecordingIsRefused() throws IOException {
    refused(here.resolve("none"), "is no directory");
    refused(here, "is no recording of the simulator");
    Files.createFile(here.resolve("recording"));
    refused(here, "is the recording of a store that was served");
    assertThrows(SimRecording.Refused.class, () -> SimRecorder.record(1, Canary.SOUND, here, MOST));
    Files.delete(here.resolve("recording"));
    Files.createFile(here.resolve("records"));
    refused(here, "did not finish");
    SimRecorder.record(1, Canary.SOUND, here, MOST);
    Files.delete(here.resolve("records"));
    refused(here, "its records are missing");
    Files.writeString(here.resolve("lifetime"), "a simulated lifetime, version 2\n");
    refused(here, "is of another version");
  }

  private static void refused(Path folder, String why) {
    SimRecording.Refused refused =
        assertThrows(SimRecording.Refused.class, () -> SimRecording.read(folder));
    assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::getMessage);
  }

  @Test
  void whereASeedMeansSomethingElseNothingIsCompared() throws IOException {
    SimRecorder.record(1, Canary.SOUND, here, MOST);
    SimRecording one = SimRecording.read(here);
    SimRecording.Head head = one.head();
    SimRecording.Head other =
        new SimRecording.Head(
            2, head.canary(), head.build(), head.plan(), head.end(), head.records(), 0);
    assertThrows(
        SimRecording.Refused.class,
        () -> SimReplay.run(new SimRecording(other, one.machines()), Canary.SOUND));
  }

  @Test
  void aRecordingHasAllKindsOfInputs() throws IOException {
    SimRecorder.record(7, Canary.SOUND, here, MOST);
    SimRecording recording = SimRecording.read(here);
    for (RecordKind kind :
        List.of(
            RecordKind.REQUEST,
            RecordKind.TRANSITION,
            RecordKind.DISK_REQUEST,
            RecordKind.DISK_COMPLETION,
            RecordKind.TURN)) {
      assertTrue(
          recording.machines().stream().anyMatch(machine -> has(machine, kind)), "none of " + kind);
    }
  }

  private static boolean has(SimRecording.Machine machine, RecordKind kind) {
    for (int number = 0; number < machine.count(); number++) {
      FlightRecord one = machine.record(number);
      if (one.kind() == kind) {
        return true;
      }
    }
    return false;
  }
}
