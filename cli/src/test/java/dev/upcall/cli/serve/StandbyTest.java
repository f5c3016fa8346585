package dev.upcall.cli.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.StoreCommands;
import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that waits for a store which somebody else has: here, another part of this process. */
class StandbyTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);

  @TempDir Path here;

  private Path volume() {
    return here.resolve("s.upcall");
  }

  /** A standby in a thread of its own. */
  private final class Waiting implements AutoCloseable {
    private final TestShell shell = new TestShell(here);
    private final CompletableFuture<Integer> code = new CompletableFuture<>();

    Waiting(String... more) {
      List<String> line = new ArrayList<>(List.of("serve", "--standby", "--json"));
      line.addAll(List.of(more));
      if (line.stream().noneMatch(argument -> argument.startsWith("--port"))) {
        line.add("--port=0");
      }
      Thread.ofPlatform().start(() -> code.complete(shell.run(line.toArray(String[]::new))));
    }

    Waiting says(String text) {
      await(() -> shell.err().contains(text) || code.isDone());
      assertTrue(shell.err().contains(text), shell::err);
      return this;
    }

    String url() {
      await(() -> shell.out().endsWith("}\n") || code.isDone());
      return shell.err().replaceAll("(?s).*serving on (http://[^/]+/).*", "$1");
    }

    int ended() {
      await(code::isDone);
      return code.join();
    }

    void end() {
      shell.stop.ask();
      ended();
    }

    @Override
    public void close() {
      end();
    }
  }

  private static void await(BooleanSupplier condition) {
    long from = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - from < TimeUnit.SECONDS.toNanos(60), "in vain");
      Thread.onSpinWait();
    }
  }

  private static void end(Upcall store) {
    store.close();
  }

  private static String get(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void itServesWhatTheOwnerHasLeft(String engine) throws Exception {
    try (Upcall owner = Upcall.create(volume(), SMALL);
        Waiting standby = new Waiting("--engine=" + engine, "--writable")) {
      standby.says("waiting for another store in this process").says("standby: ready");
      owner.write("/a", "kept".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      assertFalse(standby.shell.err().contains("serving on"), standby.shell::err);
      end(owner);
      assertEquals("kept", get(standby.url() + "a"));
      standby.says("the store is without owner").says("superblock").says("after the store was");
      String json = standby.shell.out();
      for (String step :
          List.of(
              "waited", "fence", "superblock", "map", "scan", "replay", "rest", "bind", "all")) {
        assertTrue(json.contains("\"" + step + "Millis\":"), json);
      }
    }
  }

  @Test
  void aStoreOfNobodyIsTakenAtOnce() throws Exception {
    Upcall.create(volume(), SMALL).close();
    try (Waiting standby = new Waiting()) {
      standby.says("nobody has the store open; taking it at once").says("serving on");
    }
  }

  @Test
  void readersAreNoOwnersAndAreNotHindered() throws Exception {
    Upcall.create(volume(), SMALL).close();
    try (Upcall reader = Upcall.open(volume(), SMALL.withReadOnly(true));
        Waiting standby = new Waiting()) {
      standby.says("standby: ready");
      assertEquals(ExitCode.OK, new TestShell(here).run("info", "--read-only"));
      assertFalse(standby.shell.err().contains("without owner"), standby.shell::err);
      end(reader);
      standby.says("serving on");
    }
  }

  @Test
  void commandsOnTheServedStoreDoNotFeelIt() throws Exception {
    TestShell other = new TestShell(here);
    try (Upcall owner = Upcall.create(volume(), SMALL);
        StoreCommands _ = StoreCommands.listen(owner, volume());
        Waiting standby = new Waiting()) {
      standby.says("standby: ready");
      for (String command : List.of("info", "ls /", "mkdir /d", "stat /d", "verify")) {
        assertEquals(ExitCode.OK, other.run(command.split(" ")), other::err);
      }
      assertFalse(standby.shell.err().contains("without owner"), standby.shell::err);
    }
  }

  @Test
  void itCanBeStoppedWhileItWaits() throws Exception {
    try (Upcall owner = Upcall.create(volume(), SMALL);
        Waiting standby = new Waiting()) {
      standby.says("standby: ready");
      standby.shell.stop.ask();
      assertEquals(ExitCode.OK, standby.ended());
      standby.says("stopped; the store was not touched");
      owner.write("/a", new byte[] {1});
    }
    try (Upcall again = Upcall.open(volume(), SMALL)) {
      assertArrayEquals(new byte[] {1}, again.readAllBytes("/a"));
    }
  }

  @Test
  void ofTwoOneServesAndTheOtherGoesOnWaiting() throws Exception {
    try (Upcall owner = Upcall.create(volume(), SMALL);
        Waiting one = new Waiting();
        Waiting two = new Waiting()) {
      one.says("standby: ready");
      two.says("standby: ready");
      end(owner);
      await(() -> one.shell.err().contains("serving") || two.shell.err().contains("serving"));
      Waiting first = one.shell.err().contains("serving") ? one : two;
      Waiting second = first == one ? two : one;
      assertFalse(second.shell.err().contains("without owner"), second.shell::err);
      first.end();
      second.says("serving on");
    }
  }

  @Test
  void aStoreThatIsTakenAwayIsNoticed() throws Exception {
    try (Upcall owner = Upcall.create(volume(), SMALL);
        Waiting standby = new Waiting()) {
      standby.says("standby: ready");
      Files.move(volume(), here.resolve("aside"));
      assertEquals(ExitCode.FAILED, standby.ended());
      standby.says("was removed; nothing was changed");
      Files.move(here.resolve("aside"), volume());
      owner.write("/a", new byte[1]);
    }
  }

  @Test
  void aPortThatAnotherOneHasIsAClearError() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Upcall owner = Upcall.create(volume(), SMALL);
        Waiting standby = new Waiting("--port=" + other.getLocalPort())) {
      standby.says("standby: ready");
      end(owner);
      assertEquals(ExitCode.FAILED, standby.ended());
      standby.says("cannot listen on 127.0.0.1:" + other.getLocalPort());
    }
    Upcall.open(volume(), SMALL).close();
  }

  @Test
  void whatItCannotBeIsRefused() throws IOException {
    TestShell shell = new TestShell(here);
    assertEquals(ExitCode.FAILED, shell.run("serve", "--standby", "--store=none"));
    assertTrue(shell.err().contains("no store at"), shell::err);
    assertEquals(ExitCode.USAGE, shell.run("serve", "--standby", "--read-only", "--store=none"));
    Files.createDirectory(here.resolve("tree"));
    assertEquals(ExitCode.USAGE, shell.run("serve", "tree", "--standby"));
    assertTrue(shell.err().contains("give --no-import with DIR"), shell::err);
  }
}
