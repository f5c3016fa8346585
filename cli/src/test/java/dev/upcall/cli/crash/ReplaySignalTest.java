package dev.upcall.cli.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.Main;
import dev.upcall.specweb.document.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A signal that ends a replay in a process of its own. SIGTERM, which takes the way of Ctrl-C: a
 * build in the background of a shell has children that ignore SIGINT.
 */
class ReplaySignalTest {
  private static final int REQUESTS = 3000;

  @TempDir private Path here;
  @TempDir private Path logs;

  private long scratches() throws IOException {
    try (var files = Files.list(here)) {
      return files.filter(file -> file.toString().endsWith(".scratch")).count();
    }
  }

  @Test
  void aSignalEndsAReplayInGoodOrder() throws Exception {
    StringBuilder trace = new StringBuilder("fio version 3 iolog\n");
    for (int i = 0; i < REQUESTS; i++) {
      trace.append(i * 200_000L).append(" /d read ").append(4096 * (i % 10)).append(" 4096\n");
    }
    Files.writeString(here.resolve("long"), trace);
    Path log = logs.resolve("log");
    Process replay =
        Victim.startIn(here, log, Main.class.getName(), "blocks", "replay", "long", "--json");
    try {
      while (scratches() == 0 && replay.isAlive()) {
        Thread.onSpinWait();
      }
      String pid = Long.toString(replay.pid());
      assertEquals(0, new ProcessBuilder("kill", "-TERM", pid).start().waitFor());
      assertTrue(replay.waitFor(60, TimeUnit.SECONDS), "it goes on");
    } finally {
      replay.destroyForcibly();
    }
    String said = Files.readString(log);
    JsonTree report = JsonTree.parse(said.substring(said.indexOf('{')));
    assertTrue(report.get("stopped").isTrue(), said);
    assertTrue(report.get("played").number() < REQUESTS, said);
    assertEquals(report.get("played").number(), report.get("done").number(), said);
    assertEquals(0, scratches(), said);
  }
}
