package dev.upcall.cli.failover;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.failover.Servers.Running;
import dev.upcall.httpd.server.HttpThreads;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handovers that cannot be, or fail in the middle: the owner goes on serving. */
@Tag("long")
class HandoverRefusedTest {
  private static final boolean SHARES = HttpThreads.unavailable().isEmpty();

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

  /** It serves, and keeps connections. */
  private void assertServes() throws IOException {
    try (HandoverClient client = new HandoverClient(servers.port, true)) {
      for (int i = 0; i < 10; i++) {
        byte[] content = {(byte) i};
        client.put("/f" + i, content);
        client.get("/f" + i, content);
        assertFalse(client.isOver());
      }
    }
  }

  @Test
  void withoutAStandbyTheServerGoesOn() throws Exception {
    servers.standby().says("serving on");
    String said = servers.handover("--json").ends(1);
    assertTrue(said.contains("no standby waits for the store"), said);
    assertServes();
  }

  @Test
  void aStandbyForAnotherAddressIsRefused() throws Exception {
    servers.standby().says("serving on");
    servers.standby("--port=" + (servers.port + 1)).says("standby: ready");
    String said = servers.handover().ends(1);
    String reason =
        SHARES
            ? "the standby refuses: it is to serve on 127.0.0.1 %d, and was asked to"
                .formatted(servers.port + 1)
            : "neither io_uring nor epoll";
    assertTrue(said.contains(reason), said);
    assertServes();
  }

  @Test
  void theEngineOfThreadsCannot() throws Exception {
    Running serving = servers.standby("--engine=threads").says("serving on");
    Running next = servers.standby().says("standby: ready");
    assertTrue(servers.handover().ends(1).contains("no server that can hand over"));
    assertServes();
    serving.process().destroyForcibly().waitFor();
    next.says("serving on");
    servers.standby("--engine=threads").says("standby: ready");
    String said = servers.handover().ends(1);
    assertTrue(
        said.contains(
            SHARES ? "it has --engine=threads, which cannot share" : "neither io_uring nor epoll"),
        said);
    assertServes();
  }

  @Test
  void aStandbyThatHangsIsNobodysSuccessor() throws Exception {
    servers.standby().says("serving on");
    Running next = servers.standby().says("standby: ready");
    if (SHARES) {
      next.signal("STOP");
      String said = servers.handover().ends(1);
      assertTrue(said.contains("the standby does not answer; the server goes on"), said);
      assertServes();
      next.signal("CONT");
      servers.handOver();
      next.says("serving on");
      assertServes();
    }
  }

  @Test
  void whatAStandbyHasThatDiesInTheMiddleIsTakenBack() throws Exception {
    Running serving = servers.standby().says("serving on");
    Running next = servers.standby().says("standby: ready");
    if (SHARES) {
      byte[] content = "content".getBytes(StandardCharsets.US_ASCII);
      try (HandoverClient upload = new HandoverClient(servers.port, true)) {
        upload.send(content.length, "/a", Arrays.copyOf(content, 3));
        Running handover = handoverThatWaits();
        next.process().destroyForcibly().waitFor();
        String said = handover.ends(1);
        assertTrue(said.contains("the standby has gone; the server goes on"), said);
        assertServes();
        upload.send(Arrays.copyOfRange(content, 3, content.length));
        upload.stored("/a");
        assertFalse(upload.isOver(), "it is kept again");
      }
      servers.standby().says("standby: ready");
      servers.handOver();
      serving.ends(0);
    }
  }

  @Test
  void whatAStandbyHasThatHangsInTheMiddleIsTakenBack() throws Exception {
    Running serving = servers.standby().says("serving on");
    Running next = servers.standby().says("standby: ready");
    if (SHARES) {
      byte[] content = "content".getBytes(StandardCharsets.US_ASCII);
      try (HandoverClient upload = new HandoverClient(servers.port, true)) {
        upload.send(content.length, "/a", Arrays.copyOf(content, 3));
        Running handover = handoverThatWaits();
        next.signal("STOP");
        upload.send(Arrays.copyOfRange(content, 3, content.length));
        upload.stored("/a");
        String said = handover.ends(1);
        assertTrue(said.contains("the standby does not answer; the server goes on"), said);
      }
      assertServes();
      next.signal("CONT");
      assertServes();
      servers.handOver();
      next.says("serving on");
      serving.ends(0);
      assertServes();
    }
  }

  /** One that has passed new connections on, and waits for the request that is under way. */
  private Running handoverThatWaits() throws Exception {
    Running handover = servers.handover("--grace=1s");
    while (!handover.read().contains("1 connections are not done")) {
      handover = servers.again(handover, "--grace=1s");
      TimeUnit.MILLISECONDS.sleep(5);
    }
    while (!isPassedOn()) {
      assertTrue(handover.process().isAlive(), handover::read);
    }
    return handover;
  }

  /** Whether a connection that begins now waits for the standby. */
  private boolean isPassedOn() throws IOException {
    try (HandoverClient asking = new HandoverClient(servers.port, true, 2_000)) {
      asking.put("/asking", new byte[1]);
      return false;
    } catch (SocketTimeoutException nobodyAnswers) {
      return true;
    }
  }
}
