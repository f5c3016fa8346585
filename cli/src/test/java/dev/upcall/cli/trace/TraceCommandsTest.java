package dev.upcall.cli.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.journal.recording.ModelRecorder;
import dev.upcall.journal.recording.RecordingConfig;
import dev.upcall.journal.recording.RecordingReader;
import dev.upcall.journal.recording.RecordingWriter;
import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code upcall trace}: of a made-up recording, and of a store that is served. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class TraceCommandsTest {
  @TempDir Path here;

  private Path rec() {
    return here.resolve("rec");
  }

  @Test
  void aRequestAsAWaterfall() throws IOException {
    MadeUpRecording.write(rec());
    List<String> lines = output("trace", "request", "r3", "--from=rec").lines().toList();
    assertEquals(
        """
        r3 PUT by http: Done, 2.75 ms, began 2027-01-15T08:00:00.001Z

                                                                                    AT     TOOK
        |##############################|  Upload#7 WRITING                        0 ns  2.75 ms
        |          #################   |  disk write (log) block 4096 +8 (b4)  1.00 ms  1.50 ms
        """
            .lines()
            .toList(),
        lines.subList(0, 5));
    assertEquals(lines, output("trace", "request", "3", "--from=rec").lines().toList());
    assertTrue(lines.get(5).contains("serves r3 too, commit (b4)"), lines::toString);
    assertTrue(lines.get(6).contains("stall in Slow"), lines::toString);
  }

  @Test
  void tablesOfAllViews() throws IOException {
    MadeUpRecording.write(rec());
    assertEquals(
        """
        REQUEST  ID  BY    OUTCOME  BEGAN               TOOK
        PUT      r3  http  Done     08:00:00.001000  2.75 ms
        """,
        output("trace", "slowest", "--from=rec"));
    assertEquals(
        """
        MACHINE  STATE    COUNT      SUM      P50      P99  LONGEST
        Upload   WRITING      1  2.75 ms  2.75 ms  2.75 ms  2.75 ms
        """,
        output("trace", "states", "--from=rec"));
    assertEquals(
        """
        at 2027-01-15T08:00:00.003Z

        WHAT                COUNT
        request  PUT            1
        Upload   WRITING        1
        device   write          1
        upcalls  that wait      1
        """,
        output("trace", "depths", "--from=rec", "--at=+2ms"));
    String stalls = output("trace", "stalls", "--from=rec");
    assertTrue(stalls.startsWith("1 stalls\n\n08:00:00.003500  1.20 ms in Slow, for r3\n"), stalls);
    assertTrue(stalls.contains("Upload#7 ENDED -> WRITING"), stalls);
    String overview = output("trace", "--from=rec");
    assertTrue(overview.contains("records:   9 in " + rec()), overview);
    assertTrue(overview.contains("PUT          1  2.75 ms"), overview);
  }

  @Test
  void everyViewIsJsonToo() throws IOException {
    MadeUpRecording.write(rec());
    for (List<String> view :
        List.of(
            List.of("trace"),
            List.of("trace", "slowest"),
            List.of("trace", "request", "r3"),
            List.of("trace", "states"),
            List.of("trace", "depths"),
            List.of("trace", "stalls"))) {
      List<String> all = new ArrayList<>(view);
      all.addAll(List.of("--from=rec", "--json"));
      String json = output(all.toArray(String[]::new));
      assertTrue(fields(json).containsKey("missing"), json);
    }
    assertEquals(
        "2750000", fields(output("trace", "slowest", "--from=rec", "--json")).get("tookNanos"));
  }

  @Test
  void theExportIsTraceEvents() throws IOException {
    MadeUpRecording.write(rec());
    output("trace", "--from=rec", "--export=trace.json");
    Map<String, Integer> phases = new TreeMap<>();
    try (JsonParser parser =
        new JsonFactory().createParser(Files.readString(here.resolve("trace.json")))) {
      int depth = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth == 3 && "ph".equals(parser.currentName()) && token == JsonToken.VALUE_STRING) {
          phases.merge(parser.getText(), 1, Integer::sum);
        }
      }
    }
    // A request, two stays of which one goes on, a write: begins and ends; turn and stall.
    assertEquals(Map.of("M", 1, "b", 4, "e", 3, "X", 2, "C", 1, "i", 1), phases);
    refused(ExitCode.FAILED, "trace.json", "trace", "--from=rec", "--export=trace.json");
  }

  @Test
  void whoCannotReplaySaysWhoCan() {
    refused(ExitCode.FAILED, "./upcall trace replay rec ", "trace", "replay", "rec");
  }

  @Test
  void requestsAreFollowedUntilTheEnd() throws IOException {
    MadeUpRecording.write(rec());
    TestShell shell = new TestShell(here);
    shell.stop.ask();
    assertEquals(ExitCode.OK, shell.run("trace", "--follow", "--from=rec"), shell::err);
    assertEquals(1, shell.out().lines().count(), shell::out);
    assertTrue(shell.out().startsWith("08:00:00.001000  r3 "), shell::out);
    assertTrue(shell.out().endsWith(" 2.75 ms\n"), shell::out);
    assertEquals(ExitCode.OK, shell.run("trace", "-f", "--from=rec", "--json"), shell::err);
    assertEquals("r3", fields(shell.out()).get("id"));
  }

  @Test
  void aTerminalObeysNoRecording() throws IOException {
    ModelRecorder recorder = new ModelRecorder(10);
    int verb = recorder.name("G\u001b[31mET");
    recorder.write(1, 3, new int[] {verb, 0}, 0);
    recorder.write(2, 3, new int[] {verb, 0, 0}, 0);
    RecordingWriter.start(recorder, rec(), RecordingConfig.DEFAULT, new UUID(5, 6)).close();
    for (String view : new String[] {"slowest", "--run=1", "--follow"}) {
      TestShell shell = new TestShell(here);
      shell.stop.ask();
      assertEquals(ExitCode.OK, shell.run("trace", view, "--from=rec"), shell::err);
      assertTrue(shell.out().contains("G\\x1b[31mET"), shell::out);
    }
  }

  @Test
  void whatCannotBeShownIsRefused() throws IOException {
    MadeUpRecording.write(rec());
    Files.createDirectory(here.resolve("empty"));
    refused(ExitCode.FAILED, "no recording", "trace", "--from=empty");
    refused(ExitCode.FAILED, "nowhere", "trace", "--from=nowhere");
    refused(ExitCode.FAILED, "nothing is recorded", "trace", "request", "r77", "--from=rec");
    refused(ExitCode.USAGE, "is no request", "trace", "request", "x", "--from=rec");
    refused(ExitCode.USAGE, "is no time", "trace", "depths", "--at=noon", "--from=rec");
    refused(ExitCode.USAGE, "--run is 1 to 1", "trace", "--run=2", "--from=rec");
    refused(ExitCode.USAGE, "two things", "trace", "--follow", "--export=f", "--from=rec");
    refused(ExitCode.FAILED, "no process", "trace", "--store=v.upcall");
    refused(ExitCode.USAGE, "go with --record", "serve", "--record-bytes=1g", "--store=v");
    refused(ExitCode.USAGE, "go with --record", "serve", "--record-inputs", "--store=v");
    refused(ExitCode.USAGE, "16 MiB", "serve", "--record=r", "--record-bytes=1m", "--store=v");
    refused(ExitCode.USAGE, "--engine=fsm", "serve", "--record=r", "--engine=threads", "--store=v");
    refused(
        ExitCode.USAGE, "--records-kept=0", "serve", "--record=r", "--records-kept=0", "--store=v");
    refused(ExitCode.USAGE, "a power of two", "serve", "--records-kept=3", "--store=v");
  }

  @Test
  void aServedStoreIsLookedAtAndItsRecordingStays() throws Exception {
    TestShell make = new TestShell(here).input(new byte[] {1});
    assertEquals(
        ExitCode.OK,
        make.run("put", "-", "/a", "--create", "--store=v.upcall", "--volume-size=64m"),
        make::err);
    TestShell shell = new TestShell(here);
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(
            () -> shell.run("serve", "--store=v.upcall", "--record=rec", "--port=0"));
    while (!code.isDone() && !shell.err().contains("serving on ")) {
      Thread.onSpinWait();
    }
    TestShell asked = new TestShell(here).input(new byte[] {2});
    assertEquals(ExitCode.OK, asked.run("put", "-", "/b", "--store=v.upcall"), asked::err);
    String live = output("trace", "--store=v.upcall", "--json");
    assertEquals("memory", fields(live).get("from"));
    assertTrue(output("trace", "states", "--store=v.upcall").lines().count() > 2);
    while (!code.isDone() && RecordingReader.runs(rec()).isEmpty()) {
      Thread.onSpinWait();
    }
    assertTrue(output("trace", "states", "--from=rec").lines().count() > 2);
    shell.stop.ask();
    assertEquals(ExitCode.OK, code.get(120, TimeUnit.SECONDS), shell::err);
    Map<String, String> recorded = fields(output("trace", "--from=rec", "--json"));
    assertEquals("0", recorded.get("missing"));
    assertEquals("0", recorded.get("damaged"));
    refused(ExitCode.FAILED, "no process", "trace", "--store=v.upcall");
  }

  @Test
  void whatAServedStoreIsAskedIsRecordedFromTheImportOn() throws Exception {
    Files.createDirectory(here.resolve("letters"));
    Files.writeString(here.resolve("letters/one"), "hello");
    TestShell shell = new TestShell(here);
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(
            () -> shell.run("serve", "letters", "--record=rec", "--record-inputs", "--port=0"));
    while (!code.isDone() && !shell.err().contains("serving on ")) {
      Thread.onSpinWait();
    }
    shell.stop.ask();
    assertEquals(ExitCode.OK, code.get(120, TimeUnit.SECONDS), shell::err);
    TraceSource.Cursor cursor =
        TraceSource.files(rec(), RecordingReader.runs(rec()).getFirst().id()).open();
    List<String> inputs = new ArrayList<>();
    cursor.read(
        one -> {
          if (one.kind() == TraceKind.INPUT) {
            inputs.add(TraceRecord.text(cursor.names(), one.name()));
          }
        });
    assertEquals("STORE", inputs.getFirst());
    assertTrue(inputs.contains("CHANGE"), inputs::toString);
    assertTrue(inputs.contains("ASKED"), inputs::toString);
  }

  /** The last value of each field of a document, whatever it is in. */
  private static Map<String, String> fields(String json) throws IOException {
    Map<String, String> fields = new TreeMap<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue() && parser.currentName() != null) {
          fields.put(parser.currentName(), parser.getText());
        }
      }
    }
    return fields;
  }

  private String output(String... args) {
    TestShell shell = new TestShell(here);
    assertEquals(ExitCode.OK, shell.run(args), shell::err);
    return shell.out();
  }

  private void refused(int code, String why, String... args) {
    TestShell shell = new TestShell(here);
    assertEquals(code, shell.run(args), shell::err);
    assertTrue(shell.err().contains(why), shell::err);
  }
}
