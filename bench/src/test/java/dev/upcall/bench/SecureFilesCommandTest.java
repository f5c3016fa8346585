package dev.upcall.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The study at its smallest: it cannot rot. */
@Tag("long")
class SecureFilesCommandTest {
  @TempDir Path folder;

  @Test
  void aQuickRunMakesAWholeReport() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine bench = Main.commandLine();
    bench.setOut(new PrintWriter(out));
    bench.setErr(new PrintWriter(err));

    int exit = bench.execute("securefiles", "--size", "quick", "--out", folder.toString());

    assertEquals(0, exit, err::toString);
    String page = Files.readString(folder.resolve("securefiles.html"));
    assertTrue(page.contains("<dd>9 of 9</dd>"), page);
    assertTrue(page.contains("High-res images by duplicates"), page);
    String claims = out.toString();
    for (String id :
        List.of(
            "RISE", "CPU", "RATIO", "SAT", "SPREAD", "PEERS", "GATHER", "DEDUP", "CODED", "SNAP",
            "PATHS", "LOG", "WHOLE", "LIES", "SEALED", "AHEAD", "TWO")) {
      assertTrue(claims.contains("SF-" + id + " "), () -> id + " is missing in " + claims);
    }
    assertTrue(claims.contains("SF-DAY    holds"), claims);
    try (var left = Files.list(folder)) {
      assertEquals(2, left.count(), "the page and its data");
    }
  }
}
