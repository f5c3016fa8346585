package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.Responses.Response;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A server that is asked, and what all who ask it do alike.
 *
 * @param <W> the server
 */
public abstract class HttpBehaviour<W extends HttpWorld> {
  /** What is asked. */
  public W world;

  /** A server with limits and nothing on its site. */
  public abstract W newWorld(HttpConfig config);

  /** The limits unless a test says otherwise. */
  public HttpConfig config() {
    return HttpConfig.defaults();
  }

  @BeforeEach
  void open() {
    world = newWorld(config());
  }

  @AfterEach
  void nothingIsLeft() {
    world.close();
  }

  public static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  /**
   * The answer to a request begins with that status and is not whole. Nothing of it may come: bytes
   * that were not sent when it is broken off are lost.
   */
  public void isCut(int status, String request) {
    for (Response cut : world.exchange(request)) {
      assertEquals(status, cut.status());
      assertFalse(cut.complete());
    }
  }

  /** The fields of an answer but for its time. */
  public static Map<String, String> undated(Response answer) {
    Map<String, String> fields = new TreeMap<>(answer.headers());
    fields.remove("date");
    return fields;
  }

  /** The one answer to a request. */
  public Response one(String request) {
    List<Response> responses = world.exchange(request);
    assertEquals(1, responses.size(), () -> "answers to " + request.lines().findFirst());
    assertTrue(responses.getFirst().complete());
    return responses.getFirst();
  }
}
