package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.Responses.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is answered to PUT and DELETE, by whichever server.
 *
 * @param <W> the server
 */
abstract class HttpUploadBehaviour<W extends HttpWorld> extends HttpBehaviour<W> {
  static final HttpConfig WRITABLE = HttpConfig.defaults().withWritable(true);
  static final String HOST = " HTTP/1.1\r\nHost: a\r\n";

  @Override
  public HttpConfig config() {
    return WRITABLE;
  }

  private void reopen(HttpConfig config) {
    world.close();
    world = newWorld(config);
  }

  static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static String put(String path, String headers, String body) {
    return "PUT " + path + HOST + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  static String chunked(String path, String... chunks) {
    StringBuilder request = new StringBuilder("PUT " + path + HOST);
    request.append("Transfer-Encoding: chunked\r\n\r\n");
    for (String chunk : chunks) {
      request.append(Integer.toHexString(chunk.length())).append("\r\n");
      request.append(chunk).append("\r\n");
    }
    return request.append("0\r\n\r\n").toString();
  }

  int status(String request) {
    return one(request).status();
  }

  @Test
  void aFileIsMadeAndReplaced() {
    Response made = one(put("/new/dir/a.txt", "", "hello"));
    assertEquals(201, made.status());
    assertEquals("0", made.header("Content-Length"));
    FileInfo file = world.site().info("/new/dir/a.txt");
    assertEquals("\"" + file.entityTag() + "\"", made.header("ETag"));
    assertEquals("text/plain", file.mediaType().split(";")[0]);
    Response replaced = one(put("/new/dir/a.txt", "", "hello again"));
    assertEquals(204, replaced.status());
    assertNull(replaced.header("Content-Length"));
    assertNotEquals(made.header("ETag"), replaced.header("ETag"));
    Response got = one("GET /new/dir/a.txt" + HOST + "\r\n");
    assertEquals("hello again", got.text());
    assertEquals(replaced.header("ETag"), got.header("ETag"));
    assertEquals(replaced.header("Last-Modified"), got.header("Last-Modified"));
    HttpMetrics metrics = world.metrics();
    assertEquals(2, metrics.of(HttpCount.UPLOADS_BEGUN));
    assertEquals(2, metrics.of(HttpCount.UPLOADS_COMMITTED));
    assertEquals(2, metrics.of(HttpCount.UPLOADS_ENDED));
    assertEquals(16, metrics.of(HttpCount.BYTES_RECEIVED));
  }

  @Test
  void bodiesOfAllSizesWithAndWithoutLength() {
    for (int size : new int[] {0, 1, 511, 65_535, 65_536, 65_537, 300_000}) {
      String body = latin1(noise(size));
      assertEquals(201, status(put("/l" + size, "", body)));
      assertArrayEquals(noise(size), world.site().content("/l" + size));
      int cut = size / 3;
      String request =
          size == 0 ? chunked("/c0") : chunked("/c" + size, body.substring(0, cut + 1));
      assertEquals(201, status(request));
      assertEquals(size == 0 ? 0 : cut + 1, world.site().content("/c" + size).length);
      if (size > 1) {
        request = chunked("/c" + size, body.substring(0, cut + 1), body.substring(cut + 1));
        assertEquals(204, status(request));
        assertArrayEquals(noise(size), world.site().content("/c" + size));
      }
    }
    assertEquals(201, status("PUT /none" + HOST + "\r\n"), "no length is no body");
    assertEquals(0, world.site().content("/none").length);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // fields of a PUT of "hello", status: RFC 9530, sections 2, 3 and 5
        "Content-Digest: sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=: | 201",
        "Repr-Digest: sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=: | 201",
        "Repr-Digest: sha-512=:m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1"
            + "wuXDre9G9zvN7AQw==: | 201",
        "Repr-Digest: adler=1, sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=: | 201",
        "Content-Digest: md5=:AAAA: | 201",
        "Content-Digest: sha-256=:MPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=: | 400",
        "Content-Digest: sha-256=:LPJN: | 400",
        "Content-Digest: sha-256=:: | 400",
        "Content-Digest: sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:, sha-512=:AAAA: | 400",
        "Content-Digest: sha-256=LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ= | 400",
        "Content-Digest: sha-256=:LPJ: | 400",
        "Content-Digest: sha-256 | 400",
        "Content-Digest: SHA-256=:AAAA: | 400",
        "Content-Digest: , | 400"
      })
  void aBodyHasTheDigestThatIsSaid(String field, int status) {
    List<Response> answers = world.exchange(put("/a", field + "\r\n", "hello"));
    assertEquals(status, answers.getFirst().status());
    assertEquals(status == 201, world.site().info("/a") != null);
    String chunks = chunked("/b", "he", "llo").replace("Host: ", field + "\r\nHost: ");
    assertEquals(status, world.exchange(chunks, 7).getFirst().status(), "in chunks");
    assertEquals(status == 201, world.site().info("/b") != null);
    world.site().file("/kept", "before");
    world.exchange(put("/kept", field + "\r\n", "hello"));
    assertEquals(
        status == 201 ? "hello" : "before", one("GET /kept" + HOST + "\r\n").text(), "replaced");
  }

  /** Half of a file must not stand for the whole, as a server that ignores the field would have. */
  @Test
  void theFirstPartOfAResumableUploadIsNotTaken() {
    world.site().file("/a", "before");
    Response refused = one(put("/a", "Upload-Complete: ?0\r\n", "hal"));
    assertEquals(400, refused.status());
    assertTrue(refused.text().contains("resumable upload, which is not offered"), refused::text);
    assertEquals("before", one("GET /a" + HOST + "\r\n").text());
    assertEquals(204, status(put("/a", "Upload-Complete: ?1\r\n", "whole")));
  }

  @Test
  void bytesMayComeOneByOne() {
    String requests = put("/a", "", "hello") + chunked("/b", "x", "yz") + "GET /a" + HOST + "\r\n";
    List<Response> responses = world.exchange(requests, 1);
    assertEquals(List.of(201, 201, 200), responses.stream().map(Response::status).toList());
    assertEquals("hello", responses.getLast().text());
    assertArrayEquals("xyz".getBytes(), world.site().content("/b"));
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() {
    world.slowSite(100_000);
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      String path = "/f" + i % 7;
      String body = "content " + i;
      requests.append(i % 2 == 0 ? put(path, "", body) : chunked(path, body));
      requests.append("GET ").append(path).append(HOST).append("\r\n");
      if (i % 5 == 0) {
        requests.append("DELETE ").append(path).append(HOST).append("\r\n");
        requests.append("GET ").append(path).append(HOST).append("\r\n");
      }
    }
    List<Response> responses = world.exchange(requests.toString());
    int at = 0;
    for (int i = 0; i < 60; i++) {
      assertEquals(2, responses.get(at++).status() / 100);
      assertEquals("content " + i, responses.get(at++).text());
      if (i % 5 == 0) {
        assertEquals(204, responses.get(at++).status());
        assertEquals(404, responses.get(at++).status());
      }
    }
    assertEquals(at, responses.size());
  }

  @Test
  void codingsThatAreNone() {
    for (String coding : new String[] {"identity", "identity, Identity", ""}) {
      assertEquals(201, status(put("/p", "Content-Encoding: " + coding + "\r\n", "x")), coding);
      assertEquals(204, status("DELETE /p" + HOST + "\r\n"));
    }
  }

  @Test
  void whatCannotBeMade() {
    world.site().directory("/d");
    world.site().file("/d/f", "x");
    assertEquals(409, status(put("/d", "", "x")));
    assertEquals(409, status(put("/d/", "", "x")));
    assertEquals(409, status(put("/", "", "x")));
    assertEquals(409, status(put("/d/f/below", "", "x")));
    assertEquals(400, status(put("/%2e%2e/%2e%2e/etc/passwd", "", "x")));
    assertEquals(400, status(put("/a%2fb", "", "x")));
    assertEquals(400, status(put("/a%00b", "", "x")));
    assertEquals(400, status("DELETE /../x" + HOST + "\r\n"));
    assertEquals(400, status(put("/p", "Content-Range: bytes 0-0/2\r\n", "x")));
    assertEquals(415, status(put("/p", "Content-Encoding: gzip\r\n", "x")));
    String second = "Content-Encoding: identity\r\nContent-Encoding: gzip\r\n";
    assertEquals(415, status(put("/p", second, "x")));
    assertEquals(415, status(put("/p", "Content-Encoding: identity, gzip\r\n", "x")));
    assertEquals(400, status(put("/p", "Content-Type: no type\r\n", "x")));
    assertEquals(400, status(put("/p", "Content-Type: a/" + "b".repeat(200) + "\r\n", "x")));
    assertEquals(411, status("PUT /p HTTP/1.0\r\n\r\n"));
    assertEquals(417, status(put("/p", "Expect: miracles\r\n", "x")));
    assertEquals(400, status(put("/a".repeat(1_001), "", "x")), "no such depth");
    assertEquals(400, status(put("/" + "a".repeat(256), "", "x")), "no such name");
    assertEquals(404, status("DELETE /" + "a".repeat(256) + HOST + "\r\n"));
    assertNull(world.site().info("/p"));
    assertEquals("x", latin1(world.site().content("/d/f")));
    assertEquals(0, world.metrics().of(HttpCount.UPLOADS_BEGUN));
  }

  @Test
  void aSlashAtTheEndNamesADirectory() {
    world.site().file("/f", "x");
    world.site().directory("/d");
    for (String path : List.of("/f/", "/f//", "/f/.", "/f/x/..")) {
      Response refused = one("DELETE " + path + HOST + "\r\n");
      assertEquals(409, refused.status(), path);
      assertEquals("/f is not a directory\n", refused.text());
    }
    String tag = "\"" + world.site().info("/f").entityTag() + "\"";
    assertEquals(409, status("DELETE /f/" + HOST + "If-Match: " + tag + "\r\n\r\n"));
    assertEquals(409, status(put("/f/", "", "y")));
    assertEquals("x", latin1(world.site().content("/f")));
    assertEquals(404, status("DELETE /none/" + HOST + "\r\n"));
    assertEquals(204, status("DELETE /d/" + HOST + "\r\n"));
    assertEquals(204, status("DELETE /f" + HOST + "\r\n"));
  }

  @Test
  void dotsInATargetAreResolvedBeforeTheStoreIsAsked() {
    assertEquals(201, status(put("/x/%2e%2e/./y//z", "", "in")));
    assertEquals("in", latin1(world.site().content("/y/z")));
    assertEquals(204, status("DELETE /y/%2E/z" + HOST + "\r\n"));
    assertNull(world.site().info("/y/z"));
  }

  @Test
  void mediaTypesAreKeptAndForgotten() {
    status(put("/a.txt", "Content-Type: application/x-thing; a=\"b\"\r\n", "x"));
    assertEquals(
        "application/x-thing; a=\"b\"", one("GET /a.txt" + HOST + "\r\n").header("Content-Type"));
    status(put("/a.txt", "", "x"));
    String byName = one("GET /a.txt" + HOST + "\r\n").header("Content-Type");
    assertEquals("text/plain", byName.split(";")[0]);
  }

  @Test
  void conditionsOfChanges() {
    String tag = one(put("/a", "", "1")).header("ETag");
    String other = "\"1-1\"";
    assertEquals(412, status(put("/a", "If-None-Match: *\r\n", "2")));
    assertEquals(412, status(put("/a", "If-None-Match: " + other + ", W/" + tag + "\r\n", "2")));
    assertEquals(412, status(put("/a", "If-Match: " + other + "\r\n", "2")));
    assertEquals(412, status(put("/a", "If-Match: W/" + tag + "\r\n", "2")));
    assertEquals(412, status(put("/a", "If-Match: \"garbage\r\n", "2")));
    assertEquals(412, status(put("/a", "If-Match: *\r\nIf-None-Match: *\r\n", "2")));
    assertEquals(412, status(put("/b", "If-Match: *\r\nIf-None-Match: *\r\n", "2")));
    String old = "If-Unmodified-Since: Sun, 06 Nov 1994 08:00:00 GMT\r\n";
    assertEquals(412, status(put("/a", old, "2")));
    assertEquals(412, status(put("/b", "If-Match: *\r\n", "2")));
    assertEquals(412, status(put("/b", "If-Match: " + tag + "\r\n", "2")));
    assertEquals(412, status("DELETE /a" + HOST + "If-Match: " + other + "\r\n\r\n"));
    assertEquals(412, status("DELETE /b" + HOST + "If-Match: *\r\n\r\n"));
    assertEquals(412, status("DELETE /a" + HOST + "If-None-Match: *\r\n\r\n"));
    assertEquals("1", latin1(world.site().content("/a")));
    assertNull(world.site().info("/b"));

    assertEquals(201, status(put("/b", "If-None-Match: *\r\n", "3")));
    assertEquals(204, status(put("/a", "If-Match: " + other + " , " + tag + "\r\n", "2")));
    assertEquals(412, status(put("/a", "If-Match: " + tag + "\r\n", "4")));
    assertEquals(204, status(put("/a", "If-Match: *\r\n" + old, "5")), "the tag decides");
    Response now = one("GET /a" + HOST + "\r\n");
    String since = "If-Unmodified-Since: " + now.header("Last-Modified") + "\r\n";
    assertEquals(204, status(put("/a", since, "6")));
    String last = one("GET /a" + HOST + "\r\n").header("ETag");
    assertEquals(204, status("DELETE /a" + HOST + "If-Match: " + last + "\r\n\r\n"));
  }

  @Test
  void deletions() {
    world.site().directory("/d");
    world.site().file("/d/f", "x");
    assertEquals(409, status("DELETE /d" + HOST + "\r\n"));
    assertEquals(404, status("DELETE /x" + HOST + "\r\n"));
    Response deleted = one("DELETE /d/f" + HOST + "\r\n");
    assertEquals(204, deleted.status());
    assertNull(deleted.header("Content-Length"));
    assertEquals(204, status("DELETE /d/" + HOST + "\r\n"));
    assertNull(world.site().info("/d"));
  }

  @Test
  void headsOverTheLimitAreCounted() {
    assertEquals(414, status(put("/" + "x".repeat(9000), "", "")));
    assertEquals(431, status(put("/a", "X: " + "x".repeat(20_000) + "\r\n", "")));
    assertEquals(2, world.metrics().of(HttpCount.REFUSED_HEADS));
  }

  @Test
  void aWritableServerSaysWhatItAllows() {
    assertEquals("GET, HEAD, PUT, PATCH, DELETE", one("POST /a" + HOST + "\r\n").header("Allow"));
  }

  @Test
  void bodiesOverTheLimit() {
    reopen(WRITABLE.withMaxBodyBytes(10));
    assertEquals(201, status(put("/a", "", "0123456789")));
    Response small = one(put("/b", "", "01234567890"));
    assertEquals(413, small.status());
    assertTrue(small.text().contains("10 bytes, the limit of an upload"), small::text);
    assertNull(small.header("Connection"));
    Response unknown = one(chunked("/b", "0123456789", "0"));
    assertEquals(413, unknown.status());
    assertEquals("close", unknown.header("Connection"));
    Response large = one("PUT /b" + HOST + "Content-Length: 9000000000000000000\r\n\r\n");
    assertEquals(413, large.status());
    assertEquals("close", large.header("Connection"));
    assertNull(world.site().info("/b"));
    assertEquals(3, world.metrics().of(HttpCount.REFUSED_BODIES));
    assertEquals(201, status(chunked("/c", "01234", "56789")));
  }

  @Test
  void whatTheStoreRefuses() {
    world.site().changes.putFailure = new Failure.Busy("new content on its way");
    Response busy = one(put("/a", "", "x"));
    assertEquals(503, busy.status());
    assertEquals("1", busy.header("Retry-After"));
    world.site().changes.putFailure = new Failure.VolumeFull(1, 0, 1);
    assertEquals(507, status(put("/a", "", "x")));
    world.site().changes.putFailure = null;
    world.site().changes.appendFails = () -> true;
    Response broken = one(put("/a", "", "x"));
    assertEquals(500, broken.status());
    assertNull(broken.header("Connection"), "the body has come whole");
    assertEquals("close", one(chunked("/a", "x", "y")).header("Connection"));
    world.site().changes.appendFails = () -> false;
    world.site().changes.commitFails = () -> true;
    assertEquals(500, status(put("/a", "", "x")));
    world.site().changes.deleteFailure = new Failure.Busy("requests");
    assertEquals(503, status("DELETE /a" + HOST + "\r\n"));
    assertNull(world.site().info("/a"));
    assertEquals(0, world.metrics().of(HttpCount.UPLOADS_COMMITTED));
    assertEquals(3, world.metrics().of(HttpCount.UPLOADS_ENDED));
  }

  /** The host's words are its operator's. */
  @Test
  void refusals_ofTheHost_nameNothingOfIt() {
    String host = "/srv/secret/store.upcall";
    for (Failure failure :
        List.of(
            new Failure.VolumeFull(1 << 20, 4096, 0, host + " (ext4): No space left on device"),
            new Failure.ReadOnly("writing " + host + " failed"),
            new Failure.Closed(host),
            new Failure.Device("open", host),
            Failure.Corrupt.missing(host, "a tree", 4096))) {
      world.site().changes.putFailure = failure;
      world.site().changes.deleteFailure = failure;
      for (Response refused : List.of(one(put("/a", "", "x")), one("DELETE /a" + HOST + "\r\n"))) {
        assertTrue(refused.status() >= 500, () -> refused.status() + " for " + failure);
        assertFalse(refused.text().contains("secret"), refused::text);
      }
    }
    world.site().changes.putFailure = new Failure.VolumeFull(1 << 20, 4096, 0, host);
    assertEquals("the store has no room for 1048576 bytes more\n", one(put("/a", "", "x")).text());
  }

  @Test
  void lastModified_ofAFileMadeInTheFuture_isTheDateOfTheAnswer() {
    world.site().modifiedSeconds = 9_000_000_000L; // the year 2255
    Response made = one(put("/a", "", "x"));
    assertEquals(201, made.status());
    assertEquals(made.header("Date"), made.header("Last-Modified"));
  }

  /** The Last-Modified time holds until the next change, and no longer. */
  @Test
  void unmodifiedSince_ofAFileDatedInTheFuture_goesByItsLastChange() {
    world.site().modifiedSeconds = 9_000_000_000L; // the year 2255
    world.site().changedSecondsMost = 784_111_779;
    String shown = one(put("/a", "", "x")).header("Last-Modified");
    String since = "If-Unmodified-Since: " + shown + "\r\n";
    assertEquals(shown, one("GET /a" + HOST + "\r\n").header("Last-Modified"));
    world.site().changedSecondsMost++;
    assertEquals(204, status(put("/a", since, "y")));
    assertEquals(412, status(put("/a", since, "z")));
    assertEquals(412, status("DELETE /a" + HOST + since + "\r\n"));
    assertEquals("y", latin1(world.site().content("/a")));
  }

  @Test
  void unmodifiedSince_beyondWhatAStoreCanTell_holds() {
    assertEquals(201, status(put("/a", "", "x")));
    String farOff = "If-Unmodified-Since: Fri, 31 Dec 9999 23:59:59 GMT\r\n";
    assertEquals(204, status(put("/a", farOff, "y")));
    String longAgo = "If-Unmodified-Since: Sat, 01 Jan 0001 00:00:00 GMT\r\n";
    assertEquals(412, status(put("/a", longAgo, "z")));
  }

  @Test
  void aBrokenBodyEndsTheConnectionAndLeavesNothing() {
    String head = "PUT /a" + HOST + "Transfer-Encoding: chunked\r\n\r\n";
    for (String body :
        List.of(
            "-1\r\nx\r\n0\r\n\r\n",
            "0x1\r\nx\r\n0\r\n\r\n",
            "+1\r\nx\r\n0\r\n\r\n",
            "1_0\r\nx\r\n0\r\n\r\n",
            "ffffffffffffffff1\r\nx\r\n0\r\n\r\n",
            "80000000\r\nx\r\n0\r\n\r\n",
            "1\nx\n0\n\n",
            "1\r\nxy\r\n0\r\n\r\n",
            "\r\nx\r\n0\r\n\r\n",
            "1;a=b\nc\r\nx\r\n0\r\n\r\n")) {
      List<Response> responses = world.exchange(head + body + "GET /d" + HOST + "\r\n");
      assertEquals(1, responses.size(), body);
      assertEquals(400, responses.getFirst().status(), body);
      assertEquals("close", responses.getFirst().header("Connection"));
      assertNull(world.site().info("/a"), body);
    }
  }

  @Test
  void framingThatCouldBeReadInTwoWays() {
    String put = "PUT /a" + HOST;
    for (String fields :
        List.of(
            "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
            "Content-Length: 1\r\nContent-Length: 2\r\n",
            "Content-Length: 1\r\nContent-Length: 1\r\n",
            "Content-Length: 1, 2\r\n",
            "Content-Length: +1\r\n",
            "Content-Length: -1\r\n",
            "Content-Length: 1a\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Content-Length : 1\r\n",
            "Content-Length\u000b: 1\r\n",
            "X: y\r\n Content-Length: 1\r\n",
            "X: y\r\n\tContent-Length: 1\r\n",
            " Content-Length: 1\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "Transfer-Encoding: xchunked\r\n",
            "Transfer-Encoding:\u000bchunked\r\n",
            "Content-Length: 1\nX: y\r\n",
            "X\u0000: y\r\nContent-Length: 1\r\n")) {
      for (int fragment : new int[] {Integer.MAX_VALUE, 1}) {
        String all = put + fields + "\r\n0\r\n\r\nGET /d" + HOST + "\r\n";
        List<Response> responses = world.exchange(all, fragment);
        assertEquals(1, responses.size(), fields);
        int status = responses.getFirst().status();
        assertTrue(status == 400 || status == 501, fields + status);
        assertEquals("close", responses.getFirst().header("Connection"), fields);
        assertNull(world.site().info("/a"), fields);
      }
    }
  }
}
