package dev.upcall.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The experiments cannot rot: each runs with tiny inputs. Peers that are not installed are marked,
 * our own side must have been measured.
 */
class QuickRunTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"reads", "durable"})
  void experimentsRun(String name) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine bench = Main.commandLine();
    bench.setOut(new PrintWriter(out));
    bench.setErr(new PrintWriter(err));

    int exit = bench.execute(name, "--quick", "--dir", folder.toString());

    assertEquals(0, exit, () -> out + "\n" + err);
    assertTrue(
        out.toString().lines().anyMatch(line -> line.matches("  upcall.*\\d.*")), out::toString);
    try (var left = Files.list(folder)) {
      assertEquals(0, left.count(), "scratch files are left");
    }
  }
}
