package dev.upcall.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Every experiment explains itself. */
class HelpTest {
  @Test
  void help_ofEveryExperiment_isShown() {
    for (String name : Main.commandLine().getSubcommands().keySet()) {
      StringWriter err = new StringWriter();
      CommandLine bench = Main.commandLine();
      bench.setOut(new PrintWriter(new StringWriter()));
      bench.setErr(new PrintWriter(err));
      assertEquals(0, bench.execute(name, "--help"), () -> name + ": " + err);
    }
  }
}
