package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.session.SimConnection;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pages about directories, for people and for programs, over a simulated connection. */
@ExtendWith(BufferLeakCheck.class)
class HttpListingTest extends HttpListingBehaviour<SessionWorld> {
  @Override
  public SessionWorld newWorld(HttpConfig config) {
    return new SessionWorld(1, config);
  }

  @Test
  void oldClientsGetAPageThatEndsWithTheConnection() throws IOException {
    world.site.directory("/d");
    SimConnection client = world.connectReader();
    client.clientSends("GET /d/ HTTP/1.0\r\nAccept: application/json\r\n\r\n");
    world.runUntil(client::closedReported);
    String got = client.clientGotText();
    assertFalse(got.contains("chunked"));
    assertTrue(parse(got.substring(got.indexOf("\r\n\r\n") + 4)).isEmpty());
  }

  @Test
  void aMillionEntriesInBoundedMemory() throws IOException {
    world.site.crowd("/d", 1_000_000);
    SimConnection slow = world.connect(4096);
    slow.clientSends("GET /d/?limit=10000" + JSON);
    slow.clientKeepsReading(20_000, 10_000);
    slow.clientEnds();
    world.runUntil(slow::clientSawEnd);
    Response page = Responses.parse(slow.clientGot(), n -> false, true).getFirst();
    assertTrue(page.complete());
    assertTrue(slow.waitingMost < 128 << 10, "" + slow.waitingMost);
    assertEquals(10_000, parse(page.text()).size());
    assertTrue(page.text().endsWith("\"next\":\"?after=n0009999&limit=10000\"}\n"));
    String last = one("GET /d/?after=n0999990" + END).text();
    assertTrue(last.contains("n0999999"));
    assertTrue(last.contains("<span>9 entries on this page</span>"));
    assertFalse(last.contains("Next page"));
  }
}
