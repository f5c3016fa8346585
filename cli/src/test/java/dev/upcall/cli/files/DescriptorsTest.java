package dev.upcall.cli.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.store.StoreAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Descriptors of the process as the source of a file, as the launcher has found them. */
class DescriptorsTest {
  private static final String CLOSED = "upcall.closedDescriptors";

  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void makeStore() {
    shell = new TestShell(here).variable(StoreAccess.VARIABLE, "s.upcall");
    assertEquals(ExitCode.OK, shell.run("create", "s.upcall", "--volume-size=64m"), shell::err);
  }

  @AfterEach
  void forget() {
    System.clearProperty(CLOSED);
  }

  @Test
  void aClosedDescriptor_isNoSource() {
    System.setProperty(CLOSED, ",9,12");
    for (String name : List.of("/dev/fd/9", "/proc/self/fd/12")) {
      assertEquals(ExitCode.FAILED, shell.run("put", name, "/x"));
      assertTrue(shell.err().startsWith("upcall: " + name + " is not open"), shell::err);
      assertEquals(
          ExitCode.FAILED, shell.run("submit", "put", name, "/x", "--queue=q", "--create"));
      assertTrue(shell.err().startsWith("upcall: " + name + " is not open"), shell::err);
      assertEquals(ExitCode.FAILED, shell.run("stat", "/x"));
    }
    assertEquals(ExitCode.FAILED, shell.run("put", "/dev/fd/99", "/x"));
    assertTrue(Files.notExists(here.resolve("q")));
  }

  /** A file that is opened anew would be read from its begin, whatever was read of it before. */
  @Test
  void standardInput_underItsNames_isRead() {
    for (String name : List.of("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")) {
      shell.input(name.getBytes(StandardCharsets.UTF_8));
      assertEquals(ExitCode.OK, shell.run("put", name, "/x"), shell::err);
      assertEquals(ExitCode.OK, shell.run("cat", "/x"), shell::err);
      assertEquals(name, shell.out());
      assertEquals(ExitCode.USAGE, shell.run("put", name, "/"));
    }
  }

  @Test
  void aPipe_isQueuedWhole() throws Exception {
    Path pipe = here.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Thread writer = Thread.ofPlatform().start(() -> writeTo(pipe));
    assertEquals(
        ExitCode.OK, shell.run("submit", "put", "pipe", "/x", "--queue=q", "--create"), shell::err);
    writer.join();
    assertEquals(ExitCode.USAGE, shell.run("submit", "put", ".", "/x", "--queue=q"));
    TestShell server = new TestShell(here);
    Thread serving =
        Thread.ofPlatform()
            .start(() -> server.run("serve", "--store=s.upcall", "--queue=q", "--port=0"));
    while (serving.isAlive() && shell.run("stat", "/x") != ExitCode.OK) {
      Thread.onSpinWait();
    }
    server.stop.ask();
    serving.join();
    assertEquals(ExitCode.OK, shell.run("cat", "/x"), shell::err);
    assertEquals("through a pipe", shell.out());
  }

  private static void writeTo(Path pipe) {
    try {
      Files.writeString(pipe, "through a pipe");
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
