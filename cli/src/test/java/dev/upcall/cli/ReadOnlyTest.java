package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.io.Disk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that are only looked at, damaged ones among them. */
class ReadOnlyTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);

  /** Where the log begins. */
  private static final int FIRST_LOG_BLOCK = 4;

  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void shell() {
    shell = new TestShell(here);
  }

  private void run(int code, String words, String... args) {
    assertEquals(code, shell.run(args), () -> String.join(" ", args) + ": " + shell.err());
    assertTrue((shell.out() + shell.err()).contains(words), () -> shell.out() + shell.err());
  }

  @Test
  void whatIsOnlyLookedAtStaysAsItIs() throws IOException {
    Path volume = here.resolve("s.upcall");
    try (Upcall store = Upcall.create(volume, SMALL)) {
      store.write("/a", "abc".getBytes(StandardCharsets.UTF_8));
      Files.copy(volume, here.resolve("killed"));
    }
    Path killed = here.resolve("killed");
    Path before = Files.copy(killed, here.resolve("before"));
    run(ExitCode.OK, "abc", "cat", "/a", "--store=killed", "--read-only");
    run(ExitCode.OK, "a\n", "ls", "/", "--store=killed", "--read-only");
    run(ExitCode.OK, "sound", "verify", "--deep", "--store=killed", "--read-only");
    assertEquals(-1, Files.mismatch(before, killed));
    run(ExitCode.FAILED, "no store at", "ls", "/", "--store=none", "--read-only");
    run(ExitCode.USAGE, "leave out --writable", "serve", "--writable", "--read-only");
    run(ExitCode.USAGE, "give --no-import", "serve", here.toString(), "--read-only");
  }

  /** As a process that was killed has left it: the log holds what is nowhere else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ls -l -R",
        "ls --engine=threads",
        "stat /a",
        "cat /a",
        "cat /a --engine=threads",
        "find",
        "df",
        "info",
        "info --count",
        "verify",
        "verify --deep",
        "snapshot list",
        "export / out"
      })
  void lookingAtAStoreWithoutAFlag_writesNothing(String command) throws IOException {
    Path volume = here.resolve("s.upcall");
    Path killed = here.resolve("killed");
    try (Upcall store = Upcall.create(volume, SMALL)) {
      store.write("/a", "abc".getBytes(StandardCharsets.UTF_8));
      Files.copy(volume, killed);
    }
    byte[] before = Files.readAllBytes(killed);
    Files.setPosixFilePermissions(killed, PosixFilePermissions.fromString("r--r--r--"));
    Files.setLastModifiedTime(killed, FileTime.fromMillis(1_000));
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add("--store=killed");
    assertEquals(ExitCode.OK, shell.run(words.toArray(String[]::new)), shell::err);
    assertArrayEquals(before, Files.readAllBytes(killed));
    assertEquals(FileTime.fromMillis(1_000), Files.getLastModifiedTime(killed));
    if (command.startsWith("verify") || command.endsWith("--count")) {
      String said = shell.err();
      assertTrue(said.contains(command.startsWith("verify") ? "verify: as of" : "count: as of"));
      assertTrue(said.contains("are in the log alone"), said);
    }
    if (command.startsWith("cat")) {
      assertEquals("abc", shell.out());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void aFileThatNobodyMayWriteIsServed(String engine) throws Exception {
    Path volume = here.resolve("s.upcall");
    try (Upcall store = Upcall.create(volume, SMALL)) {
      store.write("/a", "over http".getBytes(StandardCharsets.UTF_8));
    }
    byte[] before = Files.readAllBytes(volume);
    FileTime changed = Files.getLastModifiedTime(volume);
    Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("r--r--r--"));
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(
            () -> shell.run("serve", "--read-only", "--engine=" + engine, "--port=0"));
    while (!shell.err().contains("(Ctrl-C stops)") && !code.isDone()) {
      Thread.onSpinWait();
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      String url = shell.err().replaceFirst("(?s).*serving on (http:\\S+).*", "$1");
      HttpRequest get = HttpRequest.newBuilder(URI.create(url + "a")).build();
      assertEquals("over http", client.send(get, HttpResponse.BodyHandlers.ofString()).body());
    } finally {
      shell.stop.ask();
    }
    assertEquals(ExitCode.OK, code.get(120, TimeUnit.SECONDS), shell::err);
    assertArrayEquals(before, Files.readAllBytes(volume));
    assertEquals(changed, Files.getLastModifiedTime(volume));
  }

  @Test
  void whatWasCommittedBeforeTheDamageCanBeRead() throws IOException {
    Path volume = here.resolve("s.upcall");
    Path damaged = here.resolve("damaged");
    try (Upcall store = Upcall.create(volume, SMALL)) {
      for (int i = 0; i < 20; i++) {
        store.write("/f" + i, new byte[] {(byte) ('a' + i)});
      }
      Files.copy(volume, damaged);
    }
    damageTheBatchOf(damaged, "f10");
    Path before = Files.copy(damaged, here.resolve("before"));
    run(ExitCode.FAILED, "opened read-only, the store shows", "ls", "/", "--store=damaged");
    run(
        ExitCode.OK,
        "older than the newest: it shows the store as of change",
        "ls",
        "/",
        "--store=damaged",
        "--read-only");
    assertTrue(shell.err().contains(", last changed at 20"), shell::err);
    List<String> left = IntStream.range(0, 10).mapToObj(i -> "f" + i).toList();
    assertEquals(left, shell.out().lines().toList());
    run(ExitCode.OK, "a", "cat", "/f0", "--store=damaged", "--read-only");
    String[][] reading = {
      {"ls"},
      {"stat", "/f0"},
      {"cat", "/f0"},
      {"verify"},
      {"snapshot", "list"},
      {"export", "/", "out"}
    };
    for (String[] command : reading) {
      List<String> words = new ArrayList<>(List.of(command));
      words.addAll(List.of("--store=damaged", "--read-only", "--json"));
      run(
          command[0].equals("verify") ? ExitCode.PARTLY : ExitCode.OK,
          "older than the newest: ",
          words.toArray(String[]::new));
      assertTrue(shell.out().contains("\"age\":\"older\",\"lastChanged\":\"20"), shell::out);
    }
    assertEquals(-1, Files.mismatch(before, damaged));
  }

  /**
   * The batch that made a file. Each has a block of its own; whether there is one of a mark before
   * it depends on how long the files took.
   */
  private static void damageTheBatchOf(Path volume, String name) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(volume.toFile(), "rw")) {
      byte[] block = new byte[Disk.BLOCK_BYTES];
      long at = (long) FIRST_LOG_BLOCK * Disk.BLOCK_BYTES;
      file.seek(at);
      file.readFully(block);
      while (!new String(block, StandardCharsets.ISO_8859_1).contains(name)) {
        at += Disk.BLOCK_BYTES;
        file.readFully(block);
      }
      file.seek(at + 130);
      file.write(block[130] ^ 1);
    }
  }
}
