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
    int exit = run("fsm-report", "--size", "tiny", "--dir", here, "--out", here);
    assertEquals(0, exit, () -> out + "\n" + err);
    String page = Files.readString(folder.resolve("fsm-report.html"));
    assertTrue(page.contains("state machines, own thread"), page);
    assertTrue(page.contains("platform threads"), page);
    assertFalse(page.contains("left out from there on"), page);
    assertTrue(out.toString().contains("FSM-F6"), out::toString);
    assertTrue(out.toString().contains("FSM-LOC   holds"), out::toString);
    assertTrue(err.toString().contains("left: "), err::toString);
    try (var left = Files.list(folder)) {
      assertEquals(2, left.count(), "scratch files are left");
    }
  }

  @Test
  void aFolderThatIsNotThereIsToldBefore() {
    assertEquals(2, run("fsm-report", "--out", folder.resolve("nowhere").toString()));
    assertTrue(err.toString().contains("is no directory"), err::toString);
  }
}
