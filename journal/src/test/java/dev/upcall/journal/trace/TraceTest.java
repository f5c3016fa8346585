package dev.upcall.journal.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.recording.ModelRecorder;
import dev.upcall.journal.recording.RecordingConfig;
import dev.upcall.journal.recording.RecordingWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found in records, on two requests that share one write of the log. */
class TraceTest {
  private static final long BACKGROUND = 1L << 62;

  @TempDir Path here;

  private final ModelRecorder recorder = new ModelRecorder(1 << 16);
  private final int get = recorder.name("GET");
  private final int put = recorder.name("PUT");
  private final int http = recorder.name("http");
  private final int open = recorder.name("OPEN");
  private final int api = recorder.name("api");
  private final int done = recorder.name("Done");
  private final int machine = recorder.name("Put");
  private final int idle = recorder.name("IDLE");
  private final int writing = recorder.name("WRITING");
  private final int ended = recorder.name("ENDED");
  private final int write = recorder.name("write");
  private final int log = recorder.name("log");
  private final int batch = recorder.name("batch");
  private final int culprit = recorder.name("Culprit");

  /**
   * r1 is a PUT from 100 to 900, which makes a call from 200 to 300; r2 a GET from 200 to 300, r3 a
   * PUT from 400 to 900. Both PUTs are served by a write of work b9 from 500 to 800.
   */
  private void story() {
    recorder.pass(100);
    recorder.write(1, 1, new int[] {put, http}, 0);
    recorder.write(3, 1, new int[] {machine, idle, writing}, 0);
    recorder.pass(100);
    recorder.write(1, 2, new int[] {get, http}, 0);
    recorder.write(1, 1, new int[] {open, api}, 0);
    recorder.pass(100);
    recorder.write(2, 2, new int[] {get, http, done}, 0);
    recorder.write(2, 1, new int[] {open, api, done}, 0);
    recorder.pass(100);
    recorder.write(1, 3, new int[] {put, http}, 0);
    recorder.write(3, 3, new int[] {machine, idle, writing}, 1);
    recorder.pass(100);
    recorder.write(9, BACKGROUND | 9, new int[] {batch}, 1);
    recorder.write(9, BACKGROUND | 9, new int[] {batch}, 3);
    recorder.write(4, BACKGROUND | 9, new int[] {write, log}, 77, 4096, 8);
    recorder.write(6, 0, new int[] {0, 1, 0}, 4, 200, 5L << 32 | 3);
    recorder.pass(300);
    recorder.write(5, BACKGROUND | 9, new int[] {write, log, done}, 77, 4096, 8);
    recorder.pass(100);
    recorder.write(3, 1, new int[] {machine, writing, ended}, 0);
    recorder.write(2, 1, new int[] {put, http, done}, 0);
    recorder.write(7, 3, new int[] {culprit}, 0, 12_345);
    recorder.write(3, 3, new int[] {machine, writing, ended}, 1);
    recorder.write(2, 3, new int[] {put, http, done}, 0);
  }

  private TraceSource memory() {
    return TraceSource.memory(recorder, 1 << 16);
  }

  @Test
  void theSlowestRequestsOfEachVerb() throws IOException {
    story();
    List<SlowestRequests.Verb> verbs = SlowestRequests.of(memory().open(), 1);
    assertEquals(List.of(put, get, open), verbs.stream().map(SlowestRequests.Verb::name).toList());
    assertEquals(2, verbs.getFirst().spread().count());
    assertEquals(800 + 500, verbs.getFirst().spread().sumNanos());
    assertEquals(
        List.of(new Requests.Finished(1, put, http, done, 100, 900)), verbs.getFirst().slowest());
    assertEquals(100, verbs.getLast().spread().maxNanos());
  }

  @Test
  void aRequestWithTheWorkThatServedIt() throws IOException {
    story();
    Waterfall waterfall = Waterfall.of(memory(), 3).orElseThrow();
    assertEquals(400, waterfall.fromNanos());
    assertEquals(900, waterfall.toNanos());
    List<String> steps = new ArrayList<>();
    for (Waterfall.Step step : waterfall.steps().list()) {
      steps.add(
          step.fromNanos()
              + " to "
              + step.toNanos()
              + " "
              + step.record().describe(recorder.names()));
    }
    assertEquals(
        List.of(
            "400 to 900 Put#1 IDLE -> WRITING",
            "500 to 800 disk write (log) block 4096 +8",
            "500 to 500 serves r3 too, batch",
            "900 to 900 stall in Culprit",
            "900 to 900 Put#1 WRITING -> ENDED"),
        steps);
    Waterfall first = Waterfall.of(memory(), 1).orElseThrow();
    assertEquals(100, first.fromNanos());
    Waterfall.Step call = first.steps().list().get(1);
    assertEquals("begins OPEN by api", call.record().describe(recorder.names()));
    assertEquals(300, call.toNanos());
    assertEquals(Optional.empty(), Waterfall.of(memory(), 4));
  }

  @Test
  void timesInEachState() throws IOException {
    story();
    List<StateTimes.Stay> stays = StateTimes.of(memory().open());
    assertEquals(1, stays.size());
    assertEquals(new StateTimes.State(machine, writing), stays.getFirst().state());
    assertEquals(2, stays.getFirst().spread().count());
    assertEquals(800 + 500, stays.getFirst().spread().sumNanos());
  }

  @Test
  void whatIsUnderWayAtAnInstant() throws IOException {
    story();
    Map<StateTimes.State, Long> bothWrite = Map.of(new StateTimes.State(machine, writing), 2L);
    assertEquals(
        new Depths(Map.of(put, 2L), bothWrite, Map.of(write, 1L), 3),
        Depths.at(memory().open(), 600));
    assertEquals(
        new Depths(
            Map.of(put, 1L, get, 1L, open, 1L),
            Map.of(new StateTimes.State(machine, writing), 1L),
            Map.of(),
            0),
        Depths.at(memory().open(), 250));
    // All has ended: a state that nobody ever leaves holds none.
    assertEquals(new Depths(Map.of(), Map.of(), Map.of(), 3), Depths.at(memory().open(), 900));
  }

  @Test
  void stallsWithWhatRanBefore() throws IOException {
    story();
    recorder.write(7, 0, new int[] {culprit}, 0, 99_999);
    Stalls stalls = Stalls.of(memory().open(), 1);
    assertEquals(2, stalls.count());
    Stalls.Stall longest = stalls.longest().getFirst();
    assertEquals(99_999, longest.record().extra());
    assertEquals(Stalls.BEFORE, longest.before().size());
    assertEquals(TraceKind.COMPLETION, longest.before().getLast().kind());
  }

  @Test
  void anOverviewCountsKinds() throws IOException {
    story();
    Overview overview = Overview.of(memory().open());
    assertEquals(4, overview.records().get(TraceKind.REQUEST));
    assertEquals(18, overview.count());
    assertEquals(100, overview.firstNanos());
    assertEquals(900, overview.lastNanos());
    assertEquals(0, Overview.of(TraceSource.memory(new ModelRecorder(1), 1).open()).count());
  }

  @Test
  void filesTellTheSame() throws IOException {
    story();
    UUID run = new UUID(1, 2);
    RecordingWriter.start(recorder, here, RecordingConfig.DEFAULT, run).close();
    TraceSource files = TraceSource.files(here, run);
    TraceSource.Cursor cursor = files.open();
    List<TraceRecord> read = new ArrayList<>();
    cursor.read(read::add);
    List<TraceRecord> remembered = new ArrayList<>();
    assertTrue(memory().open().read(remembered::add));
    assertEquals(remembered, read);
    assertEquals(recorder.names(), cursor.names());
    assertEquals(memory().open().epochLessClockNanos(), cursor.epochLessClockNanos());
  }

  @Test
  void memoryIsFollowed() throws IOException {
    TraceSource.Cursor cursor = TraceSource.following(recorder, 1 << 16);
    assertFalse(cursor.read(_ -> {}));
    recorder.fill(3);
    List<TraceRecord> read = new ArrayList<>();
    assertTrue(cursor.read(read::add));
    assertEquals(3, read.size());
    recorder.fill((1 << 16) + 7);
    assertTrue(cursor.read(read::add));
    assertEquals(7, cursor.missing());
  }

  @Test
  void anyRecordCanBeDescribed() throws IOException {
    Random random = new Random(37);
    for (int round = 0; round < 2000; round++) {
      int[] numbers = {random.nextInt(20), random.nextInt(20), random.nextInt(20)};
      recorder.write(
          random.nextInt(256),
          random.nextLong(),
          numbers,
          random.nextLong(),
          random.nextLong(),
          random.nextLong());
    }
    int[] count = {0};
    memory()
        .open()
        .read(
            one -> {
              assertFalse(one.describe(recorder.names()).isEmpty());
              count[0]++;
            });
    assertEquals(2000, count[0]);
    // Nothing of it makes an analysis fail.
    SlowestRequests.of(memory().open(), 3);
    StateTimes.of(memory().open());
    Depths.at(memory().open(), 0);
    Stalls.of(memory().open(), 3);
  }

  @Test
  void idsAsPeopleWriteThem() {
    assertEquals(17, TraceRecord.id("r17"));
    assertEquals(17, TraceRecord.id("17"));
    assertEquals(BACKGROUND | 17, TraceRecord.id("b17"));
    assertEquals("b17", TraceRecord.idName(BACKGROUND | 17));
    for (String none : List.of("", "r", "x1", "-1", "r1234567890123456789", "1.5")) {
      assertThrows(IllegalArgumentException.class, () -> TraceRecord.id(none), none);
    }
  }

  @Test
  void quantilesAreRightToASixteenth() {
    Random random = new Random(41);
    Spread spread = new Spread();
    List<Long> all = new ArrayList<>();
    for (int round = 0; round < 5000; round++) {
      long nanos = random.nextLong(1L << random.nextInt(1, 62));
      spread.add(nanos);
      all.add(nanos);
    }
    all.sort(null);
    for (double share : new double[] {0.01, 0.5, 0.9, 0.99, 1}) {
      long right = all.get((int) Math.ceil(share * all.size()) - 1);
      long found = spread.quantileNanos(share);
      assertTrue(found >= right && found <= right + right / 16 + 1, share + ": " + found);
    }
    assertEquals(all.getLast(), spread.maxNanos());
    assertEquals(0, new Spread().quantileNanos(0.5));
  }
}
