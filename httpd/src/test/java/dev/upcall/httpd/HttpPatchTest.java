package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.session.SimConnection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a session answers to PATCH, over a simulated connection. */
@ExtendWith(BufferLeakCheck.class)
class HttpPatchTest extends HttpPatchBehaviour<SessionWorld> {
  private static final String HEAD =
      "PATCH /f HTTP/1.1\r\nHost: a\r\nContent-Type: application/vnd.upcall.edits\r\n";

  @Override
  public SessionWorld newWorld(HttpConfig config) {
    return new SessionWorld(1, config);
  }

  private String head(int bytes) {
    String tag = world.site.info("/f").entityTag();
    return HEAD + "If-Match: \"" + tag + "\"\r\nContent-Length: " + bytes + "\r\n";
  }

  @Test
  void aRequestMayBeCutInTwoAnywhere() {
    world.site.file("/f", "");
    String body = "append 1\nx";
    int length = head(body.length()).length() + 2 + body.length();
    for (int cut = 1; cut < length - 1; cut++) {
      String request = head(body.length()) + "\r\n" + body;
      SimConnection connection = world.connectReader();
      connection.clientSends(request.substring(0, cut));
      connection.clientSends(request.substring(cut));
      connection.clientEnds();
      world.runUntil(connection::closedReported);
      List<Response> responses = Responses.parse(connection.clientGot(), n -> false, true);
      assertEquals(List.of(204), responses.stream().map(Response::status).toList());
      assertEquals(cut, world.site.content("/f").length);
    }
  }

  @Test
  void leaveToSendIsGivenWhenTheVersionIsThere() {
    world.site.file("/f", "x");
    SimConnection connection = world.connectReader();
    connection.clientSends(head(10) + "Expect: 100-continue\r\n\r\n");
    world.runUntil(() -> connection.clientGotText().endsWith("\r\n\r\n"));
    assertEquals("HTTP/1.1 100 Continue\r\n\r\n", connection.clientGotText());
    connection.clientSends("append 1\ny");
    world.runUntil(() -> connection.clientGotText().contains("HTTP/1.1 204 "));
    SimConnection late = world.connectReader();
    late.clientSends(
        HEAD + "If-Match: \"1-1\"\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
    world.runUntil(late::clientSawEnd);
    assertTrue(late.clientGotText().startsWith("HTTP/1.1 412 "), late::clientGotText);
    connection.clientEnds();
    late.clientEnds();
    world.runUntil(late::closedReported);
  }

  /** What is held goes with the connection. */
  @Test
  void clientsThatGoAwayInTheMiddle() {
    world.site.file("/f", "x");
    for (int sent = 0; sent < 10; sent++) {
      SimConnection connection = world.connectReader();
      connection.clientSends(head(10) + "\r\n" + "append 1\ny".substring(0, sent));
      world.runFor(1_000_000L * sent);
      connection.reset();
      world.runUntil(connection::closedReported);
    }
    assertEquals(1, world.site.content("/f").length);
  }

  @Test
  void withoutLeaveNothingIsChanged() {
    world.close();
    world = new SessionWorld(1);
    world.site.file("/f", "x");
    assertEquals(405, one(head(10) + "\r\nappend 1\ny").status());
  }
}
