package dev.upcall.httpd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpVerb;
import dev.upcall.httpd.SessionWorld;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which requests are timed, and how. */
@ExtendWith(BufferLeakCheck.class)
class ResponseTimesTest {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n\r\n";

  private final SessionWorld world = new SessionWorld(2);

  @AfterEach
  void nothingIsLeft() {
    world.close();
  }

  private DistributionSnapshot latency(HttpVerb verb) {
    return world.sessions.metrics().latency(verb);
  }

  @Test
  void everyAnsweredRequestIsTimedUnderItsMethod() {
    world.site.file("/a", "a");
    world.exchange(("GET /a" + HOST).repeat(30) + "GET /none" + HOST);
    world.exchange("HEAD /a" + HOST);
    world.exchange("POST /a" + HOST);
    assertEquals(31, latency(HttpVerb.GET).count(), "pipelined ones and a 404 too");
    assertEquals(1, latency(HttpVerb.HEAD).count());
    assertEquals(1, latency(HttpVerb.OTHER).count());
    assertEquals(0, latency(HttpVerb.PUT).count());
  }

  @Test
  void aRequestTakesAsLongAsItsClientTakesToReadTheLastByte() {
    world.site.file("/big", new byte[1_000_000]);
    SimConnection connection = world.connect(10_000);
    connection.clientSends("GET /big" + HOST);
    long began = world.clock.monotonicNanos();
    connection.clientKeepsReading(10_000, 1_000_000);
    world.runUntil(() -> latency(HttpVerb.GET).count() == 1);
    long took = world.clock.monotonicNanos() - began;
    long said = latency(HttpVerb.GET).max();
    assertTrue(said > 90_000_000 && said <= took, "%d of %d".formatted(said, took));
    connection.clientEnds();
    world.runUntil(connection::closedReported);
  }

  @Test
  void anAnswerToNoRequestIsNotTimed() {
    SimConnection connection = world.connectReader();
    connection.clientSends("GET /slow HTT");
    world.runUntil(connection::clientSawEnd);
    connection.clientEnds();
    world.runUntil(connection::closedReported);
    assertTrue(new String(connection.clientGot(), StandardCharsets.US_ASCII).contains(" 408 "));
    for (HttpVerb verb : HttpVerb.values()) {
      assertEquals(0, latency(verb).count(), verb.name());
    }
  }

  @Test
  void whatIsCutOffIsNotTimed() {
    world.site.file("/big", new byte[1_000_000]);
    SimConnection connection = world.connect(10_000);
    connection.clientSends("GET /big" + HOST);
    connection.clientReads(5_000);
    world.runFor(1_000_000);
    connection.reset();
    world.runUntil(connection::closedReported);
    assertEquals(0, latency(HttpVerb.GET).count());
    assertEquals(1, world.sessions.metrics().of(HttpCount.BROKEN_RESPONSES));
  }
}
