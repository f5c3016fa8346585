package dev.upcall.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole report with tiny inputs: its figures mean nothing, but it cannot rot. */
class FsmReportCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine bench = Main.commandLine();
    bench.setOut(new PrintWriter(out));
    bench.setErr(new PrintWriter(err));
    return bench.execute(arguments);
  }

  @Test
  void aTinyRunMakesAWholeReport() throws Exception {
    String here = folder.toString();
    int exit = run("fsm-report", "--size", "tiny", "--dir", here, "--out", here + "/made");
    assertEquals(0, exit, () -> err + "\n" + out);
    Path made = folder.resolve("made");
    String page = Files.readString(made.resolve("fsm-report.html"));
    assertTrue(page.contains("state machines, own thread"), page);
    assertTrue(page.contains("platform threads"), page);
    assertFalse(page.contains("left out from there on"), page);
    assertTrue(out.toString().contains("FSM-F6"), out::toString);
    assertTrue(out.toString().contains("FSM-LOC   holds"), out::toString);
    assertTrue(err.toString().contains("left: "), err::toString);
    try (var left = Files.list(made)) {
      assertEquals(2, left.count(), "the page and its data");
    }
    try (var left = Files.list(folder)) {
      assertEquals(1, left.count(), "scratch files are left");
    }
  }

  @Test
  void aPlaceWhereNothingCanBeWrittenIsToldBefore() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertEquals(2, run("fsm-report", "--out", file.toString()));
    assertTrue(err.toString().contains("--out: " + file + " is a file"), err::toString);
    assertEquals(2, run("fsm-report", "--dir", file.resolve("below").toString()));
    assertTrue(err.toString().contains("--dir: "), err::toString);
    assertEquals(2, run("fsm-report", "--dir", folder.toString(), "--only", "nothing"));
    assertTrue(err.toString().contains("no experiment has \"nothing\""), err::toString);
  }
}
