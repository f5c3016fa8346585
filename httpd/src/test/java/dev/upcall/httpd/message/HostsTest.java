package dev.upcall.httpd.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.Refusal;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that answers to some names only: what a browser may have been led to is refused. */
class HostsTest {
  private static final HttpConfig SOME =
      HttpConfig.defaults().withPolicy(HttpPolicy.OPEN.withHosts(Set.of("localhost", "metrics")));

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1, localhost,           0",
    "HTTP/1.1, LOCALHOST:9090,      0",
    "HTTP/1.1, metrics:1,           0",
    "HTTP/1.1, 127.0.0.1:9090,      0",
    "HTTP/1.1, 192.0.2.7,           0",
    "HTTP/1.1, [::1]:9090,          0",
    "HTTP/1.1, evil.example,        421",
    "HTTP/1.1, evil.example:9090,   421",
    "HTTP/1.1, localhost.evil.test, 421",
    "HTTP/1.1, 127.0.0.1.evil.test, 421",
    "HTTP/1.1, 127.1,               421",
    "HTTP/1.1, 2130706433,          421",
    "HTTP/1.0, evil.example,        421",
    "HTTP/1.1, '',                  421",
  })
  void onlyAddressesAndNamesThatWereTold(String version, String host, int status) {
    Refusal refusal = request(version, "Host: " + host + "\r\n", SOME).refusal();
    assertEquals(status, refusal == null ? 0 : refusal.status().code());
    assertEquals(null, request(version, "Host: " + host + "\r\n", HttpConfig.defaults()).refusal());
  }

  /** RFC 9112, section 3.2.2. */
  @ParameterizedTest
  @CsvSource({
    "http://localhost/, evil.example, 0",
    "http://LOCALHOST:9090/a, evil.example, 0",
    "http://127.0.0.1, evil.example, 0",
    "http://evil.example/, localhost, 421",
    "http://evil.example?localhost, localhost, 421",
    "//evil.example/, localhost, 0",
    "http://evil.example/, '', 421",
  })
  void theHostOfTheTargetCounts(String target, String host, int status) {
    Refusal refusal = request(target, "HTTP/1.1", "Host: " + host + "\r\n", SOME).refusal();
    assertEquals(status, refusal == null ? 0 : refusal.status().code());
  }

  @Test
  void whoNamesNoHostIsNoBrowser() {
    assertEquals(null, request("HTTP/1.0", "", SOME).refusal());
  }

  @Test
  void namesAreInLowerCase() {
    assertThrows(
        IllegalArgumentException.class, () -> HttpPolicy.OPEN.withHosts(Set.of("Localhost")));
  }

  private static Request request(String version, String host, HttpConfig config) {
    return request("/", version, host, config);
  }

  private static Request request(String target, String version, String host, HttpConfig config) {
    RequestDecoder decoder = new RequestDecoder(config);
    String text = "GET " + target + " " + version + "\r\n" + host + "\r\n";
    decoder.offer(Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1)));
    Request request = Request.of(decoder.next(), config, /* secured= */ false);
    decoder.discardInput();
    return request;
  }
}
