package dev.upcall.httpd.web;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.UpcallException;
import dev.upcall.httpd.HttpBehaviour;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.HttpWorld;
import dev.upcall.httpd.Responses.Response;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Answers to browsers by the lines of a file, whichever server gives them.
 *
 * @param <W> the server
 */
public abstract class HttpWebBehaviour<W extends HttpWorld> extends HttpBehaviour<W> {
  private static final String LINES =
      """
      field / Cache-Control no-cache
      field /assets Cache-Control "public, max-age=31536000, immutable"
      field /assets X-Frame-Options DENY
      field /assets/raw Cache-Control ""
      cors /open GET,HEAD *
      cors /api GET,PUT,DELETE https://app.example http://localhost:8000
      cors /api/closed none
      charset / utf-8
      charset /old iso-8859-1
      charset /untold none
      precompressed / text/* application/json
      precompressed /plain none
      digests /sums sha-256
      digests /sums/not none
      """;

  private static final Set<String> EXPOSED =
      Set.of(
          "ETag",
          "Content-Range",
          "Content-Encoding",
          "Location",
          "Retry-After",
          "Upload-Offset",
          "Upload-Complete",
          "Upload-Length",
          "Upload-Limit",
          "Repr-Digest",
          "Content-Digest");

  private final AtomicReference<WebRules> rules = new AtomicReference<>(rules(LINES));

  private static WebRules rules(String text) {
    return UpcallException.value(WebRules.parse("web", text));
  }

  @Override
  public HttpConfig config() {
    return HttpConfig.defaults().withWritable(true).withPolicy(HttpPolicy.OPEN.withWeb(rules::get));
  }

  private Response ask(String methodAndPath, String fields) {
    String end = fields.isEmpty() ? "\r\n" : fields.replace("~", "\r\n") + "\r\n\r\n";
    return one(methodAndPath + " HTTP/1.1\r\nHost: a\r\n" + end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // path, field, value: RFC 9110, section 6.3: fields of an answer are its origin's to set
        "/a.txt | Cache-Control | no-cache",
        "/a.txt | X-Frame-Options | -",
        "/assets/a.js | Cache-Control | public, max-age=31536000, immutable",
        "/assets/a.js | X-Frame-Options | DENY",
        "/assets/deep/a.js | X-Frame-Options | DENY",
        "/assets/raw/a.bin | Cache-Control | -",
        "/assets/raw/a.bin | X-Frame-Options | DENY",
        "/assetsx | Cache-Control | no-cache",
        "/assets/ | X-Frame-Options | DENY",
        // RFC 9110, section 8.3.2, and RFC 6838, section 4.2.1: text has a charset
        "/a.txt | Content-Type | text/plain; charset=utf-8",
        "/a.html | Content-Type | text/html; charset=utf-8",
        "/old/a.txt | Content-Type | text/plain; charset=iso-8859-1",
        "/untold/a.txt | Content-Type | text/plain",
        "/a.png | Content-Type | image/png",
        "/told.txt | Content-Type | text/plain; charset=koi8-r",
        // RFC 9110, section 12.5.5: other clients may get another coding
        "/a.txt | Vary | Accept-Encoding",
        "/a.png | Vary | -",
        "/plain/a.txt | Vary | -",
        // RFC 6265 and Fetch, section 3.2: no origin asks
        "/open/a | Access-Control-Allow-Origin | -",
        "/api/a | Vary | Origin",
        "/open/a | Vary | -"
      })
  void fieldsOfWhatIsRead(String path, String field, String value) {
    for (String each : new String[] {"/a.txt", "/a.html", "/a.png", "/old/a.txt"}) {
      world.site().file(each, "abc");
    }
    for (String each : new String[] {"/assets", "/assets/raw", "/assets/deep", "/untold"}) {
      world.site().directory(each);
    }
    for (String each : new String[] {"/assets/a.js", "/assets/raw/a.bin", "/assets/deep/a.js"}) {
      world.site().file(each, "abc");
    }
    for (String each : new String[] {"/assetsx", "/untold/a.txt", "/plain/a.txt", "/open/a"}) {
      world.site().file(each, "abc");
    }
    world.site().file("/api/a", "abc");
    world.site().typed("/told.txt", "text/plain; charset=koi8-r");
    Response read = ask("GET " + path, "");
    assertEquals(200, read.status());
    assertEquals(value, read.header(field));
    assertEquals(value, ask("HEAD " + path, "").header(field), "HEAD");
  }

  /** RFC 9110, section 15.4.5: a 304 has the fields that a cache keeps. */
  @Test
  void notModified_hasTheFieldsOfACache() {
    FileInfo file = world.site().file("/a.txt", "abc");
    Response same = ask("GET /a.txt", "If-None-Match: \"" + file.entityTag() + "\"");
    assertEquals(304, same.status());
    assertEquals("no-cache", same.header("Cache-Control"));
    assertEquals("Accept-Encoding", same.header("Vary"));
    assertNull(same.header("Content-Type"));
  }

  @Test
  void refusalsAndChanges_haveNoFieldsOfFiles() {
    assertNull(ask("GET /none", "").header("Cache-Control"));
    assertNull(ask("PUT /new", "Content-Length: 0").header("Cache-Control"));
    assertEquals("text/plain; charset=utf-8", ask("GET /none", "").header("Content-Type"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // request, fields, status, allowed origin: Fetch, section 3.2.3
        "GET /open/a | Origin: https://x.example | 200 | *",
        "GET /api/a | Origin: https://app.example | 200 | https://app.example",
        "GET /api/a | Origin: http://localhost:8000 | 200 | http://localhost:8000",
        "GET /api/a | Origin: https://app.example:444 | 200 | -",
        "GET /api/a | Origin: https://x.example | 200 | -",
        "GET /api/a | Origin: null | 200 | -",
        "HEAD /api/a | Origin: https://app.example | 200 | -",
        "GET /api/closed/a | Origin: https://app.example | 200 | -",
        "GET /a.txt | Origin: https://app.example | 200 | -",
        "GET /api/none | Origin: https://app.example | 404 | https://app.example",
        "DELETE /api/a | Origin: https://app.example | 204 | https://app.example",
        "DELETE /open/a | Origin: https://app.example | 204 | -",
        "GET /open | Origin: https://x.example | 301 | *",
        "GET /open/ | Origin: https://x.example | 200 | *",
        // RFC 9110, section 9.3.7
        "OPTIONS /a.txt | X: y | 204 | -",
        "OPTIONS * | X: y | 204 | -",
        "GET * | X: y | 400 | -",
        "OPTIONS /api/a | Origin: https://app.example | 204 | -",
      })
  void origins(String request, String fields, int status, String origin) {
    for (String each : new String[] {"/open", "/api", "/api/closed"}) {
      world.site().directory(each);
      world.site().file(each + "/a", "abc");
    }
    world.site().file("/a.txt", "abc");
    Response answer = ask(request, fields);
    assertEquals(status, answer.status());
    assertEquals(origin, answer.header("Access-Control-Allow-Origin"));
    assertNull(answer.header("Access-Control-Allow-Credentials"));
    if (request.startsWith("OPTIONS")) {
      assertEquals("GET, HEAD, PUT, PATCH, DELETE, OPTIONS", answer.header("Allow"));
    } else {
      String exposed = answer.header("Access-Control-Expose-Headers");
      assertEquals(origin != null, exposed != null);
      if (exposed != null) {
        assertEquals(EXPOSED, Set.of(exposed.split(", ")));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // origin, method, fields, allowed methods, allowed fields: Fetch, section 4.9
        "https://app.example | PUT | if-match, authorization | GET, PUT, DELETE | if-match, authorization",
        "https://app.example | DELETE | - | GET, PUT, DELETE | -",
        "https://app.example | PATCH | - | - | -",
        "https://x.example | PUT | - | - | -",
        "https://app.example | PUT | a<b | GET, PUT, DELETE | -"
      })
  void preflights(String origin, String method, String fields, String methods, String allowed) {
    String head =
        "Origin: "
            + origin
            + "~Access-Control-Request-Method: "
            + method
            + (fields == null ? "" : "~Access-Control-Request-Headers: " + fields);
    Response answer = ask("OPTIONS /api/new", head);
    assertEquals(204, answer.status());
    assertEquals(methods == null ? null : origin, answer.header("Access-Control-Allow-Origin"));
    assertEquals(methods, answer.header("Access-Control-Allow-Methods"));
    assertEquals(allowed, answer.header("Access-Control-Allow-Headers"));
    assertEquals(methods == null ? null : "600", answer.header("Access-Control-Max-Age"));
    assertEquals("Origin", answer.header("Vary"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // Accept-Encoding, Content-Encoding: RFC 9110, section 12.5.3
        "gzip | gzip",
        "x-gzip | gzip",
        "GZIP | gzip",
        "gzip, br | br",
        "br;q=0.5, gzip;q=0.8 | gzip",
        "zstd | -",
        "zstd, gzip;q=0.1 | gzip",
        "gzip;q=0 | -",
        "* | br",
        "*;q=0.5, br;q=0 | gzip",
        "identity, gzip;q=0.5 | -",
        "identity;q=0.5, gzip | gzip",
        "identity | -",
        "deflate | -",
        "gzip;q=2 | -",
        "'' | -",
        ",, ; | -"
      })
  void neighboursStandForAFile(String accepted, String coding) {
    world.site().file("/a.txt", "plain");
    world.site().file("/a.txt.br", "by br");
    world.site().file("/a.txt.gz", "by gzip");
    Response answer = ask("GET /a.txt", "Accept-Encoding: " + accepted);
    assertEquals(200, answer.status());
    assertEquals(coding, answer.header("Content-Encoding"));
    assertEquals(coding == null ? "plain" : "by " + coding, answer.text());
    assertEquals("text/plain; charset=utf-8", answer.header("Content-Type"));
    assertEquals("Accept-Encoding", answer.header("Vary"));
    assertEquals(
        coding, ask("HEAD /a.txt", "Accept-Encoding: " + accepted).header("Content-Encoding"));
  }

  /** RFC 9110, section 8.8.3.3: codings are representations of their own. */
  @Test
  void aNeighbourHasATagAndRangesOfItsOwn() {
    FileInfo plain = world.site().file("/a.txt", "plain");
    FileInfo other = world.site().file("/a.txt.gz", "compressed");
    String gzip = "Accept-Encoding: gzip~";
    assertEquals("\"" + other.entityTag() + "\"", ask("GET /a.txt", gzip + "X: y").header("ETag"));
    String same = "If-None-Match: \"" + other.entityTag() + "\"";
    assertEquals(304, ask("GET /a.txt", gzip + same).status());
    assertNull(ask("GET /a.txt", gzip + same).header("Content-Encoding"));
    assertEquals(200, ask("GET /a.txt", same).status());
    assertEquals(
        200, ask("GET /a.txt", gzip + "If-None-Match: \"" + plain.entityTag() + "\"").status());
    Response part = ask("GET /a.txt", gzip + "Range: bytes=3-5");
    assertEquals("pre", part.text());
    assertEquals("bytes 3-5/10", part.header("Content-Range"));
    assertEquals("gzip", part.header("Content-Encoding"));
    assertEquals(416, ask("GET /a.txt", gzip + "Range: bytes=10-").status());
  }

  @Test
  void whatStandsForNoFile() {
    world.site().file("/old.txt.gz", "of an earlier version");
    world.site().file("/old.txt", "newer");
    assertEquals("newer", ask("GET /old.txt", "Accept-Encoding: gzip").text());
    world.site().file("/a.png", "a");
    world.site().file("/a.png.gz", "b");
    assertEquals("a", ask("GET /a.png", "Accept-Encoding: gzip").text());
    world.site().directory("/plain");
    world.site().file("/plain/a.txt", "a");
    world.site().file("/plain/a.txt.gz", "b");
    assertEquals("a", ask("GET /plain/a.txt", "Accept-Encoding: gzip").text());
    world.site().file("/d.txt", "a");
    world.site().directory("/d.txt.gz");
    assertEquals("a", ask("GET /d.txt", "Accept-Encoding: gzip").text());
    world.site().file("/only.txt.gz", "b");
    assertEquals(404, ask("GET /only.txt", "Accept-Encoding: gzip").status());
    assertNull(ask("GET /only.txt.gz", "Accept-Encoding: gzip").header("Content-Encoding"));
  }

  @Test
  void anIndexPageHasNeighboursToo() {
    world.site().directory("/dir");
    world.site().file("/dir/index.html", "index");
    byte[] bytes = noise(200_000);
    world.site().file("/dir/index.html.gz", bytes);
    Response page = ask("GET /dir/", "Accept-Encoding: gzip");
    assertArrayEquals(bytes, page.body());
    assertEquals("text/html; charset=utf-8", page.header("Content-Type"));
    assertEquals("Accept, Accept-Encoding", page.header("Vary"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // path, fields, Repr-Digest, Content-Digest: RFC 9530, sections 2, 3 and 4; of "hello"
        "/sums/a | Want-Repr-Digest: sha-256=10 | yes | -",
        "/sums/a | Want-Repr-Digest: sha-512=10, sha-256=1 | yes | -",
        "/sums/a | Want-Content-Digest: sha-256=3 | - | yes",
        "/sums/a | Want-Content-Digest: sha-256=3~Want-Repr-Digest: sha-256=3 | yes | yes",
        "/sums/a | Want-Repr-Digest: sha-256=0 | - | -",
        "/sums/a | Want-Repr-Digest: sha-256=11 | - | -",
        "/sums/a | Want-Repr-Digest: sha-512=10 | - | -",
        "/sums/a | Want-Repr-Digest: sha-256 | - | -",
        "/sums/a | X: y | - | -",
        "/sums/a | Want-Repr-Digest: sha-256=10~Range: bytes=1-2 | yes | -",
        "/sums/a | Want-Repr-Digest: sha-256=10~Range: bytes=0-1,3-4 | yes | -",
        "/sums/a | Want-Content-Digest: sha-256=10~Range: bytes=1-2 | - | -",
        "/sums/not/a | Want-Repr-Digest: sha-256=10 | - | -",
        "/a.txt | Want-Repr-Digest: sha-256=10 | - | -",
        "/sums/none | Want-Repr-Digest: sha-256=10 | - | -",
        "/sums/large | Want-Repr-Digest: sha-256=10 | - | -"
      })
  void digestsThatAreWanted(String path, String fields, String repr, String content) {
    for (String each : new String[] {"/sums", "/sums/not"}) {
      world.site().directory(each);
      world.site().file(each + "/a", "hello");
    }
    world.site().file("/a.txt", "hello");
    world.site().file("/sums/large", new byte[(1 << 20) + 1]);
    String sum = "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:";
    Response answer = ask("GET " + path, fields);
    assertEquals(repr == null ? null : sum, answer.header("Repr-Digest"));
    assertEquals(content == null ? null : sum, answer.header("Content-Digest"));
    Response head = ask("HEAD " + path, fields);
    assertEquals(repr == null ? null : sum, head.header("Repr-Digest"));
    assertNull(head.header("Content-Digest"));
  }

  @Test
  void aDigestIsOfAllSlices() throws Exception {
    byte[] bytes = noise(500_000);
    world.site().directory("/sums");
    FileInfo file = world.site().file("/sums/a", bytes);
    String sum =
        "sha-256=:%s:"
            .formatted(
                Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes)));
    for (int hits : new int[] {0, 50, 100}) {
      SplittableRandom random = new SplittableRandom(hits);
      world.site().resident = offset -> random.nextInt(100) < hits;
      Response answer = ask("GET /sums/a", "Want-Repr-Digest: sha-256=1");
      assertArrayEquals(bytes, answer.body());
      assertEquals(sum, answer.header("Repr-Digest"));
    }
    String same = "If-None-Match: \"" + file.entityTag() + "\"";
    assertNull(ask("GET /sums/a", "Want-Repr-Digest: sha-256=1~" + same).header("Repr-Digest"));
    world.site().resident = offset -> false;
    world.site().readFails = offset -> offset >= 300_000;
    assertEquals(500, ask("GET /sums/a", "Want-Repr-Digest: sha-256=1").status());
  }

  @Test
  void linesAreReplacedForTheNextRequest() {
    world.site().file("/a.txt", "abc");
    assertEquals("no-cache", ask("GET /a.txt", "").header("Cache-Control"));
    rules.set(rules("field / Cache-Control max-age=5"));
    assertEquals("max-age=5", ask("GET /a.txt", "").header("Cache-Control"));
    assertEquals("text/plain", ask("GET /a.txt", "").header("Content-Type"));
    rules.set(rules(LINES));
  }

  @Test
  void methodsAreListed() {
    Response refused = ask("POST /a.txt", "Content-Length: 0");
    assertEquals(405, refused.status());
    assertTrue(String.valueOf(refused.header("Allow")).endsWith(", OPTIONS"));
  }
}
