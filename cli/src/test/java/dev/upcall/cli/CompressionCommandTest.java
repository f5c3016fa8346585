package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.option.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code upcall compression}, and what it makes of the files that are put next. */
class CompressionCommandTest {
  private static final String TEXT =
      "What is said again and again takes little room.\n".repeat(4000);

  @TempDir Path here;

  private TestShell shell;

  @BeforeEach
  void makeStore() {
    shell = new TestShell(here);
    ok(TEXT, "put", "-", "/d/plain", "-p", "--create", "--store=s.upcall", "--volume-size=64m");
  }

  private String ok(String input, String... args) {
    int code = shell.input(input.getBytes(StandardCharsets.UTF_8)).run(args);
    assertEquals(ExitCode.OK, code, shell::err);
    return shell.out();
  }

  private void refused(int code, String words, String... args) {
    assertEquals(code, shell.run(args), shell::out);
    assertTrue(shell.err().contains(words), shell::err);
  }

  @Test
  void aChoiceHoldsForWhatIsPutNext() {
    ok("", "compression", "/d");
    assertTrue(shell.err().contains("/d: not chosen"), shell::err);
    ok("", "compression", "/d", "balanced");
    assertTrue(shell.err().contains("/d: balanced"), shell::err);
    ok(TEXT, "put", "-", "/d/small");
    String stat = ok("", "stat", "/d/small");
    assertTrue(stat.contains("size:       192000\nstored:     12288\n"), stat);
    assertTrue(stat.contains("compression: balanced\n"), stat);
    assertTrue(ok("", "stat", "/d/plain").contains("stored:     192512\n"), shell::out);
    assertEquals(TEXT, ok("", "cat", "/d/small"));
    ok("", "compression", "/d", "none", "-R");
    assertTrue(shell.err().contains("/d: none, and 2 below"), shell::err);
    String json = ok("", "stat", "/d/plain", "--json");
    assertTrue(json.contains("\"compression\":\"none\""), json);
    assertEquals(TEXT, ok("", "cat", "/d/small"));
    ok("", "verify", "--deep");
    refused(ExitCode.USAGE, "none, fast or balanced, not 'best'", "compression", "/d", "best");
    refused(ExitCode.USAGE, "needs a choice", "compression", "/d", "-R");
    refused(ExitCode.FAILED, "/e does not exist", "compression", "/e", "fast");
  }

  @Test
  void theEngineOfThreadsReadsIt() {
    ok("", "compression", "/d", "fast");
    ok(TEXT, "put", "-", "/d/small");
    assertEquals(TEXT, ok("", "cat", "/d/small", "--engine=threads"));
    assertEquals(
        TEXT.substring(100_000), ok("", "cat", "/d/small", "--offset=100000", "--engine=threads"));
  }

  @Test
  void anImportFollowsTheChoice() throws Exception {
    Files.writeString(Files.createDirectories(here.resolve("in")).resolve("text"), TEXT);
    ok("", "compression", "/d", "fast");
    ok("", "import", "in", "--into=/d", "--store=s.upcall");
    assertTrue(ok("", "stat", "/d/text").contains("stored:     12288\n"), shell::out);
  }
}
