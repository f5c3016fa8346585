package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.httpd.Responses.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranges and conditions, by whichever server.
 *
 * @param <W> the server
 */
abstract class HttpReadingBehaviour<W extends HttpWorld> extends HttpBehaviour<W> {
  static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n";
  private static final String HEAD = "HEAD /a HTTP/1.1\r\nHost: a\r\n";

  /** The second in which {@code MemorySite} says that its first file was modified. */
  private static final String MODIFIED = "Sun, 06 Nov 1994 08:49:39 GMT";

  private static final String BEFORE = "Sun, 06 Nov 1994 08:49:38 GMT";
  private static final String AFTER = "Sun, 06 Nov 1994 08:49:40 GMT";

  /** The answer to a request that has come to the empty line behind its head. */
  @Override
  public Response one(String head) {
    return super.one(head + "\r\n");
  }

  @Test
  void aRangeWithAllItsHeaders() {
    FileInfo file = world.site().file("/a", "0123456789");
    Response part = one(GET + "Range: bytes=2-4\r\n");
    assertEquals(206, part.status());
    assertEquals("234", part.text());
    assertEquals("bytes 2-4/10", part.header("Content-Range"));
    assertEquals("3", part.header("Content-Length"));
    assertEquals("bytes", part.header("Accept-Ranges"));
    assertEquals("\"" + file.entityTag() + "\"", part.header("ETag"));
    assertEquals(MODIFIED, part.header("Last-Modified"));
    assertEquals("application/octet-stream", part.header("Content-Type"));
    assertEquals("789", one(GET + "Range: bytes=-3\r\n").text());
    assertEquals("789", one(GET + "Range: bytes=7-\r\n").text());
    assertEquals("bytes 0-9/10", one(GET + "Range: bytes=0-\r\n").header("Content-Range"));
  }

  @Test
  void noRangeAndRangesThatAreNotHeeded() {
    world.site().file("/a", "0123456789");
    Response whole = one(GET);
    assertEquals("bytes", whole.header("Accept-Ranges"));
    assertNull(whole.header("Content-Range"));
    for (String range : List.of("bytes=0-1,1-4", "bytes=x", "lines=1-2", "bytes=4-2")) {
      Response response = one(GET + "Range: " + range + "\r\n");
      assertEquals(200, response.status());
      assertEquals("0123456789", response.text());
      assertNull(response.header("Content-Range"));
    }
    assertEquals(200, one(GET + "Range: bytes=0-1\r\nRange: bytes=3-4\r\n").status());
  }

  /** RFC 9110, sections 14.6 and 15.3.7.2. */
  @Test
  void severalRangesAreOneBodyOfParts() {
    FileInfo file = world.site().file("/a", "0123456789");
    Response answer = one(GET + "Range: bytes=7-8,0-2,20-30,-1\r\n");
    assertEquals(206, answer.status());
    assertNull(answer.header("Content-Range"));
    assertEquals("\"" + file.entityTag() + "\"", answer.header("ETag"));
    String type = answer.header("Content-Type");
    String start = "multipart/byteranges; boundary=";
    assertTrue(type.startsWith(start), type);
    String line = "--" + type.substring(start.length());
    String head = "\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ";
    assertEquals(
        line
            + head
            + "7-8/10\r\n\r\n78\r\n"
            + line
            + head
            + "0-2/10\r\n\r\n012\r\n"
            + line
            + head
            + "9-9/10\r\n\r\n9\r\n"
            + line
            + "--\r\n",
        answer.text());
    assertEquals(String.valueOf(answer.body().length), answer.header("Content-Length"));
    assertEquals(200, one(HEAD + "Range: bytes=0-1,3-4\r\n").status());
    assertEquals(416, one(GET + "Range: bytes=10-,20-30\r\n").status());
    assertEquals(304, one(GET + "Range: bytes=0-1,3-4\r\nIf-None-Match: *\r\n").status());
  }

  @Test
  void severalRangesOfALargeFile() {
    byte[] bytes = noise(1_000_003);
    world.site().file("/a", bytes);
    SplittableRandom random = new SplittableRandom(4);
    for (int round = 0; round < 12; round++) {
      int hits = random.nextInt(3) * 50;
      world.site().resident = offset -> random.nextInt(100) < hits;
      List<int[]> parts = new ArrayList<>();
      StringBuilder ranges = new StringBuilder();
      for (int at = random.nextInt(1000); at < bytes.length && parts.size() < 16; ) {
        int end = Math.min(bytes.length, at + 1 + random.nextInt(1 << random.nextInt(1, 18)));
        parts.add(new int[] {at, end});
        ranges.append(parts.size() > 1 ? "," : "").append(at).append('-').append(end - 1);
        at = end + random.nextInt(100_000);
      }
      Response answer = one(GET + "Range: bytes=" + ranges + "\r\n");
      assertEquals(206, answer.status());
      String text = new String(answer.body(), StandardCharsets.ISO_8859_1);
      int from = 0;
      for (int[] part : parts) {
        byte[] wanted = Arrays.copyOfRange(bytes, part[0], part[1]);
        int begin = text.indexOf("\r\n\r\n", from) + 4;
        from = parts.size() == 1 ? bytes.length : begin + wanted.length;
        if (parts.size() > 1) {
          assertArrayEquals(wanted, Arrays.copyOfRange(answer.body(), begin, from));
        }
      }
    }
    assertTrue(world.site().leasedBytesMost <= HttpConfig.defaults().responses().contentBytes());
  }

  @Test
  void headKnowsNoRanges() {
    world.site().file("/a", "0123456789");
    Response head = one(HEAD + "Range: bytes=2-4\r\n");
    assertEquals(200, head.status());
    assertEquals("10", head.header("Content-Length"));
    assertEquals("bytes", head.header("Accept-Ranges"));
    assertEquals(200, one(HEAD + "Range: bytes=20-\r\n").status());
  }

  @Test
  void rangesBehindTheEnd() {
    world.site().file("/a", "0123456789");
    Response response = one(GET + "Range: bytes=10-\r\n");
    assertEquals(416, response.status());
    assertEquals("bytes */10", response.header("Content-Range"));
    assertEquals("the file has 10 bytes, and none of those asked for\n", response.text());
    world.site().file("/a", "");
    assertEquals("bytes */0", one(GET + "Range: bytes=0-0\r\n").header("Content-Range"));
    assertEquals(200, one(GET + "Range: bytes=-1\r\n").status());
  }

  @Test
  void rangesOfALargeFileReadNothingBefore() {
    byte[] bytes = noise(3_000_003);
    world.site().file("/a", bytes);
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 60; round++) {
      int first = random.nextInt(bytes.length);
      int end = 1 + first + random.nextInt(bytes.length - first);
      int hits = random.nextInt(3) * 50;
      world.site().resident = offset -> random.nextInt(100) < hits;
      world.site().readFails = offset -> offset < first || offset >= end;
      Response part = one(GET + "Range: bytes=" + first + "-" + (end - 1) + "\r\n");
      assertEquals(206, part.status());
      assertArrayEquals(Arrays.copyOfRange(bytes, first, end), part.body());
    }
    assertTrue(world.site().leasedBytesMost <= HttpConfig.defaults().responses().contentBytes());
  }

  @Test
  void aPartThatCannotBeReadIsAnErrorOrBrokenOff() {
    world.site().file("/a", noise(300_000));
    world.site().resident = offset -> false;
    world.site().readFails = offset -> offset >= 200_000;
    assertEquals(500, one(GET + "Range: bytes=200000-\r\n").status());
    isCut(206, GET + "Range: bytes=100000-\r\n\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        // one condition
        "If-Match: TAG | 200",
        "If-Match: \"x\", TAG | 200",
        "If-Match: * | 200",
        "If-Match: W/TAG | 412",
        "If-Match: \"x\" | 412",
        "If-None-Match: TAG | 304",
        "If-None-Match: W/TAG | 304",
        "If-None-Match: \"x\",TAG | 304",
        "If-None-Match: \"x\"~If-None-Match: TAG | 304",
        "If-None-Match: * | 304",
        "If-None-Match: \"x\" | 200",
        "If-Modified-Since: SAME | 304",
        "If-Modified-Since: AFTER | 304",
        "If-Modified-Since: BEFORE | 200",
        "If-Modified-Since: yesterday | 200",
        "If-Unmodified-Since: SAME | 200",
        "If-Unmodified-Since: AFTER | 200",
        "If-Unmodified-Since: BEFORE | 412",
        "If-Unmodified-Since: yesterday | 200",
        // their order
        "If-Match: TAG~If-Unmodified-Since: BEFORE | 200",
        "If-Match: \"x\"~If-None-Match: TAG | 412",
        "If-Match: TAG~If-None-Match: TAG | 304",
        "If-Unmodified-Since: BEFORE~If-None-Match: TAG | 412",
        "If-None-Match: \"x\"~If-Modified-Since: AFTER | 200",
        "If-Match: TAG~If-Modified-Since: SAME | 304",
        // with a range
        "Range: bytes=0-0~If-Match: \"x\" | 412",
        "Range: bytes=0-0~If-None-Match: TAG | 304",
        "Range: bytes=0-0~If-Range: TAG | 206",
        "Range: bytes=0-0~If-Range: W/TAG | 200",
        "Range: bytes=0-0~If-Range: \"x\" | 200",
        "Range: bytes=0-0~If-Range: * | 200",
        "Range: bytes=0-0~If-Range: SAME | 206",
        "Range: bytes=0-0~If-Range: AFTER | 200",
        "Range: bytes=0-0~If-Range: BEFORE | 200",
        "Range: bytes=99-~If-Range: \"x\" | 200",
        "Range: bytes=99-~If-Range: TAG | 416",
        "If-Range: TAG | 200",
        "Range: bytes=0-0~If-Match: TAG~If-Range: TAG | 206"
      })
  void conditions(String fields, int status) {
    FileInfo file = world.site().file("/a", "abc");
    String tag = "\"" + file.entityTag() + "\"";
    String head =
        fields
                .replace("TAG", tag)
                .replace("SAME", MODIFIED)
                .replace("AFTER", AFTER)
                .replace("BEFORE", BEFORE)
                .replace("~", "\r\n")
            + "\r\n";
    Response response = one(GET + head);
    assertEquals(status, response.status());
    if (status == 200 || status == 206 || status == 304) {
      assertEquals(tag, response.header("ETag"));
      assertEquals(MODIFIED, response.header("Last-Modified"));
    }
    if (status == 304) {
      assertEquals(0, response.body().length);
      assertNull(response.header("Content-Length"));
      assertNull(response.header("Content-Type"));
    }
    int whole = status == 206 || status == 416 ? 200 : status;
    Response asHead = one(HEAD + head);
    assertEquals(whole, asHead.status(), "HEAD");
    assertEquals(0, asHead.body().length);
  }

  @Test
  void conditionsAndRangesOfWhatIsNotThere() {
    assertEquals(404, one(GET + "If-Match: *\r\n").status());
    assertEquals(404, one(GET + "If-None-Match: *\r\nRange: bytes=0-1\r\n").status());
  }

  @Test
  void lastModified_ofAFileOfTheFuture_isTheDateOfTheAnswer() {
    world.site().modifiedSeconds = 9_000_000_000L; // the year 2255
    world.site().file("/a", "abc");
    Response whole = one(GET);
    assertEquals(whole.header("Date"), whole.header("Last-Modified"));
    Response part = one(GET + "Range: bytes=1-1\r\n");
    assertEquals(206, part.status());
    assertEquals(part.header("Date"), part.header("Last-Modified"));
    Response same = one(GET + "If-None-Match: " + whole.header("ETag") + "\r\n");
    assertEquals(304, same.status());
    assertEquals(same.header("Date"), same.header("Last-Modified"));
  }

  /** A time of modification that somebody has set: when it was set is what conditions go by. */
  @Test
  void conditions_ofAFileDatedInTheFuture_goByItsLastChange() {
    world.site().modifiedSeconds = 9_000_000_000L; // the year 2255
    world.site().changedSecondsMost = 784_111_779;
    world.site().file("/a", "abc");
    assertEquals(MODIFIED, one(GET).header("Last-Modified"));
    assertEquals(200, one(GET + "If-Unmodified-Since: " + MODIFIED + "\r\n").status());
    assertEquals(412, one(GET + "If-Unmodified-Since: " + BEFORE + "\r\n").status());
    assertEquals(304, one(GET + "If-Modified-Since: " + MODIFIED + "\r\n").status());
    assertEquals(200, one(GET + "If-Modified-Since: " + BEFORE + "\r\n").status());
    assertEquals(206, one(GET + "Range: bytes=0-0\r\nIf-Range: " + MODIFIED + "\r\n").status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-1 | Wed, 31 Dec 1969 23:59:59 GMT | Wed, 31 Dec 1969 23:59:58 GMT",
        "-86400 | Wed, 31 Dec 1969 00:00:00 GMT | Tue, 30 Dec 1969 23:59:59 GMT",
        "-9000000000 | Thu, 19 Oct 1684 08:00:00 GMT | Thu, 19 Oct 1684 07:59:59 GMT"
      })
  void lastModified_before1970_isTheTime(long second, String date, String secondBefore) {
    world.site().modifiedSeconds = second - 2;
    world.site().file("/a", "abc");
    assertEquals(date, one(GET).header("Last-Modified"));
    assertEquals(304, one(GET + "If-Modified-Since: " + date + "\r\n").status());
    assertEquals(200, one(GET + "If-Modified-Since: " + secondBefore + "\r\n").status());
    assertEquals(200, one(GET + "If-Unmodified-Since: " + date + "\r\n").status());
    assertEquals(412, one(GET + "If-Unmodified-Since: " + secondBefore + "\r\n").status());
    String range = "Range: bytes=0-0\r\nIf-Range: ";
    assertEquals(206, one(GET + range + date + "\r\n").status());
    assertEquals(200, one(GET + range + secondBefore + "\r\n").status());
  }
}
