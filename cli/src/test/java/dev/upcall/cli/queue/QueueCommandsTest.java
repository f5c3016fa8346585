package dev.upcall.cli.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.journal.producer.Producer;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are put into a queue without a store, and done when one is served. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
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
    submit("clone", "/b", "/copy");
    submit("splice", "/copy", "letter", "--offset=4", "--remove=2");
    submit("put", "letter", "/gone", "--ttl=1s");
    submit("put", "-", "/last");
    assertFalse(Files.exists(here.resolve("v.upcall")));
    makeStore();
    String[] info = {"queue", "info", "q", "--store=v.upcall"};
    String before = output(info);
    assertTrue(before.contains("done          nothing\nbacklog       10 entries, "), before);
    assertTrue(before.contains(" s ago\n"), before);
    serve(
        server -> {
          output("submit", "mkdir", "/served", "--queue=q", "--wait=30s");
          String served = output("queue", "info", "q", "--store=v.upcall", "--json");
          assertTrue(served.contains("\"committed\":{\"generation\":0,\"entry\":\""), served);
        });
    serveUntil("/last");
    String after = output(info);
    assertTrue(after.contains("backlog       0 entries, 0 bytes\n"), after);
    output("rm", "/served", "-r", "--store=v.upcall");
    assertEquals("deardear", output("cat", "/b", "--store=v.upcall"));
    assertEquals("deardearar", output("cat", "/copy", "--store=v.upcall"));
    String left = output("ls", "/", "--store=v.upcall");
    assertTrue(left.startsWith("b\ncopy\nempty\n") && left.endsWith("last\n"), left);
    submit("append", "letter", "/b");
    submit("put", "-", "/again");
    serveUntil("/again");
    assertEquals("deardeardear", output("cat", "/b", "--store=v.upcall"));
  }

  @Test
  void whoWaitsIsToldAsByTheStoreItself() throws Exception {
    makeStore();
    refused(ExitCode.FAILED, "serve --queue makes it", "submit", "rm", "/a", "--queue=q");
    assertFalse(Files.exists(here.resolve("q")));
    String[] alone = {"submit", "rm", "/a", "--queue=q", "--create", "--wait=1"};
    refused(ExitCode.FAILED, "not done within 1 s", alone);
    serve(
        server -> {
          assertEquals("", output("submit", "mkdir", "/d", "--queue=q", "--wait=30s"));
          String told = output("submit", "put", "-", "/d/a", "--queue=q", "--wait=30s", "--json");
          assertTrue(told.contains("\"done\":true,\"id\":"), told);
          for (String failing : List.of("rm /absent", "mkdir /d", "mkdir /no/d", "mv /x /y")) {
            String[] direct = (failing + " --json").split(" ", -1);
            TestShell asked = new TestShell(here);
            assertEquals(ExitCode.FAILED, asked.run(with(direct, "--store=v.upcall")), failing);
            TestShell waited = new TestShell(here);
            String[] queued = ("submit " + failing + " --json --queue=q").split(" ", -1);
            assertEquals(ExitCode.FAILED, waited.run(with(queued, "--wait=30s")), failing);
            assertEquals(asked.out(), waited.out());
            assertTrue(asked.err().endsWith(waited.err()), () -> asked.err() + waited.err());
          }
        });
  }

  @Test
  void deadLettersAreListedTriedAgainAndDropped() throws Exception {
    makeStore();
    submit("put", "-", "/no/a");
    submit("rm", "/absent");
    // Those before it are told before it is.
    serve(server -> output("submit", "put", "-", "/last", "--queue=q", "--wait=30s"));
    String info = output("queue", "info", "q");
    assertTrue(info.contains("dead letters  2\n"), info);
    assertTrue(info.lines().anyMatch(line -> line.matches("producer +[0-9a-f-]{36} submit")), info);
    List<String> dead = output("queue", "dead", "q").lines().toList();
    assertEquals(2, dead.size());
    assertTrue(dead.getFirst().contains("/no/a does not exist"), dead::toString);
    assertTrue(dead.getFirst().endsWith("of submit: put /no/a, 4 bytes"), dead::toString);
    assertTrue(dead.getLast().endsWith("of submit: delete /absent"), dead::toString);
    refused(ExitCode.FAILED, "no dead letter 4711", "queue", "retry", "q", "4711");
    refused(ExitCode.USAGE, "--all", "queue", "drop", "q");
    submit("mkdir", "/no");
    serveUntil("/no");
    assertEquals("", output("queue", "retry", "q", dead.getFirst().split(" ", 2)[0]));
    serveUntil("/no/a");
    assertEquals("last", output("cat", "/no/a", "--store=v.upcall"));
    assertEquals(dead.subList(1, 2), output("queue", "dead", "q").lines().toList());
    assertEquals("{\"dropped\":1}\n", output("queue", "drop", "q", "--all", "--json"));
    assertEquals("", output("queue", "dead", "q"));
    // What was dropped stays so when the store is served again.
    submit("put", "-", "/again");
    serveUntil("/again");
    assertEquals("{\"deadLetters\":[]}\n", output("queue", "dead", "q", "--json"));
    refused(ExitCode.FAILED, "is no queue", "queue", "info", "nothing");
  }

  /** Looking needs the right to read, and no room on the device: nothing is made or mapped. */
  @Test
  void infoAndDead_changeNothing() throws Exception {
    submit("rm", "/absent");
    makeStore();
    Map<Path, FileTime> before = files();
    assertTrue(output("queue", "info", "q").contains("dead letters  0\n"));
    assertTrue(
        output("queue", "info", "q", "--store=v.upcall").contains("backlog       1 entries"));
    assertEquals("", output("queue", "dead", "q"));
    assertEquals(before, files());
    serve(server -> output("submit", "put", "-", "/last", "--queue=q", "--wait=30s"));
    before = files();
    assertTrue(output("queue", "dead", "q").contains("request 0 of submit: delete /absent"));
    assertTrue(output("queue", "info", "q").contains("dead letters  1\n"));
    assertEquals(before, files());
  }

  private Map<Path, FileTime> files() throws IOException {
    Map<Path, FileTime> found = new TreeMap<>();
    try (Stream<Path> all = Files.walk(here.resolve("q"))) {
      for (Path file : all.toList()) {
        found.put(file, Files.getLastModifiedTime(file));
      }
    }
    return found;
  }

  @Test
  void submit_producerInUse_waitsAMoment() throws Exception {
    submit("rm", "/absent");
    Thread second = Thread.ofPlatform().unstarted(() -> submit("mkdir", "/d"));
    CompletableFuture<Throwable> died = new CompletableFuture<>();
    second.setUncaughtExceptionHandler((_, why) -> died.complete(why));
    try (Producer first = Producer.open(here.resolve("q"), "submit", Long.MAX_VALUE)) {
      second.start();
      while (second.getState() != Thread.State.TIMED_WAITING && second.isAlive()) {
        Thread.onSpinWait();
      }
      first.submit(Submission.of(new FileRequest.Delete("/other")));
    }
    second.join();
    assertFalse(died.isDone(), () -> died.join().toString());
  }

  @Test
  void whatCannotBeAskedIsRefused() throws Exception {
    Files.writeString(here.resolve("letter"), "dear");
    refused(ExitCode.USAGE, "--queue", "submit", "rm", "/a");
    refused(ExitCode.USAGE, "begins with /", "submit", "rm", "a", "--queue=q", "--create");
    refused(
        ExitCode.USAGE, "no name", "submit", "rm", "/a", "--queue=q", "--producer=a/b", "--create");
    refused(ExitCode.FAILED, "nothing", "submit", "put", "nothing", "/a", "--queue=q");
    Files.write(here.resolve("large"), new byte[300_000]);
    refused(ExitCode.USAGE, "more than 256 KiB", "submit", "append", "large", "/a", "--queue=q");
    Files.createDirectory(here.resolve("other"));
    Files.writeString(here.resolve("other/letter"), "dear");
    refused(ExitCode.FAILED, "is no queue", "submit", "rm", "/a", "--queue=other", "--create");
    refused(ExitCode.USAGE, "--engine=fsm", "serve", "--queue=q", "--engine=threads", "--store=v");
  }

  @Test
  void aFileInThePlaceOfAQueue_isNamedInASentence() throws Exception {
    Files.writeString(here.resolve("letter"), "dear");
    for (String command :
        List.of(
            "queue info letter",
            "queue dead letter",
            "queue retry letter 1",
            "queue drop letter --all",
            "submit rm /a --queue=letter",
            "submit rm /a --queue=letter --create")) {
      refusedInASentence("letter is no queue: not a directory\n", command);
    }
    makeStore();
    refusedInASentence(
        "letter is no queue: not a directory\n", "serve --queue=letter --store=v.upcall --port=0");
    assertEquals("dear", Files.readString(here.resolve("letter")));
  }

  @Test
  void aQueueWhoseFilesAreOfAnotherKind_isNamedInASentence() throws Exception {
    submit("rm", "/absent");
    Files.writeString(here.resolve("q/dead-letters"), "dear");
    refusedInASentence("q/dead-letters is there, and not a directory\n", "queue drop q --all");
    Files.writeString(here.resolve("q/upcall-queue"), "dear");
    refusedInASentence("q/upcall-queue is damaged, or of something else\n", "queue info q");
    refusedInASentence(
        "q/upcall-queue is damaged, or of something else\n", "submit rm /a --queue=q");
  }

  private void refusedInASentence(String end, String command) {
    TestShell shell = new TestShell(here);
    assertEquals(ExitCode.FAILED, shell.run(command.split(" ", -1)), shell::err);
    assertTrue(shell.err().endsWith(end), () -> command + ": " + shell.err());
    assertFalse(shell.err().contains("java."), () -> command + ": " + shell.err());
  }

  /** What is done while a store is served. */
  private interface Meanwhile {
    void run(CompletableFuture<Integer> server) throws Exception;
  }

  private void makeStore() {
    TestShell make = new TestShell(here).input(new byte[0]);
    assertEquals(
        ExitCode.OK,
        make.run("put", "-", "/empty", "--create", "--store=v.upcall", "--volume-size=64m"),
        make::err);
  }

  private void serveUntil(String path) throws Exception {
    serve(
        server -> {
          // Asked of the server, which has the store.
          while (!server.isDone()
              && new TestShell(here).run("stat", path, "--store=v.upcall") != 0) {
            Thread.onSpinWait();
          }
        });
  }

  private void serve(Meanwhile meanwhile) throws Exception {
    TestShell shell = new TestShell(here);
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(
            () -> shell.run("serve", "--store=v.upcall", "--queue=q", "--port=0"));
    while (!code.isDone() && !shell.err().contains("serving on ")) {
      Thread.onSpinWait();
    }
    meanwhile.run(code);
    shell.stop.ask();
    assertEquals(ExitCode.OK, code.get(120, TimeUnit.SECONDS), shell::err);
  }

  private static String[] with(String[] args, String more) {
    return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
  }

  private void submit(String... args) {
    String[] all = new String[args.length + 3];
    all[0] = "submit";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--queue=q";
    all[args.length + 2] = "--create";
    TestShell shell = new TestShell(here).input("last".getBytes(StandardCharsets.US_ASCII));
    assertEquals(ExitCode.OK, shell.run(all), shell::err);
    assertTrue(shell.err().startsWith("upcall: in the queue as request "), shell::err);
  }

  private String output(String... args) {
    TestShell shell = new TestShell(here).input("last".getBytes(StandardCharsets.US_ASCII));
    assertEquals(ExitCode.OK, shell.run(args), shell::err);
    return shell.out();
  }

  private void refused(int code, String why, String... args) {
    TestShell shell = new TestShell(here);
    assertEquals(code, shell.run(args), shell::err);
    assertTrue(shell.err().contains(why), shell::err);
  }
}
