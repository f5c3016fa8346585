package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.LogLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What an archive has to read, and how lines of logs look. */
class ManualTest {
  @TempDir Path here;

  @Test
  void manual_hasAPageForEachCommand_andTheCompletionOfTheShell() throws IOException {
    TestShell shell = new TestShell(here);
    assertEquals(ExitCode.OK, shell.run("write-manual", here.toString()), shell::err);
    requirePages(Commands.all(shell.shell()));
    String completion = Files.readString(here.resolve("upcall.bash"));
    assertTrue(completion.contains("snapshot") && completion.contains("--max-depth"), completion);
    assertEquals(ExitCode.OK, shell.run("--help"));
    assertTrue(!shell.out().contains("write-manual"), shell::out);
  }

  private void requirePages(CommandLine command) throws IOException {
    String name = command.getCommandSpec().qualifiedName("-");
    List<String> lines = Files.readAllLines(here.resolve("man/man1").resolve(name + ".1"));
    assertTrue(lines.getFirst().startsWith(".TH \"UPCALL"), name);
    assertTrue(lines.contains(".SH SYNOPSIS") && lines.contains(".SH OPTIONS"), name);
    for (String line : lines) {
      assertTrue(
          line.matches("(\\.(TH|SH|B) .+|\\.(TP|PP)|[^.'].*)"), () -> name + " has a line " + line);
    }
    for (CommandLine below : command.getSubcommands().values()) {
      requirePages(below);
    }
  }

  @Test
  void logLine_hasTheTimeAndNothingThatATerminalObeys() {
    LogRecord record = new LogRecord(Level.WARNING, "{0} is \u001b[31mred");
    record.setInstant(Instant.parse("2026-11-29T13:00:00.5Z"));
    record.setParameters(new Object[] {"s\u202e"});
    record.setThrown(new IOException("gone"));
    assertEquals(
        "upcall: 2026-11-29T13:00:00Z WARNING: s\\u{202e} is \\x1b[31mred: java.io.IOException: gone"
            + System.lineSeparator(),
        new LogLine().format(record));
  }
}
