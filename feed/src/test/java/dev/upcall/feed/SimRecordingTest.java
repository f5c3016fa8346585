package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.recording.RecordingReader;
import dev.upcall.journal.trace.Requests;
import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import dev.upcall.sim.store.campaign.SimRecorder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the simulator records is read as what a store records: they know nothing of each other. */
class SimRecordingTest {
  @TempDir Path here;

  @Test
  void eachMachineOfALifetimeIsARun() throws IOException {
    long written = SimRecorder.record(7, here);
    Path file = here.resolve("records");
    List<RecordingReader.Run> runs = RecordingReader.runs(file);
    assertTrue(runs.size() > 4, "runs: " + runs.size());
    assertEquals(written, runs.stream().mapToLong(RecordingReader.Run::records).sum());
    List<Requests.Finished> finished = new ArrayList<>();
    List<String> moves = new ArrayList<>();
    for (RecordingReader.Run run : runs) {
      TraceSource.Cursor cursor = TraceSource.files(file, run.id()).open();
      Requests requests = new Requests(finished::add);
      List<TraceRecord> records = new ArrayList<>();
      cursor.read(
          one -> {
            requests.accept(one);
            records.add(one);
          });
      assertEquals(run.records(), records.size());
      assertEquals(0, cursor.missing());
      assertEquals(0, cursor.damaged());
      records.stream()
          .filter(one -> one.kind() == TraceKind.TRANSITION)
          .forEach(one -> moves.add(one.describe(cursor.names())));
    }
    assertTrue(
        moves.contains("Recovery#0 READING_SUPERBLOCK -> LOADING_MAP"),
        () -> moves.subList(0, Math.min(20, moves.size())).toString());
  }
}
