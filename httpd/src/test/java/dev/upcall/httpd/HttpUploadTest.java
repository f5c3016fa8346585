package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.session.SimConnection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a session answers to PUT and DELETE, over a simulated connection. */
@ExtendWith(BufferLeakCheck.class)
class HttpUploadTest extends HttpUploadBehaviour<SessionWorld> {
  @Override
  public SessionWorld newWorld(HttpConfig config) {
    return new SessionWorld(1, config);
  }

  @Test
  void aRequestMayBeCutInTwoAnywhere() {
    String request = "\r\n" + put("/a", "", " \tb\n c") + chunked("/b", "\td\n e");
    for (int cut = 1; cut < request.length(); cut++) {
      SimConnection connection = world.connectReader();
      connection.clientSends(request.substring(0, cut));
      connection.clientSends(request.substring(cut));
      connection.clientEnds();
      world.runUntil(connection::closedReported);
      List<Response> responses = Responses.parse(connection.clientGot(), n -> false, true);
      int status = cut == 1 ? 201 : 204;
      assertEquals(List.of(status, status), responses.stream().map(Response::status).toList());
    }
    assertEquals(" \tb\n c", latin1(world.site.content("/a")));
    assertEquals("\td\n e", latin1(world.site.content("/b")));
  }

  @Test
  void withoutLeaveNothingIsWrittenOrRead() {
    world.close();
    world = new SessionWorld(1);
    world.site.file("/a", "x");
    Response refused = one(put("/a", "", "y"));
    assertEquals(405, refused.status());
    assertEquals("GET, HEAD", refused.header("Allow"));
    assertNull(refused.header("Connection"), "a small body is read over");
    assertEquals(405, status("DELETE /a" + HOST + "\r\n"));
    SimConnection large = world.connectReader();
    large.clientSends("PUT /a" + HOST + "Content-Length: 10000000\r\n\r\nbegin");
    world.runUntil(large::clientSawEnd);
    assertTrue(large.clientGotText().startsWith("HTTP/1.1 405 "));
    assertTrue(large.clientGotText().contains("\r\nConnection: close\r\n"));
    assertFalse(large.closedReported(), "it lingers, or the answer might be lost");
    world.runUntil(large::closedReported);
    assertEquals("x", latin1(world.site.content("/a")));
    assertEquals(405, one(put("/a", "Expect: 100-continue\r\n", "")).status());
  }

  @Test
  void leaveToSendIsGivenWhenTheStoreTakesTheFile() {
    SimConnection connection = world.connectReader();
    String head = HOST + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    connection.clientSends("PUT /a" + head);
    world.runUntil(() -> connection.clientGotText().endsWith("\r\n\r\n"));
    assertEquals("HTTP/1.1 100 Continue\r\n\r\n", connection.clientGotText());
    connection.clientSends("hello");
    world.runUntil(() -> connection.clientGotText().contains("HTTP/1.1 201 "));
    assertEquals(1, world.sessions.metrics().responses(1));

    world.site.directory("/d");
    SimConnection refused = world.connectReader();
    refused.clientSends("PUT /d" + head);
    world.runUntil(refused::clientSawEnd);
    assertTrue(refused.clientGotText().startsWith("HTTP/1.1 409 "));
    assertTrue(refused.clientGotText().contains("\r\nConnection: close\r\n"));

    SimConnection hasty = world.connectReader();
    hasty.clientSends("PUT /b" + head + "hello");
    world.runUntil(() -> hasty.clientGotText().contains("\r\n\r\n"));
    assertTrue(hasty.clientGotText().startsWith("HTTP/1.1 201 "), "no leave is needed any more");
    connection.clientEnds();
    refused.clientEnds();
    hasty.clientEnds();
    world.runUntil(hasty::closedReported);
  }

  @Test
  void aSlowStoreStopsTheClient() {
    world.site.changes.parksAppends = true;
    SimConnection connection = world.connectReader();
    byte[] body = noise(2_000_000);
    connection.clientSends("PUT /a" + HOST + "Content-Length: 2000000\r\n\r\n");
    connection.clientSends(body, 8_000);
    world.runFor(1_000_000_000L);
    assertTrue(world.site.changes.isParked());
    assertFalse(connection.isReading());
    assertTrue(connection.deliveredBytes < 64_000, "" + connection.deliveredBytes);
    world.site.changes.parksAppends = false;
    world.site.changes.goOn();
    world.runUntil(() -> connection.clientGotText().contains("HTTP/1.1 201 "));
    assertArrayEquals(body, world.site.content("/a"));
    connection.clientEnds();
    world.runUntil(connection::closedReported);
  }

  @Test
  void bodiesThatTakeTooLong() {
    SimConnection silent = world.connectReader();
    silent.clientSends("PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
    world.runUntil(silent::clientSawEnd);
    assertTrue(silent.clientGotText().startsWith("HTTP/1.1 408 "));
    assertTrue(world.clock.monotonicNanos() < 33_000_000_000L);
    world.runUntil(silent::closedReported);
    assertEquals(1, world.sessions.metrics().of(HttpCount.REQUEST_TIMEOUTS));
    assertEquals(1, world.site.changes.abandoned);

    SimConnection dripping = world.connectReader();
    dripping.clientSends("PUT /a" + HOST + "Content-Length: 500000\r\n\r\n");
    drip(dripping);
    world.runUntil(dripping::clientSawEnd);
    assertTrue(dripping.clientGotText().startsWith("HTTP/1.1 408 "));
    assertTrue(world.clock.monotonicNanos() < 6L * 3600 * 1_000_000_000L + 70_000_000_000L);
    world.runUntil(dripping::closedReported);
    assertEquals(2, world.sessions.metrics().of(HttpCount.REQUEST_TIMEOUTS));
    assertNull(world.site.info("/a"));
  }

  private void drip(SimConnection connection) {
    if (!connection.closedReported() && !connection.clientSawEnd()) {
      connection.clientSends("x");
      world.reactor.after(20_000_000_000L, () -> drip(connection));
    }
  }

  @Test
  void aClientThatGoesAwayLeavesNothing() {
    for (int cut = 0; cut < 3; cut++) {
      world.site.changes.parksAppends = cut == 1;
      SimConnection connection = world.connectReader();
      connection.clientSends("PUT /a" + HOST + "Content-Length: 500000\r\n\r\n");
      connection.clientSends(noise(100_000), 4_000);
      if (cut == 1) {
        world.runUntil(world.site.changes::isParked);
      } else {
        world.runFor(100_000_000);
      }
      if (cut == 2) {
        connection.clientEnds();
      } else {
        connection.reset();
      }
      world.runUntil(connection::closedReported);
      if (cut == 2) {
        assertTrue(connection.clientGotText().startsWith("HTTP/1.1 400 "), "it may still read");
      }
      world.runUntil(() -> world.sessions.size() == 0);
      assertEquals(cut + 1, world.site.changes.abandoned);
      assertEquals(0, world.site.changes.open);
      assertNull(world.site.info("/a"));
    }
  }

  @Test
  void anUploadIsFinishedWhenTheServerCloses() {
    SimConnection connection = world.connectReader();
    connection.clientSends("PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
    world.runFor(1_000_000);
    world.reactor.after(1_000_000, () -> connection.clientSends("lo"));
    world.close();
    assertTrue(connection.clientGotText().startsWith("HTTP/1.1 201 "));
    assertTrue(connection.clientGotText().contains("\r\nConnection: close\r\n"));
    assertEquals("hello", latin1(world.site.content("/a")));
    world = new SessionWorld(2, WRITABLE);
    SimConnection late = world.connectReader();
    late.clientSends("PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
    world.runFor(1_000_000);
    world.close();
    assertEquals("", late.clientGotText());
    assertEquals(1, world.metrics().of(HttpCount.CUT_UPLOADS));
    assertEquals(0, world.metrics().of(HttpCount.CUT_DOWNLOADS));
    assertNull(world.site.info("/a"));
    world = new SessionWorld(3, WRITABLE);
  }
}
