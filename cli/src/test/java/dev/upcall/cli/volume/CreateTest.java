package dev.upcall.cli.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Empty stores, and what a server of one says of itself. */
class CreateTest {
  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void shell() {
    shell = new TestShell(here);
  }

  @Test
  void create_ofANewFile_makesAnEmptyStore() {
    assertEquals(ExitCode.OK, shell.run("create", "s.upcall", "--volume-size=64m"), shell::err);
    assertTrue(shell.err().contains("which may grow to 64 MiB"), shell::err);
    assertEquals(ExitCode.OK, shell.run("ls"), shell::err);
    assertEquals("", shell.out());
  }

  @Test
  void create_ofAFileThatIsThere_leavesItAsItIs() throws Exception {
    Files.writeString(here.resolve("file"), "dear");
    assertEquals(ExitCode.FAILED, shell.run("create", "file"));
    assertTrue(shell.err().contains("exists already"), shell::err);
    assertEquals("dear", Files.readString(here.resolve("file")));
    assertEquals(ExitCode.FAILED, shell.run("create", here.toString()));
    assertEquals(ExitCode.FAILED, shell.run("ls", "--store=none"));
    assertTrue(shell.err().contains("upcall create "), shell::err);
  }

  @Test
  void serve_ofAStoreThatIsNotThere_makesItOnlyWhenTold() throws Exception {
    assertEquals(ExitCode.FAILED, shell.run("serve", "--store=s", "--port=0"));
    assertFalse(Files.exists(here.resolve("s")));
    String[] served = {"serve", "--store=s", "--port=0", "--create", "--volume-size=64m"};
    CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> shell.run(served));
    while (!shell.err().contains("(Ctrl-C stops)") && !code.isDone()) {
      Thread.onSpinWait();
    }
    TestShell other = new TestShell(here);
    int shown = other.run("config", "--store=s");
    shell.stop.ask();
    assertEquals(ExitCode.OK, code.get(120, TimeUnit.SECONDS), shell::err);
    assertEquals(ExitCode.OK, shown, other::err);
    assertTrue(other.out().matches("(?s).*capBytes +67108864 +the process .*"), other::out);
    assertTrue(other.out().matches("(?s).*disk +(ring|channel) +the process .*"), other::out);
    assertEquals(ExitCode.USAGE, shell.run("serve", "--store=s", "--create", "--read-only"));
  }

  @Test
  void serve_onAllAddresses_saysSo() throws Exception {
    String[] served = {"serve", "--store=s", "--port=0", "--create", "--bind=0.0.0.0"};
    CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> shell.run(served));
    while (!shell.err().contains("(Ctrl-C stops)") && !code.isDone()) {
      Thread.onSpinWait();
    }
    shell.stop.ask();
    assertEquals(ExitCode.OK, code.get(120, TimeUnit.SECONDS), shell::err);
    // Java binds both kinds of addresses with one socket, where there are both.
    assertTrue(
        shell.err().matches("(?s).*serving on http://(0\\.0\\.0\\.0|\\[::]):.*"), shell::err);
  }
}
