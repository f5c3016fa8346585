package dev.upcall.httpd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.sim.SimWorld;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pages that are made on request, over a simulated connection. */
@ExtendWith(BufferLeakCheck.class)
class PageSiteTest {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final byte[] BODY = "{\"of\":\"a page\"}\n".repeat(10_000).getBytes(UTF_8);

  private final SimWorld machine = SimWorld.ofBlocks(1, 64);
  private final ArrayDeque<CompletionPort<GeneratedResponse>> held = new ArrayDeque<>();
  private boolean hold;
  private final SessionWorld world =
      new SessionWorld(machine, HttpConfig.defaults(), Site.ofPages(this::answer));

  @AfterEach
  void nothingIsLeft() {
    world.close();
  }

  private void answer(StorePath path, CompletionPort<GeneratedResponse> port) {
    Completion<GeneratedResponse> page =
        switch (path.toString()) {
          case "/page" ->
              Completion.done(new GeneratedResponse(Status.OK, "application/json", BODY));
          case "/ill" ->
              Completion.done(
                  new GeneratedResponse(
                      Status.SERVICE_UNAVAILABLE, "text/plain", "ill".getBytes(UTF_8)));
          default -> Completion.failed(new Failure.NotFound(path.toString()));
        };
    if (hold) {
      held.add(port);
    } else {
      machine.dispatcher().complete(port, page);
    }
  }

  @Test
  void pagesAreAnsweredInOrderOnOneConnection() {
    List<Response> responses =
        world.exchange(
            "GET /page"
                + HOST
                + "GET /ill"
                + HOST
                + "GET /none"
                + HOST
                + "POST /page"
                + HOST
                + "GET /page?x=1"
                + HOST);
    assertEquals(
        List.of(200, 503, 404, 405, 200), responses.stream().map(Response::status).toList());
    Response page = responses.getFirst();
    assertEquals(new String(BODY, UTF_8), page.text());
    assertEquals("application/json", page.header("Content-Type"));
    assertEquals("no-store", page.header("Cache-Control"));
    assertEquals("ill", responses.get(1).text());
  }

  @Test
  void headHasTheHeadersOfGetAndNoBody() {
    Response get = world.exchange("GET /page" + HOST).getFirst();
    Response head = world.exchange("HEAD /page" + HOST).getFirst();
    assertEquals(get.headers(), head.headers());
    assertEquals(0, head.body().length);
  }

  @Test
  void aClientThatGoesAwayWhileItsPageIsMadeLeavesNothing() {
    hold = true;
    SimConnection connection = world.connectReader();
    connection.clientSends("GET /page" + HOST);
    world.runUntil(() -> held.size() == 1);
    connection.reset();
    world.runUntil(connection::closedReported);
    assertEquals(1, world.sessions.size(), "the session waits for its page");
    held.remove().complete(Completion.done(new GeneratedResponse(Status.OK, "text/plain", BODY)));
    assertEquals(0, world.sessions.size());
  }
}
