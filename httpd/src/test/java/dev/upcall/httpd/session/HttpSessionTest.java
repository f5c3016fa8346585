package dev.upcall.httpd.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.SessionWorld;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a session answers, over a simulated connection. */
@ExtendWith(BufferLeakCheck.class)
class HttpSessionTest extends HttpSessionBehaviour<SessionWorld> {
  @Override
  public SessionWorld newWorld(HttpConfig config) {
    return new SessionWorld(1, config);
  }

  @Test
  void aFileWithAllItsHeaders() {
    FileInfo file = world.site.file("/hello.txt", "hello, world\n");
    Response response = one("GET /hello.txt" + HOST);
    assertEquals(200, response.status());
    assertEquals("hello, world\n", response.text());
    assertEquals("text/plain", response.header("Content-Type").split(";")[0]);
    assertEquals("13", response.header("Content-Length"));
    assertEquals("\"" + file.entityTag() + "\"", response.header("ETag"));
    assertEquals("Sun, 06 Nov 1994 08:49:39 GMT", response.header("Last-Modified"));
    assertEquals("Thu, 01 Jan 2026 00:00:00 GMT", response.header("Date"));
    assertEquals("upcall", response.header("Server"));
    assertNull(response.header("Connection"));
  }

  @Test
  void oldClients() {
    world.site.file("/a", "abc");
    SimConnection once = world.connectReader();
    once.clientSends("GET /a HTTP/1.0\r\n\r\n");
    world.runUntil(once::closedReported);
    assertTrue(once.clientGotText().contains("\r\nConnection: close\r\n"));
    assertTrue(once.clientGotText().endsWith("\r\n\r\nabc"));

    SimConnection kept = world.connectReader();
    kept.clientSends("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    world.runUntil(() -> kept.clientGotText().endsWith("abc"));
    assertTrue(kept.clientGotText().contains("\r\nConnection: keep-alive\r\n"));
    kept.clientSends("GET /missing HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    world.runUntil(() -> kept.clientGotText().endsWith(" does not exist\n"));
    kept.clientSends("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    world.runUntil(kept::closedReported); // a page without length ends with the connection
    assertTrue(kept.clientGotText().endsWith("</html>\n"));
    assertFalse(kept.clientGotText().contains("chunked"));
  }

  @Test
  void readingStopsWhileRequestsWait() {
    world =
        new SessionWorld(
            3,
            HttpConfig.defaults().withConnections(new HttpConfig.Connections(16, 16, 64, 16, 1)));
    world.site.file("/large", noise(500_000));
    SimConnection connection = world.connect(1000);
    connection.clientSends(("GET /large" + HOST).repeat(3));
    connection.clientSends("GET /large" + HOST);
    world.runFor(1_000_000);
    assertFalse(connection.isReading());
    connection.clientKeepsReading(50_000, 100);
    connection.clientEnds();
    world.runUntil(connection::clientSawEnd);
    assertEquals(4, Responses.parse(connection.clientGot(), n -> false, true).size());
  }

  @Test
  void slowReaderCostsABoundedNumberOfBytes() {
    world.site.file("/large", noise(3_000_000));
    SimConnection slow = world.connect(4096);
    slow.clientSends("GET /large" + HOST);
    slow.clientKeepsReading(1, 1_000_000);
    world.runFor(500_000_000);
    HttpConfig config = HttpConfig.defaults();
    assertTrue(slow.waitingMost <= config.responses().contentBytes() + 1024, "" + slow.waitingMost);
    assertTrue(world.site.leasedBytes <= config.responses().contentBytes());
    Response other = one("GET /large" + HOST);
    assertEquals(3_000_000, other.body().length);
    slow.reset();
    world.runUntil(slow::closedReported);
    assertEquals(1, world.sessions.metrics().of(HttpCount.BROKEN_RESPONSES));
  }

  @Test
  void windowsAreNarrowOnceAllHoldHalf() {
    HttpConfig config = HttpConfig.defaults().withMaxLeasedBytes(4 << 20);
    world = new SessionWorld(4, config);
    world.site.file("/large", noise(3_000_000));
    List<SimConnection> stopped = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      stopped.add(world.connect(4096));
      stopped.getLast().clientSends("GET /large" + HOST);
      world.runFor(1_000_000);
    }
    int headBytes = 1024;
    int wide = config.responses().contentBytes();
    assertTrue(stopped.getFirst().waitingMost > wide - HttpConfig.SLICE_BYTES);
    assertTrue(stopped.getFirst().waitingMost <= wide + headBytes);
    int narrow = config.responses().sendHighBytes();
    assertTrue(stopped.getLast().waitingMost > narrow - HttpConfig.SLICE_BYTES);
    assertTrue(stopped.getLast().waitingMost <= narrow + headBytes);
  }

  /** Where asking is a way, as to another thread, it is not gone for each 64 KiB. */
  @Test
  void oneAskingMayBringMuch() {
    world.site.mostBytesAtOnce = 1 << 20;
    byte[] bytes = noise(1_000_000);
    world.site.file("/large", bytes);
    assertArrayEquals(bytes, one("GET /large" + HOST).body());
    assertEquals(1, world.site.asked);
    int first = 123_456;
    Response part = one("GET /large HTTP/1.1\r\nHost: a\r\nRange: bytes=" + first + "-\r\n\r\n");
    assertArrayEquals(Arrays.copyOfRange(bytes, first, bytes.length), part.body());
    assertEquals(2, world.site.asked);
  }

  @Test
  void oneAskingBringsNoMoreThanTheClientMayHold() {
    world.site.mostBytesAtOnce = 1 << 20;
    world.site.file("/large", noise(5_000_000));
    SimConnection slow = world.connect(4096);
    slow.clientSends("GET /large" + HOST);
    world.runFor(1_000_000);
    assertTrue(
        world.site.leasedBytesMost <= HttpConfig.defaults().responses().contentBytes(),
        "" + world.site.leasedBytesMost);
    slow.clientKeepsReading(50_000, 100);
    world.runUntil(() -> world.site.leasedBytes == 0);
    world = new SessionWorld(4, HttpConfig.defaults().withMaxLeasedBytes(300_000));
    world.site.mostBytesAtOnce = 1 << 20;
    world.site.file("/large", noise(1_000_000));
    for (int i = 0; i < 20; i++) {
      world.connect(4096).clientSends("GET /large" + HOST);
    }
    world.runFor(1_000_000);
    assertTrue(world.site.leasedBytesMost <= 300_000 + HttpConfig.SLICE_BYTES);
  }

  @Test
  void manyStoppedReadersDoNotTakeWhatAllShare() {
    world = new SessionWorld(4, HttpConfig.defaults().withMaxLeasedBytes(300_000));
    byte[] bytes = noise(1_000_000);
    world.site.file("/large", bytes);
    for (int i = 0; i < 20; i++) {
      world.connect(4096).clientSends("GET /large" + HOST);
    }
    world.runFor(1_000_000);
    assertTrue(world.site.leasedBytes <= 300_000 + HttpConfig.SLICE_BYTES);
    assertArrayEquals(bytes, one("GET /large" + HOST).body());
    assertTrue(world.clock.monotonicNanos() < 60_000_000_000L, "before the send timeout");
    assertTrue(world.sessions.metrics().of(HttpCount.TIMEOUTS) > 0);
  }

  @Test
  void clientThatTakesNothingIsGivenUp() {
    world.site.file("/large", noise(3_000_000));
    SimConnection stuck = world.connect(4096);
    stuck.clientSends("GET /large" + HOST);
    world.runUntil(stuck::closedReported);
    long seconds = world.clock.monotonicNanos() / 1_000_000_000L;
    assertTrue(seconds >= 60 && seconds <= 63, "after " + seconds);
    assertEquals(1, world.sessions.metrics().of(HttpCount.TIMEOUTS));
  }

  @Test
  void idleConnectionIsClosedAndAHalfSentHeadIsTold() {
    SimConnection idle = world.connectReader();
    SimConnection half = world.connectReader();
    half.clientSends("GET / HT");
    SimConnection dripping = world.connectReader();
    drip(dripping, 1000);
    world.runUntil(half::clientSawEnd);
    assertTrue(half.clientGotText().startsWith("HTTP/1.1 408 "));
    world.runUntil(dripping::clientSawEnd);
    assertTrue(dripping.clientGotText().startsWith("HTTP/1.1 408 "));
    assertTrue(world.clock.monotonicNanos() < 34_000_000_000L, "" + world.clock.monotonicNanos());
    world.runUntil(idle::closedReported);
    assertEquals("", idle.clientGotText());
  }

  private void drip(SimConnection connection, int times) {
    if (times > 0 && !connection.closedReported()) {
      connection.clientSends(times == 1000 ? "GET / HTTP/1.1\r\nX: " : "x");
      world.reactor.after(1_000_000_000L, () -> drip(connection, times - 1));
    }
  }

  @Test
  void nothingBehindABrokenRequestIsRead() {
    world.site.file("/a", "abc");
    SimConnection connection = world.connectReader();
    connection.clientSends("GET /a b HTTP/1.1\r\n\r\nGET /a" + HOST);
    world.runUntil(connection::clientSawEnd);
    List<Response> responses = Responses.parse(connection.clientGot(), n -> false, true);
    assertEquals(1, responses.size());
    assertEquals(400, responses.getFirst().status());
    assertEquals("close", responses.getFirst().header("Connection"));
    assertFalse(connection.closedReported(), "lingers");
    connection.clientSends("more, thrown away");
    connection.clientEnds();
    world.runUntil(connection::closedReported);
  }

  @Test
  void slowReaderOfAPageCostsABoundedNumberOfBytes() {
    world.site.directory("/d");
    for (int i = 0; i < 1_000; i++) {
      world.site.file("/d/" + "<".repeat(200) + i, "");
    }
    SimConnection slow = world.connect(4096);
    slow.clientSends("GET /d/" + HOST);
    slow.clientKeepsReading(1000, 1000);
    slow.clientEnds();
    world.runUntil(slow::clientSawEnd);
    assertTrue(slow.waitingMost < 256 << 10, "" + slow.waitingMost);
    assertTrue(Responses.parse(slow.clientGot(), n -> false, true).getFirst().complete());
  }

  @Test
  void closingFinishesWhatIsUnderWay() {
    byte[] bytes = noise(1_000_000);
    world.site.file("/large", bytes);
    SimConnection idle = world.connectReader();
    SimConnection busy = world.connect(4096);
    busy.clientSends(("GET /large" + HOST).repeat(2));
    world.runFor(1_000_000);
    busy.clientKeepsReading(4096, 1_000);
    world.sessions.close(done -> {});
    world.runUntil(idle::closedReported);
    world.runUntil(busy::clientSawEnd);
    List<Response> responses = Responses.parse(busy.clientGot(), n -> false, true);
    assertEquals(1, responses.size());
    assertArrayEquals(bytes, responses.getFirst().body());
  }

  @Test
  void closingEndsWithTheDrainTime() {
    world.site.file("/large", noise(1_000_000));
    SimConnection stuck = world.connect(4096);
    stuck.clientSends("GET /large" + HOST);
    world.runFor(1_000_000);
    world.close();
    assertTrue(world.clock.monotonicNanos() < 33_000_000_000L);
    world = new SessionWorld(3);
  }

  @Test
  void whoLeavesSaysSoInEachResponseThatBegins() {
    byte[] bytes = noise(1_000_000);
    world.site.file("/a", "abc");
    world.site.file("/large", bytes);
    SimConnection kept = world.connectReader();
    kept.clientSends("GET /a" + HOST);
    SimConnection busy = world.connect(4096);
    busy.clientSends("GET /large" + HOST);
    world.runFor(1_000_000);
    world.sessions.makeResponsesLast();
    assertEquals(2, world.sessions.leaving());
    busy.clientKeepsReading(4096, 1_000);
    world.runUntil(() -> world.sessions.asked() == 0);
    assertFalse(busy.closedReported(), "it was told that its connection is kept");
    for (SimConnection connection : List.of(kept, busy)) {
      connection.clientSends("GET /a" + HOST);
      world.runUntil(connection::clientSawEnd);
      List<Response> responses = Responses.parse(connection.clientGot(), n -> false, true);
      assertNull(responses.get(0).header("Connection"));
      assertEquals("close", responses.get(1).header("Connection"));
    }
    assertEquals(0, world.sessions.leaving());
    assertEquals("close", one("GET /a" + HOST).header("Connection"));
    world.sessions.keepConnections();
    assertNull(one("GET /a" + HOST).header("Connection"));
  }

  @Test
  void ofRequestsSentAheadTheLastAnswerIsTheLast() {
    world.site.file("/a", "abc");
    world.sessions.makeResponsesLast();
    SimConnection ahead = world.connectReader();
    ahead.clientSends(("GET /a" + HOST).repeat(3));
    world.runUntil(ahead::clientSawEnd);
    List<Response> responses = Responses.parse(ahead.clientGot(), n -> false, true);
    assertEquals(3, responses.size());
    assertNull(responses.get(1).header("Connection"));
    assertEquals("close", responses.get(2).header("Connection"));
  }

  @Test
  void whatItsClientsAreAboutIsCounted() {
    world.site.file("/a", "abc");
    SimConnection silent = world.connectReader();
    SimConnection half = world.connectReader();
    half.clientSends("GET /a HTTP/1.1\r\nHo");
    world.connectReader().clientSends("GET /a" + HOST);
    world.runFor(1_000_000);
    assertEquals(1, world.sessions.unasked());
    assertEquals(1, world.sessions.asked());
    half.clientSends("st: a\r\n\r\n");
    silent.clientSends("GET /a" + HOST);
    world.runFor(1_000_000);
    assertEquals(0, world.sessions.unasked() + world.sessions.asked());
  }
}
