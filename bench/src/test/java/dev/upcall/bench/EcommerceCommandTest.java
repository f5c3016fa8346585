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

/** The study at its smallest: they cannot rot. */
class EcommerceCommandTest {
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
    assertEquals(0, run("ecommerce", "--size", "quick", "--out", made.toString()), err::toString);
    String page = Files.readString(made.resolve("ecommerce.html"));
    assertTrue(page.contains("anticipatory, 6 ms"), page);
    assertTrue(page.contains("<dd>8 of 8</dd>"), page);
    String claims = out.toString();
    for (String id : List.of("T1", "T2", "T3", "T5..T7", "F1", "F2", "F3", "F4", "F5")) {
      assertTrue(claims.contains("EC-" + id), () -> id + " is missing in " + claims);
    }
    for (String id :
        List.of("T8", "T9", "T10", "T11", "LOAD", "FALL", "F6C", "F7C", "OURS", "READ", "STORE")) {
      assertTrue(claims.contains("EC-" + id), () -> id + " is missing in " + claims);
    }
    assertTrue(claims.contains("EC-T8     undecided"), "small tables decide nothing: " + claims);
    assertTrue(err.toString().contains("left: "), err::toString);
    try (var left = Files.list(made)) {
      assertEquals(2, left.count(), "the page and its data");
    }
  }

  @Test
  void wrongOptionsAreTold() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertEquals(2, run("ecommerce", "--out", file.toString()));
    assertTrue(err.toString().contains("--out: " + file + " is a file"), err::toString);
    assertEquals(2, run("ecommerce", "--size", "huge"));
    assertTrue(err.toString().contains("QUICK, STANDARD, FULL"), err::toString);
    assertEquals(2, run("ecommerce", "--policy", "noop"));
    assertTrue(err.toString().contains("Unknown option"), err::toString);
  }
}
