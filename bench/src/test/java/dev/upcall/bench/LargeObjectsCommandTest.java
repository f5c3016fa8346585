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

/** The paper's experiments and the store's with few operations: they cannot rot. */
class LargeObjectsCommandTest {
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
    assertEquals(
        0, run("large-objects", "--size", "quick", "--out", made.toString()), err::toString);
    String page = Files.readString(made.resolve("large-objects.html"));
    assertTrue(page.contains("EOS, T = 16"), page);
    assertTrue(page.contains("<dd>8 of 8</dd>"), page);
    assertTrue(page.contains("<h2>This machine</h2>"), page);
    assertTrue(page.contains("100 KB, EOS, T = 64"), page);
    assertTrue(page.contains("10 KB, ESM, 64 pages"), page);
    assertTrue(page.contains("100 B, Starburst, tail only"), page);
    assertTrue(Files.readString(made.resolve("large-objects.json")).contains("at_once-1-device"));
    String claims = out.toString();
    for (String id : List.of("F5", "F6", "IDX", "F7a", "F8", "CARE", "T2", "F9", "F10", "T3")) {
      assertTrue(claims.contains("LOB-" + id), () -> id + " is missing in " + claims);
    }
    for (String id : List.of("F11a", "F11b", "F11c", "F12", "CMP", "DEL", "30X", "SIZE")) {
      assertTrue(claims.contains("LOB-" + id), () -> id + " is missing in " + claims);
    }
    assertTrue(claims.contains("LOB-IDX   holds"), claims);
    assertTrue(claims.contains("LOB-T2    undecided"), "few operations decide nothing: " + claims);
    assertTrue(claims.contains("HERE-SPACE"), claims);
    assertTrue(claims.contains("HERE-SCAN"), claims);
    assertTrue(err.toString().contains("left: "), err::toString);
    try (var left = Files.list(made)) {
      assertEquals(2, left.count(), "the page and its data");
    }
  }

  @Test
  void wrongOptionsAreTold() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertEquals(2, run("large-objects", "--out", file.toString()));
    assertTrue(err.toString().contains("--out: " + file + " is a file"), err::toString);
    assertEquals(2, run("large-objects", "--size", "huge"));
    assertTrue(err.toString().contains("QUICK, STANDARD, FULL"), err::toString);
    assertEquals(2, run("large-objects", "--policy", "eos"));
    assertTrue(err.toString().contains("Unknown option"), err::toString);
  }
}
