package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.shell.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results that cannot be written: no command says that it has done what nobody can read. */
class ResultsTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(256L << 20);
  private static final String NO_SPACE = "No space left on device";
  private static final String BROKEN_PIPE = "Broken pipe";

  private static final List<String> ANYWHERE =
      List.of("--version", "-V", "--help", "ls --help", "serve --help", "");

  private static final List<String> ON_A_STORE =
      List.of(
          "ls /",
          "ls / --json",
          "cat /large",
          "cat /large --json",
          "stat /large",
          "info",
          "config",
          "verify --json",
          "snapshot list --json",
          "checkpoint --json",
          "mkdir -p /d --json",
          "export / out --json --overwrite");

  @TempDir Path here;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void makeStore() {
    try (Upcall store = Upcall.create(volume(), SMALL)) {
      store.write("/large", new byte[1_000_000]);
    }
  }

  private Path volume() {
    return here.resolve("s.upcall");
  }

  /** Runs a command whose standard output takes nothing, for this reason. */
  private int run(String reason, String line) {
    OutputStream refusing =
        new OutputStream() {
          @Override
          public void write(int oneByte) throws IOException {
            throw new IOException(reason);
          }
        };
    err.reset();
    Shell open = new TestShell(here).shell();
    Shell shell =
        new Shell(
            open.in(),
            Shell.results(refusing),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            here,
            open.environment(),
            open.stop());
    return Main.run(shell, line.isEmpty() ? new String[0] : line.split(" "));
  }

  private void check(String line) {
    assertEquals(ExitCode.FAILED, run(NO_SPACE, line), line);
    String said = err.toString(StandardCharsets.UTF_8);
    String sentence = "upcall: cannot write to standard output: No space left on device\n";
    assertTrue(said.endsWith(sentence), line + ": " + said);
    assertEquals(said.indexOf(sentence), said.lastIndexOf(sentence), line + ": " + said);
    assertEquals(ExitCode.READER_GONE, run(BROKEN_PIPE, line), line);
    String quiet = err.toString(StandardCharsets.UTF_8);
    assertTrue(!quiet.contains("cannot write"), line + ": " + quiet);
  }

  @Test
  void aCommand_outputIsFull_failsWithASentence() {
    ANYWHERE.forEach(this::check);
    ON_A_STORE.forEach(this::check);
  }

  @Test
  void aCommandOfAServedStore_outputIsFull_failsWithASentence() throws IOException {
    try (Upcall store = Upcall.open(volume(), SMALL);
        StoreCommands _ = StoreCommands.listen(store, volume())) {
      ON_A_STORE.forEach(this::check);
      assertTrue(store.exists("/large"));
    }
  }

  @Test
  void aFailure_outputIsFull_isStillSaid() {
    assertEquals(ExitCode.FAILED, run(NO_SPACE, "stat /nothing --json"));
    String said = err.toString(StandardCharsets.UTF_8);
    assertEquals(
        "upcall: /nothing does not exist\nupcall: cannot write to standard output: "
            + NO_SPACE
            + "\n",
        said);
  }

  @Test
  void traceExport_nameIsTaken_leavesWhatIsThere() throws IOException {
    Path taken = Files.writeString(here.resolve("taken"), "mine");
    try (Upcall store = Upcall.open(volume(), SMALL);
        StoreCommands _ = StoreCommands.listen(store, volume())) {
      TestShell shell = new TestShell(here);
      assertEquals(ExitCode.FAILED, shell.run("trace", "--export", "taken"));
      assertEquals("mine", Files.readString(taken));
      assertEquals(ExitCode.OK, shell.run("trace", "--export", "new"), shell::err);
      assertTrue(Files.readString(here.resolve("new")).endsWith("]}"));
    }
    TestShell shell = new TestShell(here);
    assertEquals(ExitCode.FAILED, shell.run("trace", "--export", "nobody"));
    assertTrue(Files.notExists(here.resolve("nobody")));
  }
}
