package dev.upcall.httpd.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.UpcallException;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.AccessSecret;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.Responses;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.TrustedProxies;
import dev.upcall.httpd.session.SimConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines of sessions in the access log, and whom they take a client for behind a proxy. */
class HttpLogTest {
  private static final String SECRET = "upcall_AAAAAAAAAAAAAAAAAAAAAAAAAAA";
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";

  @TempDir Path folder;
  private Path file;
  private AccessLog log;
  private SessionWorld world;

  @BeforeEach
  void open() {
    file = folder.resolve("log");
    log = AccessLog.open(file, AccessLog.Format.COMBINED);
    String rules =
        "token alice sha256:"
            + HexFormat.of().formatHex(AccessSecret.digest(SECRET))
            + "\nallow read,list,write / known\nallow read /a anyone";
    HttpPolicy policy =
        HttpPolicy.OPEN
            .withAccess(UpcallException.value(AccessRules.parse("rules", rules)))
            .withLog(log)
            .withProxies(TrustedProxies.parse(List.of("10.0.0.0/8")));
    world =
        new SessionWorld(
            4,
            HttpConfig.defaults()
                .withPolicy(policy)
                .withMaxConnectionsOfAddress(2)
                .withWritable(false));
    world.site.file("/a", "abc");
    world.site.file("/b", "abc");
  }

  @AfterEach
  void close() {
    world.close();
    log.close();
  }

  private List<String> lines() throws IOException {
    world.close();
    log.close();
    return Files.readAllLines(file).stream()
        .map(line -> line.replaceAll("\\[.*?\\]", "[]"))
        .toList();
  }

  private SimConnection from(String address) throws IOException {
    world.peer = InetAddress.getByName(address);
    return world.connectReader();
  }

  private static String bytes(Responses.Response response, List<Responses.Response> all) {
    return response.status() + " of " + all.size();
  }

  @Test
  void timesFollowAClockThatIsSet() throws IOException {
    world.exchange("GET /a" + HOST + "\r\n");
    world.clock.jumpEpoch(86_400_000_000_000L);
    world.runFor(100_000_000);
    world.exchange("GET /a" + HOST + "\r\n");
    world.close();
    log.close();
    DateTimeFormatter form = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);
    List<ZonedDateTime> times =
        Files.readAllLines(file).stream()
            .map(line -> line.replaceAll(".*\\[(.*)\\].*", "$1"))
            .map(text -> ZonedDateTime.parse(text, form))
            .toList();
    Duration passed = Duration.between(times.getFirst(), times.getLast());
    assertEquals(1, passed.toDays(), times::toString);
    assertTrue(passed.toSeconds() - 86_400 <= 2, times::toString);
  }

  @Test
  void eachResponseHasItsLineWithoutTheSecret() throws IOException {
    String agent = "User-Agent: t\"x\r\n";
    List<Responses.Response> answers =
        world.exchange(
            "GET /a"
                + HOST
                + agent
                + "\r\n"
                + "GET /b"
                + HOST
                + "Authorization: Bearer "
                + SECRET
                + "\r\n\r\n"
                + "GET /b"
                + HOST
                + "\r\n"
                + "GET /a?x=y&upload=a0058abc"
                + HOST
                + "Referer: http://u:p@r/\r\n\r\n"
                + "BREW /"
                + HOST
                + "\r\n");
    assertEquals(5, answers.size(), () -> bytes(answers.getFirst(), answers));
    List<String> lines = lines();
    assertEquals(5, lines.size(), lines::toString);
    assertTrue(
        lines
            .get(0)
            .matches("127.0.0.1 - - \\[\\] \"GET /a HTTP/1.1\" 200 \\d+ \"-\" \"t\\\\x22x\""),
        lines::toString);
    assertTrue(lines.get(1).startsWith("127.0.0.1 - alice [] \"GET /b HTTP/1.1\" 200 "));
    assertTrue(lines.get(2).startsWith("127.0.0.1 - - [] \"GET /b HTTP/1.1\" 401 "));
    assertTrue(
        lines
            .get(3)
            .matches(
                "127.0.0.1 - - .*\"GET /a\\?x=y&upload=[.]{3} HTTP/1.1\" 200 \\d+ \"http://r/\""
                    + " \"-\""));
    assertTrue(lines.get(4).contains("\"BREW / HTTP/1.1\" 501 "));
    assertFalse(lines.toString().contains(SECRET));
    assertFalse(lines.toString().contains("Bearer"));
  }

  @Test
  void silenceAndCutResponsesHaveTheirLines() throws IOException {
    SimConnection slow = world.connectReader();
    slow.clientSends("GET /a HTT");
    world.runUntil(slow::clientSawEnd);
    SimConnection gone = world.connectReader();
    world.holdSite();
    gone.clientSends("GET /a" + HOST + "\r\n");
    world.runUntil(() -> world.heldBySite() == 1);
    gone.reset();
    world.runUntil(gone::closedReported);
    world.releaseAll();
    world.runFor(1_000_000);
    List<String> lines = lines();
    assertEquals(2, lines.size(), lines::toString);
    assertTrue(lines.get(0).contains("\"-\" 408 "), lines::toString);
    assertTrue(lines.get(1).contains("\"GET /a HTTP/1.1\" 499 0 "), lines::toString);
  }

  @Test
  void aTrustedProxySaysWhoseTheRequestIsAndAnybodyElseDoesNot() throws IOException {
    SimConnection proxy = from("10.0.0.7");
    proxy.clientSends(
        "GET /a"
            + HOST
            + "X-Forwarded-For: 192.0.2.1\r\n\r\n"
            + "GET /b"
            + HOST
            + "X-Forwarded-For: 192.0.2.2, 10.0.0.9\r\nAuthorization: Bearer "
            + SECRET
            + "\r\n\r\n"
            + "GET /a"
            + HOST
            + "\r\n");
    proxy.clientEnds();
    world.runUntil(proxy::clientSawEnd);
    SimConnection other = from("192.0.2.9");
    other.clientSends("GET /a" + HOST + "X-Forwarded-For: 192.0.2.1\r\n\r\n");
    other.clientEnds();
    world.runUntil(other::clientSawEnd);
    List<String> lines = lines();
    assertTrue(lines.get(0).startsWith("192.0.2.1 - - "), lines::toString);
    assertTrue(lines.get(1).startsWith("192.0.2.2 - alice "), lines::toString);
    assertTrue(lines.get(2).startsWith("10.0.0.7 - - "), lines::toString);
    assertTrue(lines.get(3).startsWith("192.0.2.9 - - "), lines::toString);
  }

  @Test
  void aProxyMayHaveMoreConnectionsThanAClient() throws IOException {
    List<SimConnection> proxied = List.of(from("10.0.0.7"), from("10.0.0.7"), from("10.0.0.7"));
    for (SimConnection one : proxied) {
      one.clientSends("GET /a" + HOST + "\r\n");
      one.clientEnds();
      world.runUntil(one::clientSawEnd);
      assertTrue(one.clientGotText().startsWith("HTTP/1.1 200"), one::clientGotText);
    }
  }

  /** RFC 9110, section 7.4: over TLS, or from a trusted proxy, which ended TLS. */
  @ParameterizedTest
  @CsvSource({"10.0.0.7, false, 200", "192.0.2.9, false, 421", "192.0.2.9, true, 200"})
  void httpsIsAskedForOverTlsOrByAProxy(String address, boolean secure, int status)
      throws IOException {
    SimConnection asking = from(address);
    asking.secure = secure;
    asking.clientSends("GET https://files.example/a" + HOST + "\r\n");
    asking.clientEnds();
    world.runUntil(asking::clientSawEnd);
    assertTrue(asking.clientGotText().startsWith("HTTP/1.1 " + status), asking::clientGotText);
  }

  @Test
  void failuresToLogInCountForTheClientOfAProxy() throws IOException {
    SimConnection proxy = from("10.0.0.7");
    StringBuilder wrong = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      wrong.append(
          "GET /a" + HOST + "X-Forwarded-For: 192.0.2.1\r\nAuthorization: Bearer x\r\n\r\n");
    }
    wrong.append("GET /a" + HOST + "X-Forwarded-For: 192.0.2.2\r\nAuthorization: Bearer x\r\n\r\n");
    long begin = world.clock.monotonicNanos();
    proxy.clientSends(wrong.toString());
    proxy.clientEnds();
    world.runUntil(proxy::clientSawEnd);
    assertTrue(world.clock.monotonicNanos() - begin < 900_000_000L, "nobody has waited");
    assertEquals(11, world.metrics().of(HttpCount.REFUSED_LOGINS));
  }
}
