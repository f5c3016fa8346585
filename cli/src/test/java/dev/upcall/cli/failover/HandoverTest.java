package dev.upcall.cli.failover;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.cli.crash.Comparison;
import dev.upcall.cli.crash.CrashWorker;
import dev.upcall.cli.failover.Servers.Running;
import dev.upcall.httpd.server.HttpThreads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real pairs of servers, of which one leaves its store and its port to the other. */
@Tag("long")
class HandoverTest {
  /** How many handovers one test makes. */
  private static final int ROUNDS = Integer.getInteger("upcall.handover.rounds", 3);

  private static final int KEPT = 4;
  private static final int FRESH = 4;

  @TempDir Path here;
  private Servers servers;

  @BeforeEach
  void makeStore() throws IOException {
    servers = new Servers(here);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private HandoverClient client(boolean keeps) throws IOException {
    return new HandoverClient(servers.port, keeps);
  }

  /** Without io_uring and epoll there is only the sentence that says so. */
  private boolean isRefused() throws Exception {
    if (HttpThreads.unavailable().isEmpty()) {
      return false;
    }
    servers.standby().says("serving on");
    servers.standby().says("standby: ready");
    assertTrue(servers.handover().ends(1).contains("neither io_uring nor epoll"));
    return true;
  }

  @Test
  void noRequestFailsWhileAServerLeavesToAnother() throws Exception {
    if (isRefused()) {
      return;
    }
    Running serving = servers.standby().says("serving on");
    HandoverLoad load = new HandoverLoad(servers.port, KEPT, FRESH);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Running next = servers.standby().says("standby: ready");
        double before = load.longestMillis();
        long answered = load.answered();
        String said = servers.handOver("--json", "--grace=10s");
        assertTrue(said.contains("\"connectionsPassedMillis\":"), said);
        next.says("serving on");
        assertTrue(serving.ends(0).contains("stopped; the store is closed"), serving::read);
        assertFalse(serving.read().contains("commands of other processes"), serving::read);
        long after = load.answered();
        assertTrue(after > answered, "answered meanwhile: " + (after - answered));
        load.awaitAnswers(after + 100);
        System.out.printf(
            "handover %d: %d answered, longest wait %.1f ms, before it %.1f ms%n%s%n%s",
            round, load.answered(), load.longestMillis(), before, said, next.read());
        serving = next;
      }
    } finally {
      load.end();
    }
    assertEquals(null, load.failure());
    servers.close();
    try (Upcall store = Upcall.open(servers.volume(), CrashWorker.CONFIG)) {
      for (Map.Entry<String, byte[]> file : load.acknowledged().entrySet()) {
        assertArrayEquals(file.getValue(), store.readAllBytes(file.getKey()), file.getKey());
      }
      Comparison.verify(store);
    }
  }

  /** The load can fail: it sees a standby that goes on after a death. */
  @Test
  void clientsNoticeAServerThatDies() throws Exception {
    Running serving = servers.standby().says("serving on");
    HandoverLoad load = new HandoverLoad(servers.port, KEPT, FRESH);
    try {
      load.awaitAnswers(100);
      Running next = servers.standby().says("standby: ready");
      serving.process().destroyForcibly().waitFor();
      next.says("serving on");
    } finally {
      load.end();
    }
    assertNotNull(load.failure());
  }

  @Test
  void whatIsHalfDoneIsAnsweredByWhomItWasAsked() throws Exception {
    if (isRefused()) {
      return;
    }
    Running serving = servers.standby().says("serving on");
    Running next = servers.standby().says("standby: ready");
    byte[] content = "content ".repeat(40_000).getBytes(StandardCharsets.US_ASCII);
    int half = content.length / 2;
    try (HandoverClient kept = client(true);
        HandoverClient head = client(true);
        HandoverClient upload = client(true);
        HandoverClient late = client(true);
        HandoverClient silent = client(true)) {
      kept.put("/a", content);
      byte[] asked = head.head("GET", "/a", "");
      head.send(Arrays.copyOf(asked, 9));
      upload.send(content.length, "/b", Arrays.copyOf(content, half));
      late.send(content.length, "/c", Arrays.copyOf(content, half));
      Running handover = servers.handover("--grace=8s");
      while (!isLeaving()) {
        handover = servers.again(handover, "--grace=8s");
      }
      kept.get("/a", content);
      head.send(Arrays.copyOfRange(asked, 9, asked.length));
      head.got("/a", content);
      upload.send(Arrays.copyOfRange(content, half, content.length));
      upload.stored("/b");
      for (HandoverClient one : new HandoverClient[] {kept, head, upload}) {
        assertTrue(one.isOver() && one.hasEnded(), "told, and ended without a reset");
      }
      handover.says("2 connections are not done after 8 s");
      late.send(Arrays.copyOfRange(content, half, content.length));
      late.stored("/c");
      handover.ends(0);
      assertTrue(silent.hasEnded(), "idle, and closed without a reset");
    }
    serving.ends(0);
    next.says("serving on");
    try (HandoverClient after = client(true)) {
      for (String path : new String[] {"/a", "/b", "/c"}) {
        after.get(path, content);
        assertFalse(after.isOver(), "the next server keeps its connections");
      }
    }
  }

  /** Whether connections are kept no more. */
  private boolean isLeaving() throws Exception {
    try (HandoverClient asking = client(true)) {
      asking.put("/asking", new byte[1]);
      TimeUnit.MILLISECONDS.sleep(5);
      return asking.isOver();
    }
  }

  @Test
  void ofTwoStandbysTheFirstInLineIsNext() throws Exception {
    if (isRefused()) {
      return;
    }
    Running serving = servers.standby().says("serving on");
    Running second = servers.standby().says("standby: ready");
    Running third = servers.standby().says("standby: ready");
    HandoverLoad load = new HandoverLoad(servers.port, 1, 1);
    try {
      load.awaitAnswers(100);
      servers.handOver();
      serving.ends(0);
      second.says("serving on");
      assertFalse(third.read().contains("without owner"), third::read);
      servers.handOver();
      second.ends(0);
      third.says("serving on");
      load.awaitAnswers(load.answered() + 100);
    } finally {
      load.end();
    }
    assertEquals(null, load.failure());
  }
}
