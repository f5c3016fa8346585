package dev.upcall.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The study at its smallest: it cannot rot. */
class ProxyLayoutsCommandTest {
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
  void aQuickRunMakesAWholeReport() throws Exception {
    Path made = folder.resolve("made");
    Path traces = folder.resolve("traces");
    assertEquals(
        0,
        run(
            "proxy-layouts",
            "--size",
            "quick",
            "--out",
            made.toString(),
            "--traces",
            traces.toString()),
        err::toString);
    String page = Files.readString(made.resolve("proxy-layouts.html"));
    assertTrue(page.contains("popularity drifts"), page);
    assertTrue(page.contains("<dd>6 of 6</dd>"), page);
    assertTrue(page.contains("Which claims hold on the device"), page);
    assertTrue(page.contains("day 2 against day 1"), page);
    assertTrue(page.contains("Sensitivity: 32 directories a group"), page);
    String claims = out.toString();
    for (String id :
        List.of(
            "HIT", "F1", "F2", "ZIPF", "CROSS", "F4", "F4R", "F5L", "F5M", "F5ML", "F5A", "F5B",
            "SIZE", "DIR", "F6", "OVER", "F7A", "F7F", "F7B")) {
      assertTrue(claims.contains("PX-" + id + " "), () -> id + " is missing in " + claims);
    }
    assertTrue(claims.contains("PX-F4     undecided"), "a tenth decides nothing: " + claims);
    try (var left = Files.list(made)) {
      assertEquals(2, left.count(), "the page and its data");
    }
    try (var written = Files.list(traces)) {
      assertEquals(8, written.count(), "the requests, and a trace for each layout");
    }
  }

  @Test
  void wrongOptionsAreTold() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertEquals(2, run("proxy-layouts", "--traces", file.toString()));
    assertTrue(err.toString().contains("--traces: " + file + " is a file"), err::toString);
    assertEquals(2, run("proxy-layouts", "--size", "huge"));
    assertTrue(err.toString().contains("QUICK, STANDARD, FULL"), err::toString);
  }
}
