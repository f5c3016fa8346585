package dev.upcall.cli.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.Main;
import dev.upcall.cli.crash.Victim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Owners that end when they are asked to, hang, or cannot be told. */
class TakeoverTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);

  @TempDir Path here;
  private Path volume;

  @BeforeEach
  void makeStore() {
    volume = here.resolve("s.upcall");
    Upcall.create(volume, SMALL).close();
  }

  private Process serve() throws Exception {
    Path log = here.resolve("server");
    Files.deleteIfExists(log);
    Process server =
        Victim.start(
            log, Main.class.getName(), "serve", "--store=" + volume, "--port=0", "--memory=24m");
    while (!Files.readString(log).contains("serving on")) {
      assertFalse(server.waitFor(5, TimeUnit.MILLISECONDS), () -> "the server died by itself");
    }
    return server;
  }

  private String takeover(int code, String... more) throws Exception {
    Path log = here.resolve("takeover");
    String[] line = new String[more.length + 2];
    line[0] = "takeover";
    line[1] = volume.toString();
    System.arraycopy(more, 0, line, 2, more.length);
    Process process = Victim.start(log, Main.class.getName(), line);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    String said = Files.readString(log);
    assertEquals(code, process.exitValue(), said);
    return said;
  }

  @Test
  void anOwnerThatEndsWhenAskedIsNotKilled() throws Exception {
    Process owner = serve();
    try {
      String said = takeover(0, "--json", "--patience=60s");
      assertTrue(said.contains("\"process\":" + owner.pid()), said);
      assertTrue(said.contains("\"signal\":\"SIGTERM\""), said);
      assertTrue(owner.waitFor(60, TimeUnit.SECONDS));
      assertTrue(Files.readString(here.resolve("server")).contains("the store is closed"));
    } finally {
      owner.destroyForcibly();
    }
    Upcall.open(volume, SMALL).close();
  }

  @Test
  void anOwnerThatHangsIsKilled() throws Exception {
    Process owner = serve();
    try {
      String pid = Long.toString(owner.pid());
      assertEquals(0, new ProcessBuilder("kill", "-STOP", pid).start().waitFor());
      String said = takeover(0, "--json", "--patience=1s");
      assertTrue(said.contains("it goes on; killing it (SIGKILL)"), said);
      assertTrue(said.contains("process " + pid + " has it no more, after "), said);
      assertTrue(said.contains("\"signal\":\"SIGKILL\""), said);
      assertTrue(owner.waitFor(60, TimeUnit.SECONDS));
    } finally {
      owner.destroyForcibly();
    }
    Upcall.open(volume, SMALL).close();
  }

  @Test
  void aStoreOfNobodyIsLeftAlone() throws Exception {
    String said = takeover(0, "--json");
    assertTrue(said.contains("no process has it open; nothing was done"), said);
    assertTrue(said.contains("\"process\":null"), said);
  }

  @Test
  void whoOnlyReadsIsNoOwner() throws Exception {
    try (Upcall reader = Upcall.open(volume, SMALL.withReadOnly(true))) {
      assertTrue(takeover(0).contains("no process has it open"));
      assertTrue(reader.exists("/"));
    }
  }

  @Test
  void whatIsNoStoreIsSaid() throws Exception {
    Files.delete(volume);
    assertTrue(takeover(1).contains("no store at"));
  }

  /** A thread that waits in the kernel for the owner's lock holds nothing up. */
  @Test
  void aProcessThatWaitsForAStoreEndsWhenItIsTold() throws Exception {
    Path log = here.resolve("standby");
    try (Upcall owner = Upcall.open(volume, SMALL)) {
      Process standby =
          Victim.start(
              log,
              Main.class.getName(),
              "serve",
              "--standby",
              "--store=" + volume,
              "--port=0",
              "--memory=24m");
      try {
        while (!Files.readString(log).contains("standby: ready")) {
          assertFalse(standby.waitFor(5, TimeUnit.MILLISECONDS), () -> "it died by itself");
        }
        standby.destroy();
        assertTrue(standby.waitFor(60, TimeUnit.SECONDS), () -> "it goes on waiting");
        assertEquals(143, standby.exitValue());
        assertTrue(Files.readString(log).contains("the store was not touched"));
      } finally {
        standby.destroyForcibly();
      }
      owner.write("/a", new byte[1]);
    }
  }
}
