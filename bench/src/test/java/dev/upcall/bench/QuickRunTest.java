package dev.upcall.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Lab;
import dev.upcall.jvm.ArchivedClasses;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The experiments cannot rot: each runs with tiny inputs. Peers that are not installed are marked,
 * our own side must have been measured.
 */
class QuickRunTest {
  private static final String ONCE = "--repetitions=1";

  @TempDir Path folder;

  /** Most of what this suite does is to start JVMs. */
  @BeforeAll
  static void archiveClasses() throws IOException {
    List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    flags.removeIf(flag -> flag.startsWith("-agentlib") || flag.startsWith("-javaagent"));
    ArchivedClasses classes = new ArchivedClasses("dev.upcall.cli.Rehearsal", /* first= */ 1);
    System.setProperty(Lab.CHILD_CLASSES, String.join("\n", classes.flags(flags)));
  }

  @AfterAll
  static void forgetClasses() {
    System.clearProperty(Lab.CHILD_CLASSES);
  }

  @ParameterizedTest
  @CsvSource({
    "http-threads,''",
    "network,'io_uring refused, create of 4 KiB'",
    "network,'io_uring refused, GET of 8 KiB, warm, 200 connections'",
    "reads,'32 outstanding, store'",
    "durable,'create of 4 KiB, durable, 64'",
    "durable,'over HTTP, durable, 64'",
    "start,'an existing store'",
    "ageing,''",
    "queue,''",
    "tails,'1 outstanding: the next'",
    "recorder,'with files'",
    "blocktrace,'cold'",
    "half-hour,''",
    "io-policies,'by fio'",
    "io-policies,'4 at the device'",
    "ecommerce-volume,'TPC-C standard'",
    "warmup,''",
    "tables,'looked up, warm'",
    "compositions,' 10 in flight'"
  })
  void experimentsRun(String name, String only) throws Exception {
    run(name, only, ONCE);
  }

  /** In turn with its peer. */
  @Test
  void anExperimentIsRepeated() throws Exception {
    run("calls", "");
  }

  /** Each wholly. */
  @ParameterizedTest
  @Tag("long")
  @ValueSource(
      strings = {
        "http",
        "network",
        "connections",
        "cycles",
        "sequential",
        "transfer",
        "idle",
        "carriers",
        "recovery",
        "checkpoint",
        "edits",
        "edits-ageing",
        "tables",
        "tpcc",
        "provider"
      })
  void theOthersRunToo(String name) throws Exception {
    run(name, "", ONCE);
  }

  /** Once: whoever has taken over has a standby again, which ends with it. */
  @Test
  void aPairFailsOver() throws Exception {
    run("failover", "", ONCE);
  }

  @Test
  void aBadQuarterOfASecondIsDrawn() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine bench = Main.commandLine();
    bench.setOut(new PrintWriter(out));
    bench.setErr(new PrintWriter(err));
    Path page = folder.resolve("timeline.html");

    int exit =
        bench.execute("timeline", "--quick", "--dir", folder.toString(), "--file", page.toString());

    assertEquals(0, exit, () -> out + "\n" + err);
    assertTrue(out.toString().contains("the slowest create of 300 took "), out::toString);
    String html = Files.readString(page);
    assertEquals(3, html.split("<svg", -1).length - 1, "caller, thread and device");
    assertTrue(html.contains("LOG DURABLE_WRITE"), html);
    assertEquals(2, bench.execute("timeline", "--creates", "0"));
  }

  @Test
  void stagesAddUp() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine bench = Main.commandLine();
    bench.setOut(new PrintWriter(out));
    bench.setErr(new PrintWriter(err));
    Path data = folder.resolve("stages.json");

    int exit =
        bench.execute("stages", "--quick", "--dir", folder.toString(), "--json", data.toString());

    assertEquals(0, exit, () -> out + "\n" + err);
    List<String> sums = out.toString().lines().filter(line -> line.contains("sums hold")).toList();
    assertEquals(6 * 3, sums.size(), out::toString);
    long warm = sums.stream().filter(line -> line.contains(", 0 % with I/O")).count();
    assertEquals(3 * 3, warm, out::toString);
    assertTrue(Files.readString(data).contains("\"inFlight\" : 50"), out::toString);
    assertTrue(out.toString().contains("FSM-TA"), out::toString);
    Files.delete(data);
    try (var left = Files.list(folder)) {
      assertEquals(0, left.count(), "scratch files are left");
    }
  }

  private void run(String name, String only, String... more) throws Exception {
    // Peers that refuse to run as root pass through it as somebody else.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine bench = Main.commandLine();
    bench.setOut(new PrintWriter(out));
    bench.setErr(new PrintWriter(err));

    Path page = folder.resolve("figures.html");
    List<String> arguments =
        new ArrayList<>(List.of(name, "--quick", "--dir=" + folder, "--html=" + page));
    arguments.add("--only=" + only);
    arguments.addAll(List.of(more));
    int exit = bench.execute(arguments.toArray(String[]::new));

    assertEquals(0, exit, () -> out + "\n" + err);
    assertTrue(Files.readString(page).contains("<h2>" + name), out::toString);
    boolean measured = out.toString().lines().anyMatch(line -> line.matches("  upcall.*\\d.*"));
    boolean noLoad = out.toString().contains("wrk is not installed");
    assertTrue(measured || noLoad, out::toString);
    assertFalse(
        out.toString().lines().anyMatch(line -> line.matches("  upcall.* failed: .*")),
        out::toString);
    Files.delete(page);
    try (var left = Files.list(folder)) {
      assertEquals(0, left.count(), "scratch files are left");
    }
  }
}
