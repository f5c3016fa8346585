package dev.upcall.httpd.resumable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.HttpBehaviour;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpWorld;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.ResumableUploads;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The answers about uploads that come in several requests. Each row names the section of
 * draft-ietf-httpbis-resumable-upload-12 whose rule it shows, the bytes of a request, and what is
 * said: for each answer its status, and fields, of which a value that ends with a star is the
 * beginning and {@code -} says that there is none. In requests and answers {@code {u}} stands for
 * the place of the upload that was told last.
 *
 * @param <W> the server
 */
abstract class HttpResumableBehaviour<W extends HttpWorld> extends HttpBehaviour<W> {
  static final String HOST = " HTTP/1.1\r\nHost: a\r\n";
  static final String VERSION = "Upload-Draft-Interop-Version: 8\r\n";
  static final String BEGUN = "104; Location: {u}; Upload-Limit: max-size=600000, max-age=*";
  static final int MAX_BYTES = 600_000;

  private String upload = "/none?upload=0";

  /** The place of the upload that was told last. */
  final String upload() {
    return upload;
  }

  static ResumableUploads uploads() {
    return new ResumableUploads(
        5, 4, MAX_BYTES + 1000, 100_000, Duration.ofHours(1), new SplittableRandom(7));
  }

  @Override
  public HttpConfig config() {
    HttpConfig config = HttpConfig.defaults().withWritable(true).withMaxBodyBytes(MAX_BYTES);
    return config.withPolicy(config.policy().withResumable(uploads()));
  }

  // ------------------------------------------------------------------ requests

  static String put(String path, String fields, String body) {
    return request("PUT " + path, VERSION + fields, body);
  }

  static String request(String line, String fields, String body) {
    return line + HOST + fields + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  static String patch(String fields, String body) {
    return request(
        "PATCH {u}", VERSION + "Content-Type: application/partial-upload\r\n" + fields, body);
  }

  static String append(long offset, boolean last, String body) {
    return patch(
        "Upload-Offset: %d\r\nUpload-Complete: ?%d\r\n".formatted(offset, last ? 1 : 0), body);
  }

  static String ask(String method) {
    return method + " {u}" + HOST + "Connection: close\r\n\r\n";
  }

  /** One rule: what is asked, and what is said. */
  void row(String section, String request, String... answers) {
    List<Response> said = world.exchange(request.replace("{u}", upload));
    String context = "section " + section + ": " + request.lines().findFirst().orElseThrow();
    assertEquals(answers.length, said.size(), () -> context + " " + said);
    for (int i = 0; i < answers.length; i++) {
      Response answer = said.get(i);
      String location = answer.header("Location");
      if (location != null && location.contains("?upload=")) {
        upload = location;
      }
      String[] parts = answers[i].split("; ");
      assertEquals(parts[0], String.valueOf(answer.status()), () -> context + answer.text());
      for (int p = 1; p < parts.length; p++) {
        String[] field = parts[p].replace("{u}", upload).split(": ", 2);
        String value = answer.header(field[0]);
        if (field[1].equals("-")) {
          assertNull(value, context + " " + field[0]);
        } else if (field[1].endsWith("*")) {
          assertNotNull(value, context + " " + field[0]);
          String start = field[1].substring(0, field[1].length() - 1);
          assertTrue(value.startsWith(start), context + " " + field[0] + ": " + value);
        } else {
          assertEquals(field[1], value, context + " " + field[0]);
        }
      }
    }
  }

  static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** A file has a content, or there is none. */
  void has(String path, String content) {
    Response got = world.exchange("GET " + path + HOST + "\r\n").getFirst();
    assertEquals(content == null ? 404 : 200, got.status(), path);
    if (content != null) {
      assertEquals(content, latin1(got.body()));
    }
  }

  // ------------------------------------------------------------------ rules

  @Test
  void anUploadInOneRequest() {
    row(
        "4.4.2: resumption is offered before the body is taken",
        put("/f", "Upload-Complete: ?1\r\nContent-Type: text/x\r\n", "abc"),
        BEGUN + "; Upload-Draft-Interop-Version: 8; Date: -",
        "201; Upload-Complete: ?1; ETag: \"*; Content-Length: 0");
    has("/f", "abc");
    assertEquals("text/x", one("GET /f" + HOST + "\r\n").header("Content-Type"));
    row("4.1: it is gone once it is complete", ask("HEAD"), "404");
    row(
        "4.4.2: what a PUT would say",
        put("/f", "Upload-Complete: ?1\r\nUpload-Length: 0\r\n", ""),
        BEGUN,
        "204; Upload-Complete: ?1");
    has("/f", "");
    row(
        "5: both interim answers, where the client waits for leave",
        put("/g", "Upload-Complete: ?1\r\nExpect: 100-continue\r\n", "x"),
        BEGUN,
        "201");
    row(
        "4.4.2: a body in chunks",
        "PUT /h"
            + HOST
            + VERSION
            + "Upload-Complete: ?1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n"
            + "0\r\n\r\n",
        BEGUN,
        "201; Upload-Complete: ?1");
    has("/h", "abcde");
    row(
        "5: HTTP/1.0 knows no interim answers",
        "PUT /i HTTP/1.0\r\n" + VERSION + "Upload-Complete: ?1\r\nContent-Length: 1\r\n\r\nx",
        "201; Upload-Complete: ?1");
  }

  @Test
  void anUploadInParts() {
    row(
        "4.4.2: the place of an upload that goes on",
        put("/d/f", "Upload-Complete: ?0\r\nUpload-Length: 9\r\n", "abc"),
        BEGUN,
        "201; Location: {u}; Upload-Complete: ?0; Upload-Offset: 3; Upload-Limit: max-size=*");
    has("/d/f", null);
    String found =
        "204; Upload-Offset: 3; Upload-Complete: ?0; Upload-Length: 9; Cache-Control: no-store;"
            + " Upload-Limit: max-size=600000, max-age=*; Content-Length: -";
    row("4.5.2: the offset", ask("HEAD"), found);
    row("4.5.2: GET as HEAD", ask("GET"), found);
    row(
        "4.6.2: a part that is not the last",
        append(3, false, "def"),
        "204; Upload-Complete: ?0; Upload-Offset: 6; Location: -");
    row("4.6.2: no bytes", append(6, false, ""), "204; Upload-Offset: 6");
    row(
        "4.6.2: another offset",
        append(3, true, "ghi"),
        "409; Upload-Complete: ?0; Upload-Offset: 6; Content-Type: application/problem+json");
    row("4.6.2: nothing has happened", ask("HEAD"), "204; Upload-Offset: 6");
    row(
        "4.6.2: the last part is answered as the whole PUT",
        append(6, true, "ghi"),
        "201; Upload-Complete: ?1; Location: -; ETag: \"*");
    has("/d/f", "abcdefghi");
    row("4.6.2: nothing is left", append(9, true, ""), "404");
    row("4.4.1: no bytes at first", put("/e", "Upload-Complete: ?0\r\n", ""), BEGUN, "201");
    row("4.5.2: no length was told", ask("HEAD"), "204; Upload-Offset: 0; Upload-Length: -");
    row("4.6.1: no bytes at last", append(0, true, ""), "201; Upload-Complete: ?1");
    has("/e", "");
  }

  @Test
  void problemsSayWhatIsWrong() {
    row("4.4.2", put("/f", "Upload-Complete: ?0\r\nUpload-Length: 5\r\n", "abc"), BEGUN, "201");
    String type = "\"https://iana.org/assignments/http-problem-types#";
    String offset = problem(append(0, true, "de"));
    assertTrue(offset.contains(type + "mismatching-upload-offset\""), offset);
    assertTrue(offset.contains("\"expected-offset\":3,\"provided-offset\":0"), offset);
    String length = problem(append(3, true, "d"));
    assertTrue(length.contains(type + "inconsistent-upload-length\""), length);
  }

  private String problem(String request) {
    return one(request.replace("{u}", upload)).text();
  }

  @Test
  void lengthsAgree() {
    String differ = "400; Upload-Complete: ?0; Content-Type: application/problem+json";
    row(
        "4.1.3: both ways of a request",
        put("/f", "Upload-Complete: ?1\r\nUpload-Length: 4\r\n", "abc"),
        differ);
    row("4.1.3", put("/f", "Upload-Complete: ?0\r\nUpload-Length: 2\r\n", "abc"), differ);
    row("4.4.2", put("/f", "Upload-Complete: ?0\r\n", "abc"), BEGUN, "201");
    row(
        "4.1.3: told later",
        patch("Upload-Offset: 3\r\nUpload-Complete: ?0\r\nUpload-Length: 6\r\n", "d"),
        "204; Upload-Offset: 4");
    row("4.5.2: and kept", ask("HEAD"), "204; Upload-Length: 6; Upload-Offset: 4");
    row(
        "4.1.3: of several requests",
        patch("Upload-Offset: 4\r\nUpload-Complete: ?0\r\nUpload-Length: 7\r\n", "e"),
        differ);
    row("4.1.3", append(4, true, "e"), differ);
    row("4.6.2: no more than the length", append(4, false, "efg"), differ);
    row("4.6.2: nothing has happened", ask("HEAD"), "204; Upload-Offset: 4");
    String chunked =
        "PATCH {u}"
            + HOST
            + "Content-Type: application/partial-upload\r\nUpload-Offset: 4\r\n"
            + "Upload-Complete: ?1\r\nTransfer-Encoding: chunked\r\n\r\n";
    row("4.6.2: fewer, which only their end shows", chunked + "1\r\ne\r\n0\r\n\r\n", differ);
    row("4.1.2: it stays unfinished", ask("HEAD"), "204; Upload-Offset: 5; Upload-Complete: ?0");
    row(
        "4.6.2: more, which only their end shows, make it invalid",
        chunked.replace("Offset: 4", "Offset: 5") + "2\r\nfg\r\n0\r\n\r\n",
        differ + "; Connection: close");
    row("4.6.2", ask("HEAD"), "404");
    has("/f", null);
  }

  @Test
  void fieldsThatDoNotCount() {
    for (String field : List.of("1", "?2", "true", "?1, ?1", "\"?1\"", ":?1:")) {
      row(
          "4.1.2: a value that is no Boolean is no field: a PUT as any other",
          put("/f", "Upload-Complete: " + field + "\r\n", "abc"),
          "201; Upload-Complete: -");
      assertEquals(204, one("DELETE /f" + HOST + "\r\n").status());
    }
    row(
        "4.1.3: a length that is none",
        put("/f", "Upload-Complete: ?0;x=\"y\"\r\nUpload-Length: -4\r\n", "abc"),
        BEGUN,
        "201");
    row("4.5.2", ask("HEAD"), "204; Upload-Length: -");
    row("4.6.1: an offset is a must", patch("Upload-Complete: ?1\r\n", "d"), "400");
    row("4.1.1", patch("Upload-Complete: ?1\r\nUpload-Offset: three\r\n", "d"), "400");
    row("4.6.1: so is the other field", patch("Upload-Offset: 3\r\n", "d"), "400");
    row(
        "6: another media type",
        request("PATCH {u}", "Upload-Offset: 3\r\nUpload-Complete: ?1\r\n", "d"),
        "415");
    row(
        "RFC 9110, 8.4: a content coding",
        append(3, true, "d").replace("Upload-Off", "Content-Encoding: gzip\r\nUpload-Off"),
        "415");
    row("4.4.1", request("PUT {u}", VERSION + "Upload-Complete: ?1\r\n", "d"), "405");
    row("RFC 9651: spaces and parameters", append(3, true, "d"), "201");
    has("/f", "abcd");
  }

  @Test
  void versionsOfTheDraft() {
    for (String version : List.of("", "Upload-Draft-Interop-Version: 7\r\n")) {
      row(
          "Draft Version Identification: nothing is offered to others",
          request("PUT /f", version + "Upload-Complete: ?1\r\n", "abc"),
          version.isEmpty() ? "201; Upload-Complete: -" : "204; Upload-Complete: -");
      row(
          "and a part must not stand for the whole",
          request("PUT /f", version + "Upload-Complete: ?0\r\n", "a"),
          "400; Upload-Complete: -");
    }
    has("/f", "abc");
    row("4.4.2", put("/g", "Upload-Complete: ?0\r\n", ""), BEGUN, "201");
    String body = "x".repeat(250_000);
    row(
        "nor is its progress told to others",
        append(0, false, body).replace(VERSION, ""),
        "204; Upload-Offset: 250000");
    row("5", append(250_000, false, body), "104; Upload-Offset: *", "204; Upload-Offset: 500000");
  }

  @Test
  void digests() {
    String wrong = "Repr-Digest: sha-256=:" + "A".repeat(43) + "=:\r\n";
    row(
        "9.1: with a digest it is a PUT as any other",
        put("/f", "Upload-Complete: ?1\r\n" + wrong, "abc"),
        "400; Location: -");
    row("9.1: in parts it is refused", put("/f", "Upload-Complete: ?0\r\n" + wrong, "abc"), "400");
    row("4.4.2", put("/f", "Upload-Complete: ?0\r\n", "abc"), BEGUN, "201");
    row(
        "9.2: so is a part with one",
        patch(
            "Upload-Offset: 3\r\nUpload-Complete: ?0\r\n" + wrong.replace("Repr", "Content"), "d"),
        "400");
    row("9.2", ask("HEAD"), "204; Upload-Offset: 3");
  }

  @Test
  void whatHasComeStays() {
    row(
        "4.4.2: as much as possible is kept",
        "PUT /f" + HOST + VERSION + "Upload-Complete: ?1\r\nContent-Length: 9\r\n\r\nabc",
        BEGUN,
        "400");
    row("4.4.2: and it is not complete", ask("HEAD"), "204; Upload-Offset: 3; Upload-Length: 9");
    String cut = append(3, true, "defghi");
    row("4.6.2", cut.substring(0, cut.length() - 4), "400");
    row("4.6.2", ask("HEAD"), "204; Upload-Offset: 5");
    row(
        "4.6.2: up to broken chunks",
        "PATCH {u}"
            + HOST
            + "Content-Type: application/partial-upload\r\nUpload-Offset: 5\r\n"
            + "Upload-Complete: ?0\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nf\r\nx\r\n",
        "400");
    row("4.6.2", ask("HEAD"), "204; Upload-Offset: 6");
    row("4.6.2", append(6, true, "ghi"), "201");
    has("/f", "abcdefghi");
  }

  @Test
  void progressIsTold() {
    String body = latin1(noise(540_000));
    List<Response> said = world.exchange(put("/f", "Upload-Complete: ?1\r\n", body));
    assertEquals(201, said.getLast().status());
    long before = -1;
    for (Response interim : said.subList(1, said.size() - 1)) {
      assertEquals(104, interim.status());
      assertNull(interim.header("Location"), "only the first says it");
      assertEquals("8", interim.header("Upload-Draft-Interop-Version"));
      long offset = Long.parseLong(interim.header("Upload-Offset"));
      assertTrue(offset > before && offset < body.length(), () -> "5: " + offset);
      before = offset;
    }
    has("/f", body);
  }

  @Test
  void cancelled() {
    row("4.4.2", put("/f", "Upload-Complete: ?0\r\n", "abc"), BEGUN, "201");
    row("4.7.2", ask("DELETE"), "204");
    row("4.7.2", ask("DELETE"), "404");
    row("4.7.2", ask("HEAD"), "404");
    row("4.7.2", append(3, true, "d"), "404");
    has("/f", null);
    assertEquals(1, world.metrics().of(HttpCount.RESUMABLE_CANCELLED));
  }

  @Test
  void limits() {
    row(
        "4.3: what there may be",
        "OPTIONS /f" + HOST + "\r\n",
        "204; Upload-Limit: max-size=600000, max-age=3600; Allow: GET, HEAD, PUT, PATCH, DELETE*");
    row("RFC 9110, 9.3.7", "OPTIONS *" + HOST + "\r\n", "204; Upload-Limit: max-size=600000, *");
    row("RFC 9112, 3.2.4", "GET *" + HOST + "\r\n", "400");
    String tooLarge = "413; Upload-Complete: ?0; Upload-Limit: max-size=600000, max-age=*";
    row(
        "4.3: of a length that is told",
        put("/f", "Upload-Complete: ?0\r\nUpload-Length: 600001\r\n", ""),
        tooLarge);
    row("4.4.2", put("/f", "Upload-Complete: ?0\r\n", "abc"), BEGUN, "201");
    row(
        "4.3: of a length that is told later",
        patch("Upload-Offset: 3\r\nUpload-Complete: ?0\r\nUpload-Length: 600001\r\n", "d"),
        tooLarge);
    row(
        "4.3: of what comes",
        patch("Upload-Offset: 3\r\nUpload-Complete: ?0\r\n", "x".repeat(599_998)),
        tooLarge);
    row(
        "10: of all together",
        put("/g", "Upload-Complete: ?0\r\nUpload-Length: 599000\r\n", ""),
        BEGUN,
        "201");
    row("10", put("/h", "Upload-Complete: ?0\r\nUpload-Length: 2000\r\n", ""), "503");
    row("10", put("/h", "Upload-Complete: ?0\r\n", ""), BEGUN, "201");
    row("10", put("/i", "Upload-Complete: ?0\r\n", ""), BEGUN, "201");
    row("10: of one client", put("/j", "Upload-Complete: ?0\r\n", ""), "503; Retry-After: 1");
    row("4.7.2", ask("DELETE"), "204");
    row("10", put("/j", "Upload-Complete: ?1\r\n", "x"), BEGUN, "201");
  }

  @Test
  void conditionsAreThoseOfThePut() {
    String absent = "If-None-Match: *\r\nUpload-Complete: ?0\r\n";
    row("4.4.2", put("/f", absent, "abc"), BEGUN, "201");
    assertEquals(201, one(request("PUT /f", "", "other")).status());
    row(
        "4.6.2: they hold when it is complete, or it is over",
        append(3, true, "d"),
        "412; Upload-Complete: ?1");
    row("4.1.2", ask("HEAD"), "404");
    has("/f", "other");
    row("4.4.2: and are looked at when it begins", put("/f", absent, "abc"), "412");
    String tag = one("GET /f" + HOST + "\r\n").header("ETag");
    String match = "If-Match: " + tag + "\r\nUpload-Complete: ?0\r\n";
    row("4.4.2", put("/f", match, "ab"), BEGUN, "201");
    row("4.6.2", append(2, true, "c"), "204; Upload-Complete: ?1");
    has("/f", "abc");
    row("4.4.2", put("/f", match, "ab"), "412; Location: -");
    row(
        "4.4.2: so many tags are not kept",
        put(
            "/f",
            "If-None-Match: \"9-1\", \"9-2\", \"9-3\", \"9-4\", \"9-5\"\r\nUpload-Complete: ?0\r\n",
            ""),
        "400; Upload-Complete: ?0");
  }

  @Test
  void pathsThatCannotBe() {
    row("4.4.2", put("/d/", "Upload-Complete: ?0\r\n", "abc"), "409");
    assertEquals(201, one(request("PUT /f", "", "x")).status());
    row("4.4.2", put("/f/g", "Upload-Complete: ?0\r\n", "abc"), "409");
    row("4.4.2", put("/.upcall-uploads/x", "Upload-Complete: ?0\r\n", "abc"), "404");
    row("10: nobody looks at uploads", "GET /.upcall-uploads/" + HOST + "\r\n", "404");
    row("4.4.2", put("/g", "Upload-Complete: ?0\r\n", "abc"), BEGUN, "201");
    String id = upload.substring(upload.indexOf('=') + 1);
    assertTrue(id.matches("[0-9a-f]{32}"), id);
    for (String method : List.of("GET", "DELETE", "PUT")) {
      row("10", method + " /.upcall-uploads/" + id + HOST + "\r\n", "404");
    }
    row("10: nor brings one elsewhere", "HEAD /h?upload=" + id + HOST + "\r\n", "404");
    row("10", "HEAD /g?upload=" + "0".repeat(32) + HOST + "\r\n", "404");
    row("10", "HEAD /g?upload=../../f" + HOST + "\r\n", "404");
    row("10", "DELETE /g?upload=" + HOST + "\r\n", "404");
    row("4.5.2", ask("HEAD"), "204; Upload-Offset: 3");
    assertEquals(201, one(request("PUT /h/i", "", "x")).status());
    assertEquals(204, one("DELETE /h/i" + HOST + "\r\n").status());
    row("4.4.2", put("/h/i/j", "Upload-Complete: ?0\r\n", "abc"), BEGUN, "201");
    assertEquals(201, one(request("PUT /h/i", "", "x")).status());
    row("4.6.2: the way is gone", append(3, true, ""), "409; Upload-Complete: ?1");
  }

  @Test
  void names() {
    row(
        "10: a name with signs of its own",
        put("/a%20b%3f", "Upload-Complete: ?0\r\n", "abc"),
        BEGUN,
        "201; Location: /a%20b%3F?upload=*");
    row("4.6.2", append(3, true, "d"), "201");
    has("/a%20b%3f", "abcd");
  }

  /** Without being asked for it, a server offers nothing. */
  @Test
  void onlyWhereItIsOffered() {
    world.close();
    world = newWorld(HttpConfig.defaults().withWritable(true));
    row("4.4.2", put("/f", "Upload-Complete: ?1\r\n", "abc"), "201; Upload-Complete: -");
    row("4.4.2", put("/g", "Upload-Complete: ?0\r\n", "abc"), "400");
    row("other parameters mean nothing", "GET /f?upload=1" + HOST + "\r\n", "200");
  }
}
