package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Failure;
import dev.upcall.httpd.Responses.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What is answered to PATCH, by whichever server.
 *
 * @param <W> the server
 */
abstract class HttpPatchBehaviour<W extends HttpWorld> extends HttpBehaviour<W> {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";
  private static final String EDITS = "application/vnd.upcall.edits";
  private static final String RANGE = "message/byterange";
  private static final String RANGES = "multipart/byteranges; boundary=xyz";

  @Override
  public HttpConfig config() {
    return HttpConfig.defaults().withWritable(true);
  }

  private String tag() {
    return "If-Match: \"" + world.site().info("/f").entityTag() + "\"\r\n";
  }

  private static String patch(String type, String fields, String body) {
    return "PATCH /f"
        + HOST
        + "Content-Type: "
        + type
        + "\r\n"
        + fields
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private String content() {
    return new String(world.site().content("/f"), StandardCharsets.ISO_8859_1);
  }

  private void becomes(String expected, String type, String body) {
    Response answer = one(patch(type, tag(), body));
    assertEquals(204, answer.status(), answer::text);
    assertEquals(expected, content());
    assertEquals("\"" + world.site().info("/f").entityTag() + "\"", answer.header("ETag"));
  }

  private void refused(int status, String part, String type, String body) {
    String before = content();
    Response answer = one(patch(type, tag(), body));
    assertEquals(status, answer.status(), answer::text);
    assertTrue(answer.text().contains(part), answer::text);
    assertEquals(before, content(), "nothing has happened");
  }

  @Test
  void edits() {
    world.site().file("/f", "0123456789");
    becomes("01abc23456789", EDITS, "insert 2 3\nabc");
    becomes("013456789", EDITS, "cut 2 4\r\n");
    becomes("XY13456789", EDITS, "splice 0 1 2\nXY");
    becomes("XYzz456789", EDITS, "overwrite 2 2\nzz\n");
    becomes("XYzz456789!", EDITS, "append 1\n!");
    becomes("XYzz456789!\n\n", EDITS, "append 2\n\n\n\n");
    becomes("-456789!?", EDITS, "cut 0 4\nsplice 0 0 1\n-\ncut 8 2\nappend 1\n?");
    becomes("", EDITS, "cut 0 9\n");
    becomes("new", EDITS, "append 3\nnew");
  }

  @Test
  void rangesOfBytes() {
    world.site().file("/f", "0123456789");
    becomes("01ab456789", RANGE, "Content-Range: bytes 2-3/10\r\n\r\nab");
    becomes(
        "01ab4567xyz",
        RANGE,
        "content-type: text/plain\ncontent-range: BYTES 8-10/*\ncontent-length: 3\n\nxyz");
    becomes("01ab4567xyz++", RANGE, "Content-Range: bytes 11-12/13\r\n\r\n++");
    becomes(
        "AAab4567xBB++",
        RANGES,
        "preamble\r\n--xyz\r\nContent-Range: bytes 0-1/*\r\n\r\nAA\r\n"
            + "--xyz\r\nContent-Range: bytes 9-10/*\r\n\r\nBB\r\n--xyz--\r\nepilogue");
    becomes(
        "AA--xyz7xBB++",
        "multipart/byteranges; charset=x; boundary=\"xyz\"",
        "--xyz\nContent-Range: bytes 2-6/*\n\n--xyz".replace("\n--xyz", "\n.-xyz")
            + "\n--xyz\nContent-Range: bytes 2-2/*\n\n-\n--xyz--");
  }

  @Test
  void manyClientsAndOneVersion() {
    world.site().file("/f", "x");
    String tag = tag();
    List<Response> answers =
        world.exchange(
            patch(EDITS, tag, "append 1\na")
                + patch(EDITS, tag, "append 1\nb")
                + "GET /f"
                + HOST
                + "\r\n");
    assertEquals(List.of(204, 412, 200), answers.stream().map(Response::status).toList());
    assertEquals("xa", answers.getLast().text());
    assertNotEquals(tag, tag());
  }

  @Test
  void aVersionHasToBeNamed() {
    world.site().file("/f", "x");
    Response nothing = one(patch(EDITS, "", "append 1\na"));
    assertEquals(428, nothing.status());
    assertTrue(nothing.header("Accept-Patch").contains(EDITS));
    assertNull(nothing.header("Connection"), "a small body is read over");
    assertEquals(428, one(patch(EDITS, "If-Match: *\r\n", "append 1\na")).status());
    assertEquals(412, one(patch(EDITS, "If-Match: \"1-1\"\r\n", "append 1\na")).status());
    assertEquals(412, one(patch(EDITS, "If-Match: W/\"1-1\"\r\n", "append 1\na")).status());
    String weak = tag().replace("\"", "W/\"").replaceFirst("W/\"\r", "\"\r");
    assertEquals(412, one(patch(EDITS, weak, "append 1\na")).status());
    String gone = patch(EDITS, tag(), "append 1\na").replace("/f", "/none");
    assertEquals(412, one(gone).status());
    assertEquals("x", content());
  }

  @Test
  void whatCannotBeReadOrDone() {
    world.site().file("/f", "0123456789");
    refused(400, "changes nothing", EDITS, "");
    refused(400, "insert, cut, splice", EDITS, "frobnicate 1\n");
    refused(400, "insert OFFSET LENGTH", EDITS, "insert 1\n");
    refused(400, "cut OFFSET REMOVED", EDITS, "cut 1 2 3\n");
    refused(400, "no number", EDITS, "cut -1 2\n");
    refused(400, "no number", EDITS, "cut 1 9999999999999999999\n");
    refused(400, "2 bytes follow", EDITS, "append 3\nab");
    refused(400, "does not end", EDITS, "append 3");
    refused(400, "does not end", EDITS, "x".repeat(2000) + "\n");
    refused(400, "more than 1024", EDITS, "cut 0 0\n".repeat(1025));
    refused(422, "which has 10", EDITS, "cut 0 11\n");
    refused(422, "which has 10", EDITS, "insert 11 1\nx");
    refused(422, "behind the end", EDITS, "overwrite 11 1\nx");
    refused(422, "which has 5", EDITS, "append 1\nx\ncut 0 6\ncut 0 6\n");
    refused(400, "Content-Range", RANGE, "X: y\r\n\r\nab");
    refused(400, "Content-Range", RANGE, "Content-Range: lines 0-1/2\r\n\r\nab");
    refused(400, "over 2 bytes", RANGE, "Content-Range: bytes 0-2/*\r\n\r\nab");
    refused(400, "over 2 bytes", RANGE, "Content-Range: bytes 2-1/*\r\n\r\nab");
    refused(400, "behind its length", RANGE, "Content-Range: bytes 0-1/1\r\n\r\nab");
    refused(400, "same field twice", RANGE, "Content-Range: bytes 0-1/*\r\n".repeat(2) + "\r\nab");
    refused(
        400, "Content-Length", RANGE, "Content-Range: bytes 0-1/*\r\nContent-Length: 3\r\n\r\nab");
    refused(400, "header fields", RANGE, "no field\r\n\r\nab");
    refused(422, "behind the end", RANGE, "Content-Range: bytes 11-12/*\r\n\r\nab");
    refused(400, "boundary", RANGES, "no part");
    refused(400, "boundary", RANGES, "--xyz\r\nContent-Range: bytes 0-1/*\r\n\r\nab\r\n");
    refused(415, "one of", "text/plain", "ab");
    refused(415, "one of", "multipart/byteranges", "ab");
    Response coded = one(patch(EDITS, tag() + "Content-Encoding: gzip\r\n", "append 1\na"));
    assertEquals(415, coded.status());
    assertTrue(coded.header("Accept-Patch").contains(RANGE));
    world.site().directory("/d");
    assertEquals(409, one(patch(EDITS, tag(), "append 1\na").replace("/f", "/d")).status());
    assertEquals(409, one(patch(EDITS, tag(), "append 1\na").replace("/f", "/d/")).status());
    assertEquals(411, one("PATCH /f HTTP/1.0\r\nContent-Type: " + EDITS + "\r\n\r\n").status());
    world.site().changes.editFailure = new Failure.VolumeFull(1, 0, 1);
    refused(507, "", EDITS, "append 1\na");
    world.site().changes.editFailure = null;
    becomes("0123456789a", EDITS, "append 1\na");
  }

  @Test
  void bodiesOverTheLimitAndInPieces() {
    world.site().file("/f", "x");
    Response large =
        one(
            "PATCH /f"
                + HOST
                + "Content-Type: "
                + EDITS
                + "\r\n"
                + tag()
                + "Content-Length: 1048577\r\n\r\n");
    assertEquals(413, large.status());
    assertEquals("close", large.header("Connection"));
    assertTrue(large.text().contains("1048576 bytes, the limit of a patch"), large::text);
    String chunked =
        "PATCH /f"
            + HOST
            + "Content-Type: "
            + EDITS
            + "\r\n"
            + tag()
            + "Transfer-Encoding: chunked\r\n\r\n5\r\nappen\r\n5\r\nd 2\na\r\n1\r\nb\r\n0\r\n\r\n";
    List<Response> answers = world.exchange(chunked + "GET /f" + HOST + "\r\n", 1);
    assertEquals(List.of(204, 200), answers.stream().map(Response::status).toList());
    assertEquals("xab", answers.getLast().text());
    String most = "append " + ((1 << 20) - 20) + "\n";
    becomes("xab" + "y".repeat((1 << 20) - 20), EDITS, most + "y".repeat((1 << 20) - 20));
    Response cut =
        world
            .exchange(
                "PATCH /f"
                    + HOST
                    + "Content-Type: "
                    + EDITS
                    + "\r\n"
                    + tag()
                    + "Transfer-Encoding: chunked\r\n\r\n5\r\nappen\r\nx")
            .getFirst();
    assertEquals(400, cut.status());
  }
}
