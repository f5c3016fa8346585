package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.Responses.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a session answers to PUT and DELETE, over a simulated connection. */
@ExtendWith(BufferLeakCheck.class)
class HttpUploadTest extends HttpUploadBehaviour {
  /** The same world as the one behind, with its clock and connections. */
  private SessionWorld sim;

  @Override
  HttpWorld newWorld(HttpConfig config) {
    sim = new SessionWorld(1, config);
    return sim;
  }

  private void use(SessionWorld another) {
    sim = another;
    world = another;
  }

  @Test
  void aRequestMayBeCutInTwoAnywhere() {
    String request = "\r\n" + put("/a", "", " \tb\n c") + chunked("/b", "\td\n e");
    for (int cut = 1; cut < request.length(); cut++) {
      SimConnection connection = sim.connectReader();
      connection.clientSends(request.substring(0, cut));
      connection.clientSends(request.substring(cut));
      connection.clientEnds();
      sim.runUntil(connection::closedReported);
      List<Response> responses = Responses.parse(connection.clientGot(), n -> false, true);
      int status = cut == 1 ? 201 : 204;
      assertEquals(List.of(status, status), responses.stream().map(Response::status).toList());
    }
    assertEquals(" \tb\n c", latin1(sim.site.content("/a")));
    assertEquals("\td\n e", latin1(sim.site.content("/b")));
  }

  @Test
  void withoutLeaveNothingIsWrittenOrRead() {
    sim.close();
    use(new SessionWorld(1));
    sim.site.file("/a", "x");
    Response refused = one(put("/a", "", "y"));
    assertEquals(405, refused.status());
    assertEquals("GET, HEAD", refused.header("Allow"));
    assertNull(refused.header("Connection"), "a small body is read over");
    assertEquals(405, status("DELETE /a" + HOST + "\r\n"));
    SimConnection large = sim.connectReader();
    large.clientSends("PUT /a" + HOST + "Content-Length: 10000000\r\n\r\nbegin");
    sim.runUntil(large::clientSawEnd);
    assertTrue(large.clientGotText().startsWith("HTTP/1.1 405 "));
    assertTrue(large.clientGotText().contains("\r\nConnection: close\r\n"));
    assertFalse(large.closedReported(), "it lingers, or the answer might be lost");
    sim.runUntil(large::closedReported);
    assertEquals("x", latin1(sim.site.content("/a")));
    assertEquals(405, one(put("/a", "Expect: 100-continue\r\n", "")).status());
  }

  @Test
  void leaveToSendIsGivenWhenTheStoreTakesTheFile() {
    SimConnection connection = sim.connectReader();
    String head = HOST + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    connection.clientSends("PUT /a" + head);
    sim.runUntil(() -> connection.clientGotText().endsWith("\r\n\r\n"));
    assertEquals("HTTP/1.1 100 Continue\r\n\r\n", connection.clientGotText());
    connection.clientSends("hello");
    sim.runUntil(() -> connection.clientGotText().contains("HTTP/1.1 201 "));
    assertEquals(1, sim.sessions.metrics().responses(1));

    sim.site.directory("/d");
    SimConnection refused = sim.connectReader();
    refused.clientSends("PUT /d" + head);
    sim.runUntil(refused::clientSawEnd);
    assertTrue(refused.clientGotText().startsWith("HTTP/1.1 409 "));
    assertTrue(refused.clientGotText().contains("\r\nConnection: close\r\n"));

    SimConnection hasty = sim.connectReader();
    hasty.clientSends("PUT /b" + head + "hello");
    sim.runUntil(() -> hasty.clientGotText().contains("\r\n\r\n"));
    assertTrue(hasty.clientGotText().startsWith("HTTP/1.1 201 "), "no leave is needed any more");
    connection.clientEnds();
    refused.clientEnds();
    hasty.clientEnds();
    sim.runUntil(hasty::closedReported);
  }

  @Test
  void aSlowStoreStopsTheClient() {
    sim.site.changes.parksAppends = true;
    SimConnection connection = sim.connectReader();
    byte[] body = noise(2_000_000);
    connection.clientSends("PUT /a" + HOST + "Content-Length: 2000000\r\n\r\n");
    connection.clientSends(body, 8_000);
    sim.runFor(1_000_000_000L);
    assertTrue(sim.site.changes.isParked());
    assertFalse(connection.isReading());
    assertTrue(connection.deliveredBytes < 64_000, "" + connection.deliveredBytes);
    sim.site.changes.parksAppends = false;
    sim.site.changes.goOn();
    sim.runUntil(() -> connection.clientGotText().contains("HTTP/1.1 201 "));
    assertArrayEquals(body, sim.site.content("/a"));
    connection.clientEnds();
    sim.runUntil(connection::closedReported);
  }

  @Test
  void bodiesThatTakeTooLong() {
    SimConnection silent = sim.connectReader();
    silent.clientSends("PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
    sim.runUntil(silent::clientSawEnd);
    assertTrue(silent.clientGotText().startsWith("HTTP/1.1 408 "));
    assertTrue(sim.clock.monotonicNanos() < 33_000_000_000L);
    sim.runUntil(silent::closedReported);
    assertEquals(1, sim.sessions.metrics().requestTimeouts());
    assertEquals(1, sim.site.changes.abandoned);

    SimConnection dripping = sim.connectReader();
    dripping.clientSends("PUT /a" + HOST + "Content-Length: 500000\r\n\r\n");
    drip(dripping);
    sim.runUntil(dripping::clientSawEnd);
    assertTrue(dripping.clientGotText().startsWith("HTTP/1.1 408 "));
    assertTrue(sim.clock.monotonicNanos() < 6L * 3600 * 1_000_000_000L + 70_000_000_000L);
    sim.runUntil(dripping::closedReported);
    assertEquals(2, sim.sessions.metrics().requestTimeouts());
    assertNull(sim.site.info("/a"));
  }

  private void drip(SimConnection connection) {
    if (!connection.closedReported() && !connection.clientSawEnd()) {
      connection.clientSends("x");
      sim.reactor.after(20_000_000_000L, () -> drip(connection));
    }
  }

  @Test
  void aClientThatGoesAwayLeavesNothing() {
    for (int cut = 0; cut < 3; cut++) {
      sim.site.changes.parksAppends = cut == 1;
      SimConnection connection = sim.connectReader();
      connection.clientSends("PUT /a" + HOST + "Content-Length: 500000\r\n\r\n");
      connection.clientSends(noise(100_000), 4_000);
      if (cut == 1) {
        sim.runUntil(sim.site.changes::isParked);
      } else {
        sim.runFor(100_000_000);
      }
      if (cut == 2) {
        connection.clientEnds();
      } else {
        connection.reset();
      }
      sim.runUntil(connection::closedReported);
      if (cut == 2) {
        assertTrue(connection.clientGotText().startsWith("HTTP/1.1 400 "), "it may still read");
      }
      sim.runUntil(() -> sim.sessions.size() == 0);
      assertEquals(cut + 1, sim.site.changes.abandoned);
      assertEquals(0, sim.site.changes.open);
      assertNull(sim.site.info("/a"));
    }
  }

  @Test
  void anUploadIsFinishedWhenTheServerCloses() {
    SimConnection connection = sim.connectReader();
    connection.clientSends("PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
    sim.runFor(1_000_000);
    sim.reactor.after(1_000_000, () -> connection.clientSends("lo"));
    sim.close();
    assertTrue(connection.clientGotText().startsWith("HTTP/1.1 201 "));
    assertTrue(connection.clientGotText().contains("\r\nConnection: close\r\n"));
    assertEquals("hello", latin1(sim.site.content("/a")));
    use(new SessionWorld(2, WRITABLE));
    SimConnection late = sim.connectReader();
    late.clientSends("PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
    sim.runFor(1_000_000);
    sim.close();
    assertEquals("", late.clientGotText());
    assertNull(sim.site.info("/a"));
    use(new SessionWorld(3, WRITABLE));
  }
}
