package dev.upcall.httpd.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.httpd.HttpBehaviour;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpWorld;
import dev.upcall.httpd.Responses.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What is answered, by whichever server.
 *
 * @param <W> the server
 */
public abstract class HttpSessionBehaviour<W extends HttpWorld> extends HttpBehaviour<W> {
  static final String HOST = " HTTP/1.1\r\nHost: a\r\n\r\n";

  @Test
  void headHasTheHeadersOfGetAndNoBody() {
    world.site().file("/a.bin", noise(100_000));
    world.site().file("/index.html", "index");
    Response get = one("GET /a.bin" + HOST);
    Response head = one("HEAD /a.bin" + HOST);
    assertEquals(undated(get), undated(head));
    assertEquals(0, head.body().length);
    assertEquals(404, one("HEAD /missing" + HOST).status());
    assertEquals(5, Integer.parseInt(one("HEAD /" + HOST).header("Content-Length")));
  }

  @Test
  void emptyFile() {
    world.site().file("/empty", "");
    Response response = one("GET /empty" + HOST);
    assertEquals(200, response.status());
    assertEquals("0", response.header("Content-Length"));
  }

  @Test
  void largeFileFromMemoryAndFromDisk() {
    byte[] bytes = noise(3_000_003);
    world.site().file("/large", bytes);
    assertArrayEquals(bytes, one("GET /large" + HOST).body());
    world.site().resident = offset -> (offset >> 16) % 3 == 0;
    world.slowSite(50_000);
    assertArrayEquals(bytes, one("GET /large" + HOST).body());
    world.site().resident = offset -> false;
    assertArrayEquals(bytes, one("GET /large" + HOST).body());
    assertTrue(world.site().leasedBytesMost <= HttpConfig.defaults().responses().contentBytes());
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() {
    world.slowSite(100_000);
    world.site().resident = offset -> false;
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      world.site().file("/f" + i, "content of " + i);
      requests.append("GET /f").append(i).append(i % 7 == 0 ? "x" : "").append(HOST);
    }
    List<Response> responses = world.exchange(requests.toString());
    assertEquals(200, responses.size());
    for (int i = 0; i < 200; i++) {
      assertEquals(
          i % 7 == 0 ? "/f" + i + "x does not exist\n" : "content of " + i,
          responses.get(i).text());
    }
  }

  @Test
  void conditions() {
    FileInfo file = world.site().file("/a", "abc");
    String tag = "\"" + file.entityTag() + "\"";
    String get = "GET /a HTTP/1.1\r\nHost: a\r\n";
    Response same = one(get + "If-None-Match: \"x\", " + tag + "\r\n\r\n");
    assertEquals(304, same.status());
    assertEquals(tag, same.header("ETag"));
    assertNull(same.header("Content-Length"));
    assertEquals(200, one(get + "If-None-Match: \"x\"\r\n\r\n").status());
    String since = "If-Modified-Since: Sun, 06 Nov 1994 08:49:";
    assertEquals(304, one(get + since + "39 GMT\r\n\r\n").status());
    assertEquals(200, one(get + since + "38 GMT\r\n\r\n").status());
    assertEquals(200, one(get + since + "39 GMT\r\nIf-None-Match: \"x\"\r\n\r\n").status());
    assertEquals(200, one(get + "If-Modified-Since: yesterday\r\n\r\n").status());
  }

  @Test
  void refusals() {
    Response notAllowed = one("DELETE /a" + HOST);
    assertEquals(405, notAllowed.status());
    assertEquals("GET, HEAD", notAllowed.header("Allow"));
    assertEquals(501, one("BREW /a" + HOST).status());
    assertEquals(400, one("GET /%2e%2e/%2e%2e/etc/passwd" + HOST).status());
    assertEquals(400, one("GET / HTTP/1.1\r\n\r\n").status());
    assertEquals(404, one("GET /" + "x".repeat(256) + HOST).status());
    assertEquals(414, one("GET /" + "x".repeat(9000) + HOST).status());
    assertEquals(431, one("GET / HTTP/1.1\r\nX: " + "x".repeat(20_000) + "\r\n\r\n").status());
    assertEquals(505, one("GET / HTTP/3.0\r\n\r\n").status());
    assertEquals(2, world.metrics().responses(5));
    assertEquals(6, world.metrics().responses(4));
  }

  @Test
  void refusalsCarryASentence() {
    Response missing = one("GET /no%20such%1Bfile" + HOST);
    assertEquals("/no such\\x1bfile does not exist\n", missing.text());
    assertEquals("text/plain; charset=utf-8", missing.header("Content-Type"));
    assertEquals("nosniff", missing.header("X-Content-Type-Options"));
    assertEquals("Accept", missing.header("Vary"));
    String json = " HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n";
    Response forPrograms = one("GET /no%22such%1Bfile" + json);
    assertEquals("application/json", forPrograms.header("Content-Type"));
    assertEquals(
        "{\"error\":\"/no\\\"such\\u001Bfile does not exist\",\"status\":404}\n",
        forPrograms.text());
    Response headOnly = one("HEAD /no%22such%1Bfile" + json);
    assertEquals(forPrograms.headers(), headOnly.headers());
    assertEquals(
        "{\"error\":\"DELETE is not served here\",\"status\":405}\n",
        one("DELETE /a" + json).text());
    assertEquals(
        "the target of the request can be no path of a store\n", one("GET /%zz" + HOST).text());
    assertEquals(
        "one Host field has to name a host, perhaps with a port\n",
        one("GET / HTTP/1.1\r\n\r\n").text());
    assertEquals(
        "the request line is longer than 8192 bytes\n",
        one("GET /" + "x".repeat(9000) + HOST).text());
    world.site().file("/f", "abc");
    String range = "GET /f HTTP/1.1\r\nHost: a\r\nRange: bytes=7-\r\n\r\n";
    assertEquals("the file has 3 bytes, and none of those asked for\n", one(range).text());
    world.site().openFails = path -> true;
    String failed = one("GET /f" + HOST).text();
    assertEquals("the store could not read or write; upcall verify says more\n", failed);
  }

  @Test
  void bodiesAreReadOver() {
    world.site().file("/a", "abc");
    List<Response> responses =
        world.exchange(
            "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nGET / HTTPPOST /a HTTP/1.1\r\n"
                + "Host: a\r\nContent-Length: 3\r\n\r\nabcGET /a"
                + HOST);
    assertEquals(List.of(200, 405, 200), responses.stream().map(Response::status).toList());
  }

  @Test
  void directories() {
    world.site().directory("/d");
    world.site().directory("/d/sub");
    world.site().file("/d/<b>&\"'.txt", "x");
    world.site().file("/d/a b:c?.txt", "x".repeat(2048));
    world.site().link("/d/link", "/d/sub");
    world.site().link("/d/broken", "/nowhere");
    Response moved = one("GET /d?x=y" + HOST);
    assertEquals(301, moved.status());
    assertEquals("/d/?x=y", moved.header("Location"));
    Response page = one("GET /d/" + HOST);
    assertEquals(200, page.status());
    assertEquals("text/html; charset=utf-8", page.header("Content-Type"));
    String html = page.text();
    assertTrue(
        html.contains("<a href=\"%3Cb%3E%26%22%27.txt\"><bdi>&lt;b&gt;&amp;&quot;&#39;.txt<"));
    assertTrue(html.contains("<a href=\"a%20b%3Ac%3F.txt\"><bdi>a b:c?.txt</bdi></a>"));
    assertTrue(html.contains(">2.0 KiB<"));
    assertTrue(html.contains("<a href=\"sub/\"><bdi>sub</bdi>/</a>"));
    assertTrue(html.contains("<a href=\"../\">"));
    assertTrue(html.contains("<a href=\"link/\"><bdi>link</bdi>/</a> <small>→ <bdi>/d/sub</bdi><"));
    assertTrue(html.contains("<td><bdi>broken</bdi> <small>→ <bdi>/nowhere</bdi> (broken)<"));
    assertFalse(one("GET /" + HOST).text().contains("../"));
    assertEquals(404, one("GET /missing/" + HOST).status());
    world.site().file("/f", "x");
    assertEquals(404, one("GET /f/" + HOST).status());
    assertEquals(404, one("HEAD /f/" + HOST).status());
    assertEquals(404, one("GET /f/." + HOST).status());
    String json = " HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n";
    assertEquals(404, one("GET /f/" + json).status());
    world.site().file("/d/index.html", "index");
    assertEquals("index", one("GET /d/" + HOST).text());
    assertEquals("text/html", one("GET /d/" + HOST).header("Content-Type").split(";")[0]);
  }

  @Test
  void largeDirectoriesHavePagesThatLeadOn() {
    world.site().directory("/d");
    for (int i = 0; i < 2_500; i++) {
      world.site().file("/d/name %04d".formatted(i), "");
    }
    int pages = 0;
    int entries = 0;
    for (String next = "/d/"; next != null; pages++) {
      String html = one("GET " + next + HOST).text();
      assertEquals(pages > 0, html.contains("First page"));
      entries += html.split("<td><a href=\"name").length - 1;
      int at = html.indexOf("<a href=\"?after=");
      next = at < 0 ? null : "/d/" + html.substring(at + 9, html.indexOf('"', at + 9));
    }
    assertEquals(3, pages);
    assertEquals(2_500, entries);
  }

  @Test
  void failuresOfTheStore() {
    world.site().file("/a", noise(300_000));
    world.site().openFails = path -> true;
    assertEquals(500, one("GET /a" + HOST).status());
    world.site().openFails = path -> false;
    world.site().resident = offset -> false;
    world.site().readFails = offset -> offset == 0;
    assertEquals(500, one("GET /a" + HOST).status());
    world.site().readFails = offset -> offset > 100_000;
    isCut(200, "GET /a" + HOST);
    assertEquals(1, world.metrics().of(HttpCount.BROKEN_RESPONSES));
    world.site().listFails = after -> after.isEmpty();
    assertEquals(500, one("GET /" + HOST).status());
  }

  @Test
  void manyRefusalsInOneGoLetOthersRun() {
    List<Response> responses = world.exchange(("DELETE /" + HOST).repeat(500));
    assertEquals(500, responses.size());
    assertTrue(responses.stream().allMatch(r -> r.status() == 405 && r.complete()));
  }
}
