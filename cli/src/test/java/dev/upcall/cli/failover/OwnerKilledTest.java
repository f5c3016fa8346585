package dev.upcall.cli.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.Main;
import dev.upcall.cli.StoreCommands;
import dev.upcall.cli.crash.Victim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store's owner, and a client of it, that are killed while a command runs. */
class OwnerKilledTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);

  /** More than a pipe takes: who has written it knows that it is being read. */
  private static final byte[] MORE_THAN_A_PIPE = new byte[1 << 20];

  @TempDir Path here;

  private Process start(Path log, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.add("--store=" + here.resolve("s.upcall"));
    return Victim.start(log, Main.class.getName(), all.toArray(String[]::new));
  }

  private String run(String... arguments) throws Exception {
    Path log = here.resolve("log");
    Process process = start(log, arguments);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    String said = Files.readString(log);
    assertEquals(0, process.exitValue(), said);
    return said;
  }

  @Test
  void aKilledOwnerIsInNobodysWay() throws Exception {
    Upcall.create(here.resolve("s.upcall"), SMALL).close();
    Path ownersLog = here.resolve("owner");
    Process owner = start(ownersLog, "serve", "--port=0", "--memory=24m");
    try {
      while (!Files.readString(ownersLog).contains("serving on") && owner.isAlive()) {
        Thread.onSpinWait();
      }
      run("mkdir", "/made");
      Path clientsLog = here.resolve("client");
      Process client = start(clientsLog, "put", "-", "/half");
      client.getOutputStream().write(MORE_THAN_A_PIPE);
      client.getOutputStream().flush();
      owner.destroyForcibly().waitFor();
      assertTrue(client.waitFor(60, TimeUnit.SECONDS));
      String said = Files.readString(clientsLog);
      assertEquals(1, client.exitValue(), said);
      assertTrue(said.contains("ended before this command did"), said);
    } finally {
      owner.destroyForcibly();
    }
    assertTrue(Files.exists(here.resolve("s.upcall.sock")));
    assertTrue(run("ls", "/").endsWith("made\n"));
  }

  @Test
  void aKilledClientLeavesNothing() throws Exception {
    Path volume = here.resolve("s.upcall");
    try (Upcall store = Upcall.create(volume, SMALL)) {
      try (StoreCommands _ = StoreCommands.listen(store, volume)) {
        Process client = start(here.resolve("client"), "put", "-", "/half");
        client.getOutputStream().write(MORE_THAN_A_PIPE);
        client.getOutputStream().flush();
        client.destroyForcibly().waitFor();
        assertFalse(run("ls", "/").contains("half"));
      }
      assertFalse(store.exists("/half"));
      assertEquals(0, store.info().unplacedBytes());
    }
  }
}
