package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.option.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are put into a queue without a store, and done when one is served. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueueCommandsTest {
  @TempDir Path here;

  @Test
  void whatIsSubmittedIsDoneWhenTheStoreIsServed() throws Exception {
    Files.writeString(here.resolve("letter"), "dear");
    submit("mkdir", "/d/e", "-p");
    submit("put", "letter", "/d/a", "--new", "--sync");
    submit("append", "letter", "/d/a");
    submit("mv", "/d/a", "/b");
    submit("rm", "/absent");
    submit("rm", "/d", "-r");
    submit("put", "-", "/last");
    assertFalse(Files.exists(here.resolve("v.upcall")));
    TestShell make = new TestShell(here).input(new byte[0]);
    assertEquals(
        ExitCode.OK,
        make.run("put", "-", "/empty", "--create", "--store=v.upcall", "--volume-size=64m"),
        make::err);
    serveUntil("/last");
    assertEquals("deardear", output("cat", "/b", "--store=v.upcall"));
    assertEquals("b\nempty\nlast\n", output("ls", "/", "--store=v.upcall"));
    submit("append", "letter", "/b");
    submit("put", "-", "/again");
    serveUntil("/again");
    assertEquals("deardeardear", output("cat", "/b", "--store=v.upcall"));
  }

  @Test
  void whatCannotBeAskedIsRefused() throws Exception {
    Files.writeString(here.resolve("letter"), "dear");
    refused(ExitCode.USAGE, "--queue", "submit", "rm", "/a");
    refused(ExitCode.USAGE, "a path begins with /", "submit", "rm", "a", "--queue=q");
    refused(ExitCode.USAGE, "no name", "submit", "rm", "/a", "--queue=q", "--producer=a/b");
    refused(ExitCode.FAILED, "nothing", "submit", "put", "nothing", "/a", "--queue=q");
    Files.write(here.resolve("large"), new byte[300_000]);
    refused(ExitCode.USAGE, "at most 262144", "submit", "append", "large", "/a", "--queue=q");
    Files.createDirectory(here.resolve("other"));
    Files.writeString(here.resolve("other/letter"), "dear");
    refused(ExitCode.FAILED, "is no queue", "submit", "rm", "/a", "--queue=other");
    refused(ExitCode.USAGE, "--engine=fsm", "serve", "--queue=q", "--engine=threads", "--store=v");
  }

  private void serveUntil(String path) throws Exception {
    TestShell shell = new TestShell(here);
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(
            () -> shell.run("serve", "--store=v.upcall", "--queue=q", "--port=0"));
    while (!code.isDone() && !shell.err().contains("serving on ")) {
      Thread.onSpinWait();
    }
    // Asked of the server, which has the store.
    while (!code.isDone() && new TestShell(here).run("stat", path, "--store=v.upcall") != 0) {
      Thread.onSpinWait();
    }
    shell.stop.ask();
    assertEquals(ExitCode.OK, code.get(30, TimeUnit.SECONDS), shell::err);
  }

  private void submit(String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "submit";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--queue=q";
    TestShell shell = new TestShell(here).input("last".getBytes(StandardCharsets.US_ASCII));
    assertEquals(ExitCode.OK, shell.run(all), shell::err);
    assertTrue(shell.err().startsWith("upcall: in the queue as request "), shell::err);
  }

  private String output(String... args) {
    TestShell shell = new TestShell(here);
    assertEquals(ExitCode.OK, shell.run(args), shell::err);
    return shell.out();
  }

  private void refused(int code, String why, String... args) {
    TestShell shell = new TestShell(here);
    assertEquals(code, shell.run(args), shell::err);
    assertTrue(shell.err().contains(why), shell::err);
  }
}
