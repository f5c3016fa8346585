package dev.upcall.httpd.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.SessionWorld;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bytes that are no requests, and requests with bytes changed: no session breaks. */
@ExtendWith(BufferLeakCheck.class)
public class HttpFuzzTest {
  private static final int ROUNDS = 3_000;

  private static final List<String> PIECES =
      List.of(
          "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
          "HEAD /d/ HTTP/1.0\r\n\r\n",
          "GET /f HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"1-1\"\r\n\r\n",
          "PUT /f HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n1234567",
          "PUT /d/n HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
          "PUT /f HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab",
          "PUT /f HTTP/1.1\r\nHost: a\r\nIf-Match: \"1-1\", W/\"x\r\nContent-Length: 1\r\n\r\na",
          "DELETE /f HTTP/1.1\r\nHost: a\r\n\r\n",
          "PATCH /f HTTP/1.1\r\nHost: a\r\nIf-Match: \"1-1\", \"2-1\", \"3-1\"\r\n"
              + "Content-Type: application/vnd.upcall.edits\r\n"
              + "Content-Length: 20\r\n\r\ninsert 0 2\nab\ncut 1 1",
          "PATCH /f HTTP/1.1\r\nHost: a\r\nIf-Match: \"1-1\", \"2-1\", \"3-1\"\r\n"
              + "Content-Type: message/byterange\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n1e\r\nContent-Range: bytes 0-1/*\r\n\r\n\r\n"
              + "2\r\nab\r\n0\r\n\r\n",
          "X: y\r\n folded: z\r\n",
          "POST /f HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
          "GET /%41/%2e%2e/?after=%20 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
          "GET /f HTTP/1.1\r\nHost: a\r\nRange: bytes=2-4\r\nIf-Range: \"3-1\"\r\n\r\n",
          "GET /f HTTP/1.1\r\nHost: a\r\nRange: bytes=-99\r\nIf-Match: *, W/\"\"\r\n\r\n",
          "GET /d/?limit=3&after=%41+ HTTP/1.1\r\nHost: a\r\nAccept: application/json;q=0.3\r\n\r\n",
          "If-Unmodified-Since: Sunday, 06-Nov-94 08:49:37 GMT\r\n",
          "Transfer-Encoding: chunked, gzip\r\n",
          "\r\n\r\n",
          "\0\0\0\0",
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
          "Content-Length: 99999999999999999999\r\n");

  @Test
  void anyBytesGetAnAnswerOrAnEnd() {
    for (int round = 0; round < ROUNDS; round++) {
      try {
        run(round);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("round " + round, e);
      }
    }
  }

  private static void run(int seed) {
    HttpConfig config = HttpConfig.defaults().withWritable(seed % 2 == 0);
    SessionWorld world = new SessionWorld(seed, config);
    world.site.file("/f", "content");
    world.site.directory("/d");
    SplittableRandom random = new SplittableRandom(seed);
    SimConnection connection = world.connectReader();
    connection.clientSends(bytes(random), 1 + random.nextInt(64));
    connection.clientEnds();
    world.runUntil(connection::closedReported);
    world.close();
    String got = connection.clientGotText();
    assertTrue(got.isEmpty() || got.startsWith("HTTP/1.1 "), got);
  }

  public static byte[] bytes(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int pieces = 1 + random.nextInt(6);
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    int changes = random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    if (random.nextInt(5) == 0) {
      random.nextBytes(bytes);
    }
    return bytes;
  }
}
