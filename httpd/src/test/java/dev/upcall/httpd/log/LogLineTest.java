package dev.upcall.httpd.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogLineTest {
  private static final long TIME = 784_111_777_123_456_789L; // 1994-11-06T08:49:37Z

  private static String line(AccessLog.Format format, LogLine.Response response) {
    LogLine line = new LogLine(format);
    line.write(response);
    return new String(line.bytes(), 0, line.length(), StandardCharsets.ISO_8859_1);
  }

  private static LogLine.Response response(String target, String referer, String agent) {
    return new LogLine.Response(
        "192.0.2.1",
        "alice",
        "GET",
        target,
        "HTTP/1.1",
        200,
        2326,
        referer,
        agent,
        TIME,
        1_500_000);
  }

  private static LogLine.Response silence() {
    return new LogLine.Response(null, "", null, "", "", 408, 7, null, null, TIME, 0);
  }

  @Test
  void combined() {
    assertEquals(
        "192.0.2.1 - alice [06/Nov/1994:08:49:37 +0000] \"GET /a?b=c HTTP/1.1\" 200 2326"
            + " \"http://x/\" \"curl/8\"\n",
        line(AccessLog.Format.COMBINED, response("/a?b=c", "http://x/", "curl/8")));
    assertEquals(
        "- - - [06/Nov/1994:08:49:37 +0000] \"-\" 408 7 \"-\" \"-\"\n",
        line(AccessLog.Format.COMBINED, silence()));
  }

  @Test
  void json() {
    assertEquals(
        "{\"time\":\"1994-11-06T08:49:37.123Z\",\"client\":\"192.0.2.1\",\"user\":\"alice\","
            + "\"method\":\"GET\",\"target\":\"/a\",\"protocol\":\"HTTP/1.1\",\"status\":200,"
            + "\"bytes\":2326,\"micros\":1500,\"referer\":null,\"userAgent\":\"curl/8\"}\n",
        line(AccessLog.Format.JSON, response("/a", null, "curl/8")));
    assertEquals(
        "{\"time\":\"1994-11-06T08:49:37.123Z\",\"client\":null,\"user\":null,\"method\":null,"
            + "\"target\":null,\"protocol\":null,\"status\":408,\"bytes\":7,\"micros\":0,"
            + "\"referer\":null,\"userAgent\":null}\n",
        line(AccessLog.Format.JSON, silence()));
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b@c,                     /a/b@c",
    "http://me:word@host/a,      http://host/a",
    "http://me@host,             http://host",
    "https://a@b@host?x=y@z,     https://host?x=y@z",
    "http://host/a@b,            http://host/a@b",
    "*,                          *",
    "/f?upload=a00581,           /f?upload=...",
    "/f?a=b&upload=a0&upload=b1, /f?a=b&upload=...&upload=...",
    "http://me:w@h/f?upload=a#x, http://h/f?upload=...#x",
    "/upload=a?xupload=b,        /upload=a?xupload=b",
    "/f?upload=,                 /f?upload=...",
  })
  void whatLetsSomebodyInIsLeftOut(String reference, String logged) {
    assertEquals(logged, LogLine.withoutSecrets(reference));
  }

  /**
   * A line is one line of what can be printed, and JSON can be read, for anything that a client
   * sends.
   */
  @Test
  void noBytesOfAClientBreakALine() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(20); n >= 0; n--) {
        text.append((char) random.nextInt(256));
      }
      LogLine.Response response = response(text.toString(), text.toString(), text.toString());
      String combined = line(AccessLog.Format.COMBINED, response);
      assertTrue(combined.matches("[ -~]+\n"), combined);
      assertEquals(6, combined.replaceAll("\\\\x..", "").chars().filter(c -> c == '"').count());
      String json = line(AccessLog.Format.JSON, response);
      assertTrue(json.matches("[ -~]+\n"), json);
      try (JsonParser parser = new JsonFactory().createParser(json)) {
        while (parser.nextToken() != null) {
          if ("userAgent".equals(parser.currentName())
              && parser.getText() != null
              && parser.currentToken().isScalarValue()) {
            assertEquals(text.toString(), parser.getText());
          }
        }
      }
    }
  }
}
