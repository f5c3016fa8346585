package dev.upcall.httpd.session;

import static dev.upcall.httpd.session.HttpSessionBehaviour.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpBehaviour;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.SessionWorld;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whom a server lets in: connections, requests and uploads over a limit wait, or are told so. */
@ExtendWith(BufferLeakCheck.class)
class HttpAdmissionTest extends HttpBehaviour<SessionWorld> {
  @Override
  public SessionWorld newWorld(HttpConfig config) {
    return new SessionWorld(1, config);
  }

  @Test
  void connectionsOverTheLimitAreTold() {
    world = new SessionWorld(2, HttpConfig.defaults().withMaxConnections(2));
    world.site.file("/a", "abc");
    SimConnection first = world.connectReader();
    SimConnection second = world.connectReader();
    SimConnection third = world.connectReader();
    third.clientSends("GET /a" + HOST);
    world.runUntil(third::clientSawEnd);
    assertTrue(third.clientGotText().startsWith("HTTP/1.1 503 "));
    third.clientEnds();
    world.runUntil(third::closedReported);
    first.clientEnds();
    world.runUntil(first::closedReported);
    assertEquals("abc", one("GET /a" + HOST).text());
    assertFalse(second.closedReported());
    assertEquals(1, world.sessions.metrics().of(HttpCount.REFUSED_CONNECTIONS));
  }

  private static HttpConfig admitting(int inside, int waiting, long waitNanos) {
    return HttpConfig.defaults()
        .withAdmission(new HttpConfig.Admission(inside, 0, waiting, waitNanos));
  }

  /** Connections that have asked for the same, in the order of coming. */
  private List<SimConnection> ask(int count, String request) {
    List<SimConnection> asking = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SimConnection connection = world.connectReader();
      asking.add(connection);
      connection.clientSends(request);
      world.runFor(1_000); // what one sends comes before what the next does
    }
    return asking;
  }

  @Test
  void requestsOverTheLimitWaitInTheOrderOfComing() {
    world = new SessionWorld(5, admitting(2, 100, 10_000_000_000L));
    world.site.file("/a", "abc");
    world.holdSite();
    List<SimConnection> asking = ask(6, "GET /a" + HOST);
    assertEquals(2, world.heldBySite(), "the store has no more than the limit");
    assertEquals(4, world.metrics().of(HttpCount.WAITING_REQUESTS));
    List<Integer> answered = new ArrayList<>();
    while (answered.size() < asking.size()) {
      assertTrue(world.heldBySite() <= 2, "inside: " + world.heldBySite());
      world.releaseOne();
      world.runFor(100_000);
      for (int i = 0; i < asking.size(); i++) {
        if (!answered.contains(i) && asking.get(i).clientGotText().endsWith("abc")) {
          answered.add(i);
        }
      }
    }
    assertEquals(List.of(0, 1, 2, 3, 4, 5), answered);
    assertEquals(0, world.metrics().of(HttpCount.WAITING_REQUESTS));
    assertEquals(0, world.metrics().of(HttpCount.REFUSED_REQUESTS));
  }

  @Test
  void oneAddressHasItsShareOfConnections() {
    world = new SessionWorld(2, HttpConfig.defaults().withMaxConnectionsOfAddress(2));
    world.site.file("/a", "abc");
    List<SimConnection> greedy = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SimConnection connection = world.connect("greedy", 1 << 16);
      connection.clientReadsAll();
      greedy.add(connection);
      assertEquals(i > 0, greedy.getFirst().addressWasAsked, "asked for when it matters");
    }
    world.runUntil(greedy.get(2)::clientSawEnd);
    String told = greedy.get(2).clientGotText();
    assertTrue(told.startsWith("HTTP/1.1 503 ") && told.contains("your address"), told);
    SimConnection other = world.connect("other", 1 << 16);
    other.clientReadsAll();
    other.clientSends("GET /a" + HOST);
    world.runUntil(() -> other.clientGotText().endsWith("abc"));
    assertEquals(1, world.metrics().of(HttpCount.REFUSED_OF_ADDRESS));
    greedy.get(0).clientEnds();
    world.runUntil(greedy.get(0)::closedReported);
    greedy.get(2).clientEnds();
    world.runUntil(greedy.get(2)::closedReported);
    SimConnection again = world.connect("greedy", 1 << 16);
    again.clientReadsAll();
    again.clientSends("GET /a" + HOST);
    world.runUntil(() -> again.clientGotText().endsWith("abc"));
    greedy.get(1).reset();
    other.reset();
    again.reset();
    world.runUntil(() -> world.sessions.size() == 0);
  }

  /** However many of those that nobody was asked for have gone meanwhile. */
  @Test
  void allAreCountedBeforeOneIsTooMany() {
    for (int most = 1; most < 40; most++) {
      world = new SessionWorld(2, HttpConfig.defaults().withMaxConnectionsOfAddress(most));
      List<SimConnection> open = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        while (open.size() < most) {
          open.add(world.connect("greedy", 1 << 16));
        }
        world.runFor(1_000);
        assertEquals(round, world.metrics().of(HttpCount.REFUSED_OF_ADDRESS), "of " + most);
        SimConnection one = world.connect("greedy", 1 << 16);
        world.runFor(1_000);
        assertEquals(
            round + 1, world.metrics().of(HttpCount.REFUSED_OF_ADDRESS), "one more than " + most);
        one.reset();
        int kept = most / (round + 2);
        open.subList(kept, most).forEach(SimConnection::reset);
        open.subList(kept, most).clear();
        world.runUntil(() -> world.sessions.size() == kept);
      }
      open.forEach(SimConnection::reset);
      world.runUntil(() -> world.sessions.size() == 0);
      world.close();
    }
    world = newWorld(HttpConfig.defaults());
  }

  @Test
  void oneAddressHasItsShareOfUploads() {
    HttpConfig.Admission half = new HttpConfig.Admission(0, 2, 100, 3_000_000_000L);
    world = new SessionWorld(2, HttpConfig.defaults().withWritable(true).withAdmission(half));
    List<SimConnection> greedy = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      greedy.add(put("greedy", "/g" + i, i < 2 ? "x" : "xy"));
      world.runFor(100_000);
    }
    assertEquals(2, world.metrics().of(HttpCount.UPLOADS_BEGUN), "two wait for their bodies");
    assertEquals(3, world.metrics().of(HttpCount.WAITING_REQUESTS));
    SimConnection other = put("other", "/o", "xy");
    world.runUntil(() -> other.clientGotText().startsWith("HTTP/1.1 201 "));
    greedy.get(0).clientSends("y");
    world.runUntil(() -> greedy.get(2).clientGotText().startsWith("HTTP/1.1 201 "));
    world.runUntil(() -> greedy.get(3).clientGotText().startsWith("HTTP/1.1 201 "));
    assertEquals("", greedy.get(1).clientGotText());
    greedy.get(1).reset();
    world.runUntil(() -> greedy.get(4).clientGotText().startsWith("HTTP/1.1 201 "));
    assertEquals(0, world.metrics().of(HttpCount.WAITING_REQUESTS));
    List<SimConnection> late = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      late.add(put("greedy", "/l" + i, "x"));
    }
    world.runUntil(() -> late.get(2).clientGotText().startsWith("HTTP/1.1 503 "));
    assertEquals(1, world.metrics().of(HttpCount.REFUSED_REQUESTS), "it waited for too long");
    SimConnection gone = put("greedy", "/gone", "x");
    world.runFor(1_000_000);
    gone.reset();
    world.runUntil(gone::closedReported);
    assertEquals(0, world.metrics().of(HttpCount.WAITING_REQUESTS));
    for (SimConnection client : List.of(greedy.get(0), greedy.get(2), greedy.get(3), other)) {
      client.reset();
    }
    greedy.get(4).reset();
    late.forEach(SimConnection::reset);
    world.runUntil(() -> world.sessions.size() == 0);
  }

  private SimConnection put(String client, String path, String body) {
    SimConnection connection = world.connect(client, 1 << 16);
    connection.clientReadsAll();
    connection.clientSends(
        "PUT " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n" + body);
    return connection;
  }

  @Test
  void whoWaitsInLineIsReadNoFurtherThanABuffer() {
    world = new SessionWorld(5, admitting(1, 100, 10_000_000_000L));
    world.site.file("/a", "abc");
    world.holdSite();
    List<SimConnection> asking = ask(2, "GET /a" + HOST);
    SimConnection waiting = asking.get(1);
    int buffer = HttpConfig.defaults().connections().receiveBufferBytes();
    waiting.clientSends(("GET /a" + HOST).repeat(4000).getBytes(StandardCharsets.US_ASCII), 1000);
    world.runFor(1_000_000_000L);
    assertEquals(1, world.metrics().of(HttpCount.WAITING_REQUESTS));
    assertFalse(waiting.isReading(), "what else it sends waits in the kernel");
    assertTrue(waiting.deliveredBytes < buffer + 1000, "" + waiting.deliveredBytes);
    asking.forEach(SimConnection::reset);
    world.releaseAll();
    world.runUntil(() -> world.sessions.size() == 0);
  }

  @Test
  void aLineThatIsFullOrTooSlowIsToldBusy() {
    world = new SessionWorld(6, admitting(1, 2, 3_000_000_000L));
    world.site.file("/a", "abc");
    world.holdSite();
    List<SimConnection> asking = ask(4, "GET /a" + HOST);
    world.runUntil(asking.get(3)::clientSawEnd);
    assertTrue(asking.get(3).clientGotText().startsWith("HTTP/1.1 503 "), "the line is full");
    assertEquals("", asking.get(2).clientGotText());
    world.runUntil(asking.get(2)::clientSawEnd);
    assertTrue(asking.get(2).clientGotText().startsWith("HTTP/1.1 503 "), "it took too long");
    assertTrue(asking.get(1).clientGotText().startsWith("HTTP/1.1 503 "));
    long nanos = world.clock.monotonicNanos();
    assertTrue(nanos >= 3_000_000_000L && nanos < 5_000_000_000L, "after " + nanos);
    assertEquals(3, world.metrics().of(HttpCount.REFUSED_REQUESTS));
    assertEquals(0, world.metrics().of(HttpCount.WAITING_REQUESTS));
    world.releaseAll();
    world.runUntil(() -> asking.getFirst().clientGotText().endsWith("abc"));
    assertEquals("abc", one("GET /a" + HOST).text());
  }

  @Test
  void whoGoesAwayOrSaysHalfLeavesTheLine() {
    world = new SessionWorld(7, admitting(1, 100, 60_000_000_000L));
    world.site.file("/a", "abc");
    world.holdSite();
    List<SimConnection> asking = ask(3, "GET /a" + HOST);
    SimConnection half = ask(1, "GET /a HT").getFirst();
    SimConnection last = ask(1, "GET /a" + HOST).getFirst();
    asking.get(1).reset();
    world.runUntil(asking.get(1)::closedReported);
    assertEquals(3, world.metrics().of(HttpCount.WAITING_REQUESTS));
    world.releaseAll();
    world.runUntil(() -> last.clientGotText().endsWith("abc"));
    assertTrue(asking.get(2).clientGotText().endsWith("abc"));
    half.clientSends("TP/1.1\r\nHost: a\r\n\r\n");
    world.runUntil(() -> half.clientGotText().endsWith("abc"));
  }

  @Test
  void slowReadersKeepNobodyOut() {
    world = new SessionWorld(8, admitting(1, 100, 1_000_000_000L));
    world.site.file("/large", noise(1_000_000));
    world.site.file("/a", "abc");
    for (int i = 0; i < 5; i++) {
      world.connect(4096).clientSends("GET /large" + HOST);
    }
    world.runFor(1_000_000);
    assertEquals("abc", one("GET /a" + HOST).text());
    assertEquals(0, world.metrics().of(HttpCount.REFUSED_REQUESTS));
  }
}
