package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallTransaction;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.remote.CommandSocket;
import dev.upcall.cli.shell.Shell;
import dev.upcall.config.DiskKind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on a store that another process has open: its owner runs them. */
class OwnerCommandsTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(256L << 20);

  /** Each on the state that those before it have left; what stands behind # goes in. */
  private static final String[] PROGRAM = {
    "put - /d/a.txt -p --ttl=1h #content of a",
    "put - /d/a.txt --new #again",
    "put b.txt /d/",
    "put b.txt /b --json",
    "put nowhere.txt /d/",
    "put tree /d/",
    "put large /large",
    "ls",
    "ls -l -R /",
    "ls / --json --limit=1",
    "ls /nothing",
    "ls nothing",
    "ls --nothing",
    "stat /d/a.txt",
    "stat /d/a.txt --json",
    "stat /nothing --json",
    "cat /d/a.txt",
    "cat /large",
    "cat /large --offset=100k --length=3",
    "cat /d/a.txt --json",
    "cat /d",
    "mkdir /e",
    "mkdir /e",
    "mkdir -p /e/f/g --json",
    "clone /large /e/",
    "clone /large /e/",
    "splice /large b.txt --offset=100k --json",
    "splice /large b.txt --offset=9m",
    "cut /large --offset=100k --length=12",
    "join /e/both /large /large /d/a.txt --json",
    "join /e/both /large",
    "join /e/part /e/both --offset=100k --length=1k",
    "mv /e/large /e/f/moved --json",
    "mv /nothing /e/f",
    "snapshot create one",
    "snapshot create one",
    "snapshot create two --json",
    "rm /e",
    "rm -r /e --json",
    "rm -f /nothing",
    "ls / --snapshot=one",
    "ls / --snapshot=none",
    "cat /e/f/moved --snapshot=two",
    "export / out --snapshot=one",
    "export / out",
    "export / out2 --json",
    "import tree --into=/t --store=s.upcall",
    "import tree --into=/t --store=s.upcall --json",
    "import nowhere",
    "verify --deep",
    "verify --json",
    "snapshot list",
    "checkpoint",
    "checkpoint --json",
    "snapshot drop one",
    "snapshot drop one --json",
    "snapshot list --json",
    "snapshot",
    "frobnicate",
  };

  @TempDir Path here;

  private Path volume(Path directory) {
    return directory.resolve("s.upcall");
  }

  private Path directory(String name) {
    try {
      Path directory = Files.createDirectory(here.resolve(name));
      Files.writeString(directory.resolve("b.txt"), "content of b");
      byte[] large = new byte[1_000_000];
      new Random(1).nextBytes(large);
      Files.write(directory.resolve("large"), large);
      Path tree = Files.createDirectories(directory.resolve("tree/below"));
      Files.writeString(tree.resolve("c.txt"), "content of c");
      Files.createSymbolicLink(tree.resolve("link"), Path.of("c.txt"));
      return directory;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private interface Use {
    void of(Upcall store) throws Exception;
  }

  /** Has a store open that listens for commands. */
  private void owning(Path directory, Use use) throws Exception {
    try (Upcall store = Upcall.openOrCreate(volume(directory), SMALL);
        StoreCommands _ = StoreCommands.listen(store, volume(directory))) {
      use.of(store);
    }
  }

  /** What a command did, without what differs from run to run. */
  private record Outcome(int code, String out, String err) {
    static Outcome of(TestShell shell, String line, Path directory) {
      String[] parts = line.split(" #", 2);
      shell.input((parts.length == 1 ? "" : parts[1]).getBytes(StandardCharsets.UTF_8));
      int code = shell.run(parts[0].split(" "));
      boolean numbers = line.matches("(verify|snapshot|checkpoint).*");
      return new Outcome(
          code,
          steady(shell.out(), directory, numbers),
          steady(shell.err().replaceAll(".*; not used: --memory\n", ""), directory, numbers));
    }

    private static String steady(String text, Path directory, boolean numbers) {
      String steady =
          text.replace(directory.toString(), "HERE")
              .replaceAll("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d+Z)?", "TIME")
              .replaceAll("\"upcall.import\":\"[^\"]*\"", "MARK")
              .replaceAll("\"seconds\":[0-9.E-]+", "SECONDS")
              .replaceAll("in [0-9.]+ s(, [0-9.]+ MB/s)?", "SOME TIME");
      return numbers ? steady.replaceAll("\\d+", "N") : steady;
    }
  }

  @Test
  void commandsDoAndSayTheSameAsOnAStoreOfTheirOwn() throws Exception {
    Path alone = directory("alone");
    Path shared = directory("shared");
    Upcall.create(volume(alone), SMALL).close();
    owning(
        shared,
        _ -> {
          TestShell local = new TestShell(alone);
          TestShell remote = new TestShell(shared);
          for (String line : PROGRAM) {
            Outcome wanted = Outcome.of(local, line, alone);
            assertEquals(wanted, Outcome.of(remote, line, shared), line);
          }
          assertEquals(
              Files.readString(alone.resolve("out/d/a.txt")),
              Files.readString(shared.resolve("out/d/a.txt")));
          assertEquals(-1, Files.mismatch(alone.resolve("large"), shared.resolve("out2/large")));
        });
  }

  @Test
  void theSocketIsItsOwnersAlone() throws Exception {
    Path directory = directory("d");
    Path socket = CommandSocket.of(volume(directory));
    owning(
        directory,
        _ -> {
          assertEquals(
              "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
          assertFalse(Files.exists(directory.resolve("s.upcall.sock.new")));
        });
    assertFalse(Files.exists(socket));
  }

  @Test
  void theOwnerIsShownAndWhatItRunsWith() throws Exception {
    Path directory = directory("d");
    TestShell shell = new TestShell(directory);
    long process = ProcessHandle.current().pid();
    owning(
        directory,
        store -> {
          store.fsm().createSnapshot("monday");
          assertEquals(ExitCode.OK, shell.run("info"), shell::err);
          assertTrue(shell.out().contains("\nsnapshots:  1, which hold "), shell::out);
          String disk = store.info().disk() == DiskKind.RING ? "ring" : "channel";
          assertTrue(shell.out().contains("\ndisk:       " + disk + "\n"), shell::out);
          assertTrue(
              shell.out().contains("\nowner:      process " + process + " (a program), since 20"),
              shell::out);
          assertEquals(ExitCode.OK, shell.run("info", "--json"), shell::err);
          assertTrue(
              shell
                  .out()
                  .contains("\"owner\":{\"process\":" + process + ",\"command\":\"a program\""),
              shell::out);
          assertTrue(shell.out().contains("\"formatVersion\":3,"), shell::out);
          assertEquals(ExitCode.OK, shell.run("config", "--memory=32m"), shell::err);
          assertTrue(
              shell.out().matches("memoryBytes +25165824   the process that(?s:.*)"), shell::out);
        });
    assertEquals(ExitCode.OK, shell.run("info"), shell::err);
    assertTrue(shell.out().endsWith("owner:      no other process\n"), shell::out);
    assertEquals(ExitCode.OK, shell.run("config", "--memory=32m"), shell::err);
    assertTrue(shell.out().matches("memoryBytes +33554432   --memory(?s:.*)"), shell::out);
  }

  @Test
  void whatSaysHowToOpenAStoreIsSaidNotToBeUsed() throws Exception {
    Path directory = directory("d");
    TestShell shell = new TestShell(directory);
    owning(
        directory,
        _ -> {
          assertEquals(ExitCode.OK, shell.run("ls", "--engine=threads", "--disk", "channel"));
          assertEquals(
              "upcall: the store is open in process %d (a program); not used: --memory, --engine, --disk\n"
                  .formatted(ProcessHandle.current().pid()),
              shell.err());
        });
  }

  @Test
  void aSnapshotOfAServedStoreIsExportedWhileOthersWrite() throws Exception {
    Path directory = directory("d");
    owning(
        directory,
        store -> {
          AtomicBoolean over = new AtomicBoolean();
          CountDownLatch wrote = new CountDownLatch(50);
          store.write("/left", "0".getBytes(StandardCharsets.UTF_8));
          store.write("/right", "0".getBytes(StandardCharsets.UTF_8));
          CompletableFuture<Integer> writer =
              CompletableFuture.supplyAsync(
                  () -> {
                    int count = 0;
                    while (!over.get()) {
                      byte[] text = Integer.toString(++count).getBytes(StandardCharsets.UTF_8);
                      try (UpcallTransaction both = store.fsm().begin()) {
                        both.write("/left", text);
                        both.write("/right", text);
                        both.commit();
                      }
                      wrote.countDown();
                    }
                    return count;
                  });
          TestShell shell = new TestShell(directory);
          try {
            assertTrue(wrote.await(60, TimeUnit.SECONDS));
            for (String name : List.of("one", "two")) {
              assertEquals(ExitCode.OK, shell.run("snapshot", "create", name), shell::err);
              int code = shell.run("export", "/", "out-" + name, "--snapshot=" + name);
              assertEquals(ExitCode.OK, code, shell::err);
              String left = Files.readString(directory.resolve("out-" + name + "/left"));
              assertTrue(Integer.parseInt(left) >= 50, left);
              assertEquals(
                  left, Files.readString(directory.resolve("out-" + name + "/right")), name);
            }
            assertEquals(ExitCode.OK, shell.run("verify", "--deep"), shell::err);
            assertEquals(
                ExitCode.OK,
                shell.run("import", "tree", "--into=/t", "--store=s.upcall"),
                shell::err);
            assertEquals("content of c", new String(store.readAllBytes("/t/below/link")));
          } finally {
            over.set(true);
          }
          assertTrue(writer.get(60, TimeUnit.SECONDS) >= 50);
        });
  }

  @Test
  void manyClientsAtOnce() throws Exception {
    Path directory = directory("d");
    owning(
        directory,
        store -> {
          List<CompletableFuture<Void>> clients = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            String path = "/f" + i;
            clients.add(
                CompletableFuture.runAsync(
                    () -> {
                      TestShell shell = new TestShell(directory);
                      byte[] content = new byte[200_000 + path.length()];
                      new Random(path.hashCode()).nextBytes(content);
                      int put = shell.input(content).run("put", "-", path);
                      assertEquals(ExitCode.OK, put, shell::err);
                      assertEquals(ExitCode.OK, shell.run("cat", path), shell::err);
                      assertArrayEquals(content, shell.outBytes());
                    },
                    command -> Thread.ofPlatform().start(command)));
          }
          for (CompletableFuture<Void> client : clients) {
            client.get(60, TimeUnit.SECONDS);
          }
          assertEquals(20, store.list("/", 100).entries().size());
        });
  }

  /** As when the reader of a pipe has gone. */
  @Test
  void whenStandardOutputIsClosedItEndsAsAlone() throws Exception {
    Path directory = directory("d");
    TestShell shell = new TestShell(directory);
    Upcall.create(volume(directory), SMALL).close();
    assertEquals(ExitCode.OK, shell.run("put", "large", "/large"), shell::err);
    String[][] commands = {{"cat", "/large", "--memory=24m"}, {"ls", "--memory=24m"}};
    List<Integer> alone = new ArrayList<>();
    for (String[] command : commands) {
      alone.add(Main.run(withClosedOutput(shell), command));
    }
    assertEquals(List.of(ExitCode.READER_GONE, ExitCode.READER_GONE), alone);
    owning(
        directory,
        _ -> {
          for (int i = 0; i < commands.length; i++) {
            assertEquals(alone.get(i), Main.run(withClosedOutput(shell), commands[i]));
          }
        });
    assertFalse(shell.err().contains("cannot write"), shell::err);
  }

  private static Shell withClosedOutput(TestShell shell) {
    Shell open = shell.shell();
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int oneByte) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    return new Shell(
        open.in(),
        Shell.results(closed),
        open.err(),
        false,
        open.directory(),
        open.environment(),
        open.stop());
  }

  @Test
  void aStoreThatIsServedIsNotServedOnceMore() throws Exception {
    Path directory = directory("d");
    TestShell shell = new TestShell(directory);
    owning(
        directory,
        _ -> {
          assertEquals(ExitCode.FAILED, shell.run("serve", "--port=0"));
          assertTrue(shell.err().contains("in use"), shell::err);
        });
  }

  @Test
  void aServedStoreTakesCommandsUnlessToldNotTo() throws Exception {
    Path directory = directory("d");
    Upcall.create(volume(directory), SMALL).close();
    TestShell shell = new TestShell(directory);
    for (String option : List.of("--json", "--no-commands")) {
      TestShell server = new TestShell(directory);
      CompletableFuture<Integer> code =
          CompletableFuture.supplyAsync(() -> server.run("serve", "--port=0", option));
      while (!server.err().contains("serving on") && !code.isDone()) {
        Thread.onSpinWait();
      }
      boolean takes = option.equals("--json");
      int found = shell.run("ls");
      server.stop.ask();
      assertEquals(takes ? ExitCode.OK : ExitCode.FAILED, found, shell::err);
      assertEquals(!takes, shell.err().contains("in use"), shell::err);
      assertEquals(ExitCode.OK, code.get(60, TimeUnit.SECONDS), server::err);
    }
  }

  @Test
  void anotherVolumeOfTheSameNameIsNotMistaken() throws Exception {
    Path directory = directory("d");
    TestShell shell = new TestShell(directory);
    owning(
        directory,
        store -> {
          store.write("/old", new byte[1]);
          Files.move(volume(directory), directory.resolve("old"));
          assertEquals(ExitCode.USAGE, shell.run("ls"));
          assertTrue(shell.err().contains("no store named"), shell::err);
          Upcall.create(volume(directory), SMALL).close();
          assertEquals(ExitCode.OK, shell.run("ls"), shell::err);
          assertEquals("", shell.out());
          assertEquals(ExitCode.FAILED, shell.run("ls", "--store=old"));
          assertTrue(shell.err().contains("in use"), shell::err);
        });
  }

  @Test
  void aSocketWithoutAnOwnerIsInNobodysWay() throws Exception {
    Path directory = directory("d");
    Path socket = CommandSocket.of(volume(directory));
    Path left = directory.resolve("left");
    owning(directory, _ -> Files.createLink(left, socket));
    Files.move(left, socket);
    Files.createDirectory(directory.resolve("s.upcall.sock.new"));
    TestShell shell = new TestShell(directory);
    assertEquals(ExitCode.OK, shell.run("ls"), shell::err);
    owning(
        directory,
        store -> {
          store.write("/new", new byte[1]);
          assertEquals(ExitCode.OK, shell.run("ls"), shell::err);
          assertEquals("new\n", shell.out());
        });
  }
}
