package dev.upcall.httpd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.UpcallException;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.guard.AccessRules;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.guarding.FailedLogins;
import dev.upcall.httpd.tls.SimTls;
import dev.upcall.httpd.tls.TlsState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many clients, slow, fast, rude and broken, over a site that is slow and fails: whatever happens,
 * what a client gets is a prefix of what it should get, and nothing is held at the end. A failure
 * prints its seed.
 */
@ExtendWith(BufferLeakCheck.class)
class HttpSessionSimTest {
  private static final int SEEDS = 200;
  private static final int TLS_SEEDS = 100;
  private static final int LARGEST_BODY = 200_000;

  /** Rules that refuse nothing; credentials that nobody has are refused all the same. */
  private static final HttpPolicy ALL_ALLOWED =
      HttpPolicy.OPEN.withAccess(
          UpcallException.value(
              AccessRules.parse(
                  "rules", "allow read / anyone\nallow list / anyone\nallow write / anyone")));

  private static final Expectation STRANGER =
      new Expectation(
          "GET /f0 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer nobody\r\n\r\n", false, 401, null);

  /** A server that closes before its store has answered. */
  private static final HttpConfig.Timeouts HURRIED =
      new HttpConfig.Timeouts(
          new HttpConfig.Receiving(200_000_000L, 100_000_000L, 50_000_000L, 200_000_000L),
          new HttpConfig.Sending(100_000_000L, 20_000_000L, 10_000_000L),
          0,
          1_000_000L);

  /**
   * One request and what its answer must be if nothing fails.
   *
   * @param own the file of this client alone that it is about; its answer depends on what was
   *     answered before
   * @param put what it wants to be there afterwards
   */
  private record Expectation(
      String request, boolean head, int status, byte[] body, String own, byte[] put) {
    Expectation(String request, boolean head, int status, byte[] body) {
      this(request, head, status, body, null, null);
    }

    boolean deletes() {
      return own != null && request.startsWith("DELETE");
    }
  }

  private static final class Client {
    final SimConnection connection;
    final List<Expectation> expectations = new ArrayList<>();
    final Map<String, byte[]> files = new TreeMap<>();
    boolean garbage;

    Client(SimConnection connection) {
      this.connection = connection;
    }
  }

  @Test
  void everyClientGetsAPrefixOfWhatItShouldGet() {
    TransitionCoverage coverage = new TransitionCoverage();
    for (long seed = 1; seed <= SEEDS; seed++) {
      run(seed, coverage);
    }
    coverage.assertAllTaken(HttpSessionState.TRANSITIONS);
  }

  @Test
  void aSeedGivesTheSameRunTwice() {
    for (long seed = 1; seed <= 20; seed++) {
      assertEquals(
          run(seed, new TransitionCoverage()), run(seed, new TransitionCoverage()), "seed " + seed);
    }
  }

  /** The engine's draws are not from the seed, so only the outcome is judged. */
  @Test
  void everyClientGetsAPrefixOfWhatItShouldGetOverTls() {
    TransitionCoverage coverage = new TransitionCoverage();
    for (long seed = 1; seed <= TLS_SEEDS; seed++) {
      try {
        new Run(seed, /* tls= */ true).run(coverage);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertTrue(coverage.missing(TlsState.TRANSITIONS).size() < 10, "moves of TLS connections");
  }

  /** Runs one seed and gives back a hash of all that its clients got. */
  private static long run(long seed, TransitionCoverage coverage) {
    try {
      return new Run(seed, /* tls= */ false).run(coverage);
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  private static final class Run {
    private final SplittableRandom random;
    private final SessionWorld world;
    private final List<byte[]> contents = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final boolean faults;
    private final boolean hurried;

    /** Draws whether callers are judged, and which of them bring credentials that nobody has. */
    private final SplittableRandom callers;

    private final boolean judged;

    /** The draws for TLS; null without it. */
    private final @Nullable SplittableRandom tlsDraws;

    Run(long seed, boolean tls) {
      random = new SplittableRandom(seed);
      callers = new SplittableRandom(seed * 31);
      judged = callers.nextInt(4) == 0;
      HttpConfig config =
          HttpConfig.defaults()
              .withListingPageEntries(1 + random.nextInt(200))
              .withWritable(true)
              .withMaxBodyBytes(LARGEST_BODY)
              .withPolicy(judged ? ALL_ALLOWED : HttpPolicy.OPEN);
      hurried = random.nextInt(6) == 0;
      if (random.nextInt(4) == 0) {
        config = config.withMaxLeasedBytes(1 + random.nextInt(200_000));
      }
      if (hurried) {
        config = config.withTimeouts(HURRIED);
      }
      world =
          new SessionWorld(
              seed,
              (random.nextInt(8) == 0 ? config.withMaxConnections(2) : config)
                  .withAdmission(admission(seed)));
      faults = random.nextBoolean();
      tlsDraws = tls ? new SplittableRandom(seed ^ 0x715) : null;
      if (tlsDraws != null) {
        SimTls.under(world, config, tlsDraws.split());
      }
    }

    /** Often a limit, now and then with a line so short that requests are turned away. */
    private static HttpConfig.Admission admission(long seed) {
      SplittableRandom draws = new SplittableRandom(~seed);
      int inside = Math.max(0, draws.nextInt(6) - 2);
      return draws.nextInt(4) == 0
          ? new HttpConfig.Admission(
              inside, draws.nextInt(3), 1 + draws.nextInt(2), 1 + draws.nextInt(500_000_000))
          : HttpConfig.Admission.of(inside);
    }

    long run(TransitionCoverage coverage) {
      fillSite();
      int count = 1 + random.nextInt(5);
      for (int i = 0; i < count; i++) {
        clients.add(client());
      }
      world.runFor(random.nextLong(1, 200_000_000));
      if (random.nextInt(4) == 0) {
        world.runFor(random.nextLong(1, 100_000_000_000L));
      }
      world.close();
      long hash = 17;
      for (Client client : clients) {
        client.connection.clientReadsAll();
        assertTrue(client.connection.closedReported());
        check(client);
        hash = hash * 31 + Arrays.hashCode(client.connection.clientGot());
      }
      coverage.add(world.dispatcher.recorder());
      return hash;
    }

    private void fillSite() {
      for (int i = 0; i < 6; i++) {
        int bound = i < 3 ? 5_000 : 400_000;
        byte[] bytes = new byte[random.nextInt(bound)];
        for (int j = 0; j < bytes.length; j++) {
          bytes[j] = (byte) random.nextInt();
        }
        contents.add(bytes);
        world.site.file("/f" + i, bytes);
      }
      world.site.directory("/d");
      int names = random.nextInt(2) == 0 ? random.nextInt(400) : 0;
      for (int i = 0; i < names; i++) {
        String name = "/d/n" + i + "x".repeat(random.nextInt(240));
        if (random.nextInt(4) == 0) {
          world.site.link(name, "/f" + random.nextInt(8));
        } else {
          world.site.file(name, "");
        }
      }
      world.siteDelayNanos = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(1_000_000);
      if (hurried) {
        world.siteDelayNanos = 50_000_000;
      }
      int hits = random.nextInt(101);
      world.site.resident = offset -> random.nextInt(100) < hits;
      if (faults) {
        world.site.openFails = path -> random.nextInt(20) == 0;
        world.site.readFails = offset -> random.nextInt(20) == 0;
        world.site.listFails = after -> random.nextInt(4) == 0;
        world.site.changes.appendFails = () -> random.nextInt(20) == 0;
        world.site.changes.commitFails = () -> random.nextInt(10) == 0;
      }
    }

    private Client client() {
      Client client =
          new Client(world.connect(1 + random.nextInt(random.nextBoolean() ? 100 : 100_000)));
      StringBuilder requests = new StringBuilder();
      int strangers = judged ? callers.nextInt(2 * FailedLogins.MAX_IN_MINUTE) : 0;
      for (int i = 0; i < strangers; i++) {
        client.expectations.add(STRANGER);
        requests.append(STRANGER.request());
      }
      int count = random.nextInt(12);
      for (int i = 0; i < count; i++) {
        Expectation next = random.nextBoolean() ? expectation() : change();
        client.expectations.add(next);
        requests.append(next.request());
      }
      if (random.nextInt(6) == 0) {
        client.garbage = true;
        requests.append(random.nextBoolean() ? "GET /a b\r\n\r\n" : "GET /hal");
      } else if (random.nextInt(3) == 0 && !requests.isEmpty()) {
        client.garbage = true;
        requests.setLength(random.nextInt(requests.length()));
      }
      SimConnection connection = client.connection;
      if (tlsDraws != null) {
        SimTlsClient talk = SimTls.client(tlsDraws.nextBoolean() ? "TLSv1.3" : "TLSv1.2");
        talk.saysEnd = tlsDraws.nextBoolean();
        connection.clientTalks(talk);
      }
      byte[] bytes = requests.toString().getBytes(StandardCharsets.ISO_8859_1);
      connection.clientSends(bytes, 1 + random.nextInt(300));
      switch (random.nextInt(4)) {
        case 0 -> connection.clientReadsAll();
        case 1 ->
            connection.clientKeepsReading(1 + random.nextInt(50_000), 1 + random.nextInt(500_000));
        case 2 -> {
          int later = random.nextInt(100_000_000);
          world.reactor.after(later, connection::clientReadsAll);
        }
        default -> {} // never reads
      }
      switch (random.nextInt(4)) {
        case 0 -> connection.clientEnds();
        case 1 -> world.reactor.after(random.nextInt(20_000_000), connection::reset);
        case 2 -> world.reactor.after(random.nextInt(3_000_000), connection::reset);
        default -> {} // stays
      }
      return client;
    }

    private Expectation expectation() {
      int file = random.nextInt(contents.size());
      byte[] content = contents.get(file);
      String rest =
          " HTTP/1.1\r\nHost: a\r\n"
              + (random.nextInt(15) == 0 ? "Connection: close\r\n\r\n" : "\r\n");
      return switch (random.nextInt(12)) {
        case 0 -> new Expectation("HEAD /f" + file + rest, true, 200, new byte[0]);
        case 1 ->
            new Expectation("GET /missing" + rest, false, 404, text("/missing does not exist\n"));
        case 2 ->
            new Expectation(
                "GET /d" + rest,
                false,
                301,
                text("the path of a directory ends with a slash: /d/\n"));
        case 9, 10 -> part(file, content, rest);
        case 11 ->
            new Expectation(
                "GET /d/?limit=" + (1 + random.nextInt(200)) + json(rest), false, 200, null);
        case 3, 8 -> new Expectation("GET /d/" + rest, false, 200, null);
        case 4 ->
            new Expectation("POST /f" + file + rest, false, 405, text("POST is not served here\n"));
        default -> new Expectation("GET /f" + file + rest, false, 200, content);
      };
    }

    /** Something about a file that no other client touches. */
    private Expectation change() {
      String own = "/own" + clients.size() + "/" + random.nextInt(2);
      String host =
          " HTTP/1.1\r\nHost: a\r\n" + (random.nextInt(15) == 0 ? "Connection: close\r\n" : "");
      if (random.nextInt(5) == 0) {
        return new Expectation("DELETE " + own + host + "\r\n", false, 0, null, own, null);
      }
      if (random.nextInt(3) == 0) {
        return new Expectation("GET " + own + host + "\r\n", false, 0, null, own, null);
      }
      byte[] body = new byte[random.nextInt(random.nextInt(4) == 0 ? LARGEST_BODY + 99 : 700)];
      random.nextBytes(body);
      String text = new String(body, StandardCharsets.ISO_8859_1);
      String put = random.nextInt(10) == 0 ? "PUT /d" : "PUT " + own;
      put += host + (random.nextInt(4) == 0 ? "Expect: 100-continue\r\n" : "");
      if (random.nextBoolean()) {
        put += "Content-Length: " + body.length + "\r\n\r\n" + text;
      } else {
        int cut = random.nextInt(body.length + 1);
        put += "Transfer-Encoding: chunked\r\n\r\n" + chunk(text.substring(0, cut));
        put += chunk(text.substring(cut)) + "0\r\n\r\n";
      }
      if (put.startsWith("PUT /d")) {
        int status = body.length > LARGEST_BODY && put.contains("Length") ? 413 : 409;
        return new Expectation(put, false, status, null);
      }
      return body.length > LARGEST_BODY
          ? new Expectation(put, false, 413, null)
          : new Expectation(put, false, 0, null, own, body);
    }

    private static String chunk(String text) {
      return text.isEmpty() ? "" : Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    /** What the answer must be, after all that was answered before; and what it makes of it. */
    private static Expectation known(Expectation asked, Map<String, byte[]> files) {
      byte[] before = files.get(asked.own());
      if (asked.put() != null) {
        return new Expectation(asked.request(), false, before == null ? 201 : 204, new byte[0]);
      }
      if (asked.deletes()) {
        return new Expectation(asked.request(), false, before == null ? 404 : 204, null);
      }
      return new Expectation(asked.request(), false, before == null ? 404 : 200, before);
    }

    private static void apply(Expectation answered, Map<String, byte[]> files) {
      if (answered.put() != null) {
        files.put(answered.own(), answered.put());
      } else if (answered.deletes()) {
        files.remove(answered.own());
      }
    }

    /** What was acknowledged is there, wholly; what was not is there wholly or not at all. */
    private void checkFiles(Client client, int answered) {
      List<Expectation> open =
          client.expectations.subList(
              Math.min(answered, client.expectations.size()), client.expectations.size());
      for (Expectation asked : client.expectations) {
        if (asked.own() == null) {
          continue;
        }
        byte[] now = world.site.info(asked.own()) == null ? null : world.site.content(asked.own());
        byte[] known = client.files.get(asked.own());
        boolean explained = now == null ? known == null : Arrays.equals(now, known);
        for (Expectation perhaps : open) {
          if (asked.own().equals(perhaps.own())) {
            explained |= perhaps.put() != null && Arrays.equals(now, perhaps.put());
            explained |= perhaps.deletes() && now == null;
          }
        }
        assertTrue(explained, "content of " + asked.own());
      }
    }

    private Expectation part(int file, byte[] content, String rest) {
      int first = random.nextInt(content.length + 1);
      int end = Math.min(content.length, first + 1 + random.nextInt(200_000));
      String range = "Range: bytes=" + first + "-" + (end - 1 + (end == first ? 1 : 0)) + "\r\n";
      String request = "GET /f" + file + rest.substring(0, rest.length() - 2) + range + "\r\n";
      return first == content.length
          ? new Expectation(request, false, 416, text("416 Range Not Satisfiable\n"))
          : new Expectation(request, false, 206, Arrays.copyOfRange(content, first, end));
    }

    private static String json(String rest) {
      return rest.substring(0, rest.length() - 2) + "Accept: application/json\r\n\r\n";
    }

    private static byte[] text(String ascii) {
      return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    private void check(Client client) {
      List<Expectation> expected = client.expectations;
      List<Response> got =
          Responses.parse(
              client.connection.clientGot(),
              n -> n < expected.size() && expected.get(n).head(),
              true);
      for (int i = 0; i < got.size(); i++) {
        Response response = got.get(i);
        boolean last = i == got.size() - 1;
        assertTrue(last || response.complete(), "only the last may be cut");
        if (last && (response.status() == 503 || response.status() == 408)) {
          checkFiles(client, i);
          return;
        }
        if (last && client.garbage && response.status() == 400) {
          checkFiles(client, i);
          return;
        }
        if (i == expected.size()) {
          assertTrue(client.garbage && last && response.status() == 400, "" + response.status());
          continue;
        }
        Expectation wanted = expected.get(i);
        if (faults && response.status() == 500) {
          continue;
        }
        if (wanted.own() != null) {
          Expectation asked = wanted;
          wanted = known(asked, client.files);
          apply(asked, client.files);
        }
        assertEquals(wanted.status(), response.status());
        byte[] body = response.body();
        if (wanted.body() != null) {
          assertTrue(body.length <= wanted.body().length);
          assertTrue(Arrays.equals(body, Arrays.copyOf(wanted.body(), body.length)), "prefix");
          assertEquals(response.complete(), wanted.body().length == body.length);
        }
        if ("close".equals(response.header("Connection"))) {
          assertTrue(last, "nothing follows the last response");
        }
      }
      checkFiles(client, got.size());
    }
  }
}
