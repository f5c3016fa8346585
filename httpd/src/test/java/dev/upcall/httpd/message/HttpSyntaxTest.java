package dev.upcall.httpd.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Status;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of what HTTP messages mean. */
class HttpSyntaxTest {
  private static final HttpConfig CONFIG = HttpConfig.defaults();

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "/, /, true",
        "//, /, true",
        "/a, /a, false",
        "/a/, /a, true",
        "/a//b, /a/b, false",
        "/a/./b, /a/b, false",
        "/a/., /a, true",
        "/a/.., /, true",
        "/a/../b, /b, false",
        "/a/b/../../c/, /c, true",
        "/%61, /a, false",
        "/%2e%2e/a, \"\", false",
        "/a/%2E%2E/b, /b, false",
        "/.hidden, /.hidden, false",
        "/..., /..., false",
        "/a%20b, /a b, false",
        "/%C3%A9, /é, false",
        "/\u00c3\u00a9, /é, false",
        "/a?b=/../c, /a, false",
        "/a#b, /a, false",
        "/a+b, /a+b, false",
        "/a%5Cb, /a\\b, false",
        "/a%3Fb, /a?b, false",
        "http://host/a/b, /a/b, false",
        "HTTP://host:80, /, true",
        "http://host?x, /, true",
        "/.., \"\", false",
        "/../a, \"\", false",
        "/a/../../b, \"\", false",
        "/a%2fb, \"\", false",
        "/a%2Fb, \"\", false",
        "/a%00b, \"\", false",
        "/a%0, \"\", false",
        "/a%, \"\", false",
        "/a%zz, \"\", false",
        "/%ff, \"\", false",
        "/%C0%AE%C0%AE/, \"\", false",
        "/%ED%A0%80, \"\", false",
        "/\u00e9, \"\", false",
        "a, \"\", false",
        "*, \"\", false",
        "\"\", \"\", false",
        "/a\u0001b, \"\", false",
        "/a\u007fb, \"\", false",
        "/a?b\u001fc, \"\", false",
        "/a%01b, /a\u0001b, false",
        "http://[::1]:80/a, /a, false",
        "http://user@host/a, \"\", false",
        "http://ho st/a, \"\", false",
        "http://[::1/a, \"\", false",
        "http://:80/a, \"\", false",
        "http:///a, \"\", false",
        "https://host/a, /a, false",
        "HTTPS://host:443, /, true",
        "https:///a, \"\", false",
        "https//host/a, \"\", false",
        "ftp://host/a, \"\", false"
      })
  void targets(String target, String path, boolean directory) {
    RequestTarget parsed = RequestTarget.parse(target);
    if (path.isEmpty()) {
      assertNull(parsed, target);
    } else {
      assertNotNull(parsed, target);
      assertEquals(path, parsed.path());
      assertEquals(directory, parsed.directory());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"
      })
  void datesInAllThreeForms(String text) {
    assertEquals(784_111_777, HttpDate.parse(text));
  }

  @Test
  void centuriesOfShortYears() {
    assertEquals(0, HttpDate.parse("Thursday, 01-Jan-70 00:00:00 GMT"));
    assertEquals(3_124_224_000L, HttpDate.parse("Tuesday, 01-Jan-69 00:00:00 GMT"));
  }

  @Test
  void queryParametersAreDecoded() {
    RequestTarget target = RequestTarget.parse("/a/?x=1&after=b%20%26c&afterwards=2");
    assertEquals("b &c", target.parameter("after"));
    assertEquals("1", target.parameter("x"));
    assertEquals("2", target.parameter("afterwards"));
    assertNull(target.parameter("missing"));
    assertNull(RequestTarget.parse("/?after=%zz").parameter("after"));
    assertEquals("", RequestTarget.parse("/?after=").parameter("after"));
    assertEquals("a b+c", RequestTarget.parse("/?after=a+b%2Bc").parameter("after"));
    assertTrue(RequestTarget.parse("/?after=%zz").hasParameter("after"));
    assertFalse(RequestTarget.parse("/?afterwards=1").hasParameter("after"));
  }

  @Test
  void everyNameSurvivesTheWayThroughAUri() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 20_000; round++) {
      StringBuilder name = new StringBuilder();
      int length = 1 + random.nextInt(8);
      while (name.length() < length) {
        int code = 1 + random.nextInt(random.nextBoolean() ? 127 : 0x10ffff);
        if (code != '/' && (code < 0xd800 || code > 0xdfff)) {
          name.appendCodePoint(code);
        }
      }
      String text = name.toString();
      if (text.equals(".") || text.equals("..")) {
        continue;
      }
      RequestTarget target = RequestTarget.parse("/" + PercentCoding.encodeName(text));
      assertEquals("/" + text, target.path());
      assertEquals(target.path(), RequestTarget.parse(PercentCoding.encodePath("/" + text)).path());
    }
  }

  @Test
  void datesAreThoseOfTheLibrary() {
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ROOT);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20_000; i++) {
      long second = random.nextLong(-62_167_219_200L, 253_402_300_800L);
      byte[] out = new byte[HttpDate.LENGTH];
      HttpDate.write(second, out, 0);
      String text = new String(out, StandardCharsets.US_ASCII);
      assertEquals(
          ZonedDateTime.ofInstant(java.time.Instant.ofEpochSecond(second), ZoneOffset.UTC)
              .format(format),
          text);
      assertEquals(second, HttpDate.parse(text));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-1 | 1969-12-31 23:59",
        "-62167219200 | 0000-01-01 00:00",
        "784111777 | 1994-11-06 08:49",
        "253402300799 | 9999-12-31 23:59"
      })
  void readableTimes_ofAllYears_areTold(long second, String text) {
    StringBuilder out = new StringBuilder();
    HttpDate.readable(out, second);
    assertEquals(text, out.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Sun, 06 Nov 1994 08:49:37",
        "Sunday, 06-Nov-94 08:49:37 CET",
        "Sunday, xx-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 19x4",
        "Sun Nov 0- 08:49:37 1994",
        "Sun Foo  6 08:49:37 1994",
        ", 06-Nov-94 08:49:37 GMT",
        "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nox 1994 08:49:37 GMT",
        "Sun, 06 ovD 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT",
        "Sun, xx Nov 1994 08:49:37 GMT"
      })
  void whatIsNoDate(String text) {
    assertEquals(HttpDate.NONE, HttpDate.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET / HTTP/1.1~Host: a | 0 | true",
        "HEAD / HTTP/1.1~Host: a | 0 | true",
        "GET / HTTP/1.1~Host: a~Connection: close | 0 | false",
        "GET / HTTP/1.1~Host: a~Connection: Upgrade, Close | 0 | false",
        "GET / HTTP/1.0 | 0 | false",
        "GET / HTTP/1.0~Connection: Keep-Alive | 0 | true",
        "GET / HTTP/1.1 | 400 | false",
        "GET / HTTP/1.1~Host: a~Host: a | 400 | false",
        "GET / HTTP/1.0~Host: a~Host: a | 400 | false",
        "GET / HTTP/1.0~Host: a~Host: b | 400 | false",
        "GET / HTTP/1.0~Host: a b | 400 | false",
        "GET / HTTP/1.1~Host: a/b | 400 | false",
        "GET / http/1.1~Host: a | 400 | false",
        "GET / HTtP/1.1~Host: a | 400 | false",
        "GET / http/1.0~Host: a | 400 | false",
        "GET / HTTP/1.10~Host: a | 400 | false",
        "GET / HTTP/01.1~Host: a | 400 | false",
        "G\u0001T / HTTP/1.1~Host: a | 400 | false",
        "GET /a\u0001b HTTP/1.1~Host: a | 400 | true",
        "GET /a\u007fb HTTP/1.1~Host: a | 400 | true",
        "GET / HTTP/1.1~Host: | 0 | true",
        "GET /%zz HTTP/1.1~Host: a | 400 | true",
        "GET /a b HTTP/1.1~Host: a | 400 | false",
        "GET HTTP/1.1 | 400 | false",
        "nonsense | 400 | false",
        "GET / HTTP/2.0~Host: a | 505 | false",
        "GET / HTTP/0.9~Host: a | 505 | false",
        "GET / HTTQ/1.1~Host: a | 400 | false",
        "GET / HTTP/1.1~Host: a~bad header | 400 | false",
        "GET / HTTP/1.1~Host: a~na me: x | 400 | false",
        "POST / HTTP/1.1~Host: a | 405 | true",
        "PUT / HTTP/1.1~Host: a~Content-Length: 3 | 405 | true",
        "PUT / HTTP/1.1~Host: a~Content-Length: 3~Expect: 100-continue | 405 | false",
        "PUT / HTTP/1.1~Host: a~Content-Length: 9999999 | 405 | false",
        "PUT / HTTP/1.1~Host: a~Transfer-Encoding: chunked | 405 | false",
        "GET / HTTP/1.1~Host: a~Transfer-Encoding: gzip, chunked | 501 | false",
        "GET / HTTP/1.0~Transfer-Encoding: chunked | 400 | false",
        "GET / HTTP/1.1~Host: a~Content-Length: 1~Content-Length: 2 | 400 | false",
        "GET / HTTP/1.1~Host: a~Content-Length: -1 | 400 | false",
        "GET / HTTP/1.1~Host: a~Content-Length: x | 400 | false",
        "BREW / HTTP/1.1~Host: a | 501 | true",
        "get / HTTP/1.1~Host: a | 501 | true",
        "OPTIONS * HTTP/1.1~Host: a | 405 | true",
        "CONNECT a:1 HTTP/1.1~Host: a | 405 | true"
      })
  void judgements(String message, int status, boolean keepAlive) {
    Request request = decodeOne(message.replace("~", "\r\n") + "\r\n\r\n");
    assertEquals(status, request.refusal() == null ? 0 : request.refusal().status().code());
    assertEquals(keepAlive, request.keepAlive());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a.b-c_d~e",
        "a:80",
        "a:",
        ":80",
        "127.0.0.1:8080",
        "a%20b!$&'()*+,;=",
        "[::1]",
        "[::1]:80",
        "[fe80::1:2]",
        "[::ffff:1.2.3.4]:",
        "[v1.a:b]"
      })
  void hosts(String host) {
    assertTrue(Authority.isHost(host, 0, host.length()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:b",
        "a:80:80",
        "a:80a",
        "a:-1",
        "a b",
        "a/b",
        "a@b",
        "a?b",
        "a#b",
        "a%2",
        "a%zz",
        "a%",
        "a\u00e9",
        "a\u0001",
        "a[::1]",
        "[::1",
        "::1",
        "::1]",
        "[]",
        "[a]",
        "[1.2.3.4]",
        "[[::1]]",
        "[::1]80",
        "[::1]:x",
        "[::1%eth0]",
        "[1:2:3]",
        "[v.a]",
        "[v1.]",
        "a\"b",
        "a\\b",
        "<a>"
      })
  void whatIsNoHost(String host) {
    assertFalse(Authority.isHost(host, 0, host.length()));
  }

  @Test
  void tooLongLinesAndHeaders() {
    String path = "/" + "x".repeat(CONFIG.requests().maxLineBytes());
    assertEquals(
        Status.URI_TOO_LONG,
        decodeOne("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").refusal().status());
    String value = "x".repeat(CONFIG.requests().maxHeaderBytes());
    assertEquals(
        Status.HEADER_FIELDS_TOO_LARGE,
        decodeOne("GET / HTTP/1.1\r\nHost: a\r\nX: " + value + "\r\n\r\n").refusal().status());
    String many = "X: y\r\n".repeat(CONFIG.requests().maxHeaderBytes() / 4);
    assertEquals(
        Status.HEADER_FIELDS_TOO_LARGE,
        decodeOne("GET / HTTP/1.1\r\nHost: a\r\n" + many + "\r\n").refusal().status());
  }

  /** RFC 9110, section 7.4. */
  @ParameterizedTest
  @CsvSource({
    "http://a/x, false, 0",
    "http://a/x, true, 0",
    "https://a/x, true, 0",
    "https://a/x, false, 421",
    "HTTPS://a, false, 421",
    "https:///x, true, 400",
    "/https://a, false, 0",
    "*, true, 400",
  })
  void whatIsAskedForOverTlsOnly(String target, boolean secured, int status) {
    Refusal refusal =
        decodeOne("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n", secured).refusal();
    assertEquals(status, refusal == null ? 0 : refusal.status().code());
  }

  private static Request decodeOne(String message) {
    return decodeOne(message, /* secured= */ false);
  }

  private static Request decodeOne(String message, boolean secured) {
    RequestDecoder decoder = new RequestDecoder(CONFIG);
    decoder.offer(Unpooled.wrappedBuffer(message.getBytes(StandardCharsets.ISO_8859_1)));
    HttpRequest request = decoder.next();
    assertNotNull(request, message);
    decoder.discardInput();
    return Request.of(request, CONFIG, secured);
  }

  @Test
  void aStreamIsCutTheSameWhereverItIsBroken() {
    String stream =
        "\r\nGET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
            + "PUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /"
            + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\nGET /\r\n3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\n"
            + "HEAD /4 HTTP/1.0\r\n\r\n"
            + "GET /5 HTTP/1.1\r\nHost: b\r\n\r\n";
    byte[] bytes = stream.getBytes(StandardCharsets.US_ASCII);
    for (int step = 1; step <= bytes.length; step++) {
      RequestDecoder decoder = new RequestDecoder(CONFIG);
      List<String> seen = new ArrayList<>();
      for (int at = 0; at < bytes.length; at += step) {
        decoder.offer(Unpooled.wrappedBuffer(bytes, at, Math.min(step, bytes.length - at)));
        for (HttpRequest r = decoder.next(); r != null; r = decoder.next()) {
          assertTrue(r.decoderResult().isSuccess());
          seen.add(r.method() + r.uri());
        }
      }
      assertEquals(List.of("GET/1", "PUT/2", "POST/3", "HEAD/4", "GET/5"), seen, "step " + step);
      assertFalse(decoder.hasInput());
      assertFalse(decoder.insideMessage(), "step " + step);
    }
  }

  @Test
  void knowsWhenAMessageHasBegun() {
    RequestDecoder decoder = new RequestDecoder(CONFIG);
    assertFalse(decoder.insideMessage());
    decoder.offer(Unpooled.copiedBuffer("GET / HT", StandardCharsets.US_ASCII));
    assertNull(decoder.next());
    assertTrue(decoder.insideMessage());
    decoder.offer(Unpooled.copiedBuffer("TP/1.1\r\nHost: a\r\n", StandardCharsets.US_ASCII));
    assertNull(decoder.next());
    assertTrue(decoder.insideMessage());
    decoder.offer(Unpooled.copiedBuffer("\r\n", StandardCharsets.US_ASCII));
    assertNotNull(decoder.next());
    assertFalse(decoder.insideMessage());
  }
}
