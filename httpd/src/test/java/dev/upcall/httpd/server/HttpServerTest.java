package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.LiveServer;
import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.ServerKind;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;

/** The server over real sockets: sessions on each transport that this machine has, and threads. */
@ExtendWith(BufferLeakCheck.class)
class HttpServerTest {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n\r\n";

  private LiveServer server;

  private void open(ServerKind kind) {
    open(kind, HttpConfig.defaults());
  }

  private void open(ServerKind kind, HttpConfig config) {
    server = new LiveServer(kind, config);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private List<Response> exchange(String requests) throws IOException {
    return Responses.parse(server.raw(requests), n -> requests.startsWith("HEAD"), true);
  }

  @ParameterizedTest
  @EachEngine
  void theLibrarysClient(ServerKind kind) throws Exception {
    open(kind);
    byte[] bytes = noise(5_000_001);
    server.call(() -> server.site.file("/large.bin", bytes));
    server.call(() -> server.site.file("/é.txt", "name"));
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build()) {
      for (int i = 0; i < 3; i++) {
        HttpResponse<byte[]> large = get(client, "/large.bin", BodyHandlers.ofByteArray());
        assertArrayEquals(bytes, large.body());
        assertEquals(404, get(client, "/x", BodyHandlers.discarding()).statusCode());
      }
      assertEquals("name", get(client, "/%C3%A9.txt", BodyHandlers.ofString()).body());
      HttpResponse<String> page = get(client, "/", BodyHandlers.ofString());
      assertTrue(page.body().contains("%C3%A9.txt"));
      HttpRequest head = HttpRequest.newBuilder(uri("/large.bin")).HEAD().build();
      assertEquals(
          "5000001",
          client
              .send(head, BodyHandlers.discarding())
              .headers()
              .firstValue("content-length")
              .get());
      HttpRequest post =
          HttpRequest.newBuilder(uri("/x"))
              .POST(HttpRequest.BodyPublishers.ofString("body"))
              .build();
      assertEquals(405, client.send(post, BodyHandlers.discarding()).statusCode());
    }
    HttpMetrics metrics = server.metrics();
    assertEquals(1, metrics.of(HttpCount.ACCEPTED_CONNECTIONS), "the connection is kept");
    assertEquals(10, metrics.of(HttpCount.REQUESTS));
  }

  private <T> HttpResponse<T> get(
      HttpClient client, String path, HttpResponse.BodyHandler<T> handler) throws Exception {
    return client.send(HttpRequest.newBuilder(uri(path)).build(), handler);
  }

  @ParameterizedTest
  @EachEngine
  void rawExchanges(ServerKind kind) throws IOException {
    open(kind);
    server.call(() -> server.site.file("/a", "abc"));
    server.call(() -> server.site.directory("/d"));
    assertEquals("abc", exchange("GET /a HTTP/1.0\r\n\r\n").getFirst().text());
    assertEquals(3, exchange(("GET /a" + HOST).repeat(3)).size());
    assertEquals(0, exchange("HEAD /a" + HOST).getFirst().body().length);
    assertEquals("/d/", exchange("GET /d" + HOST).getFirst().header("Location"));
    for (String bad :
        List.of("/../a", "/%2e%2e/a", "/d/%2e%2e%2f%2e%2e/a", "/a%00", "/%c0%ae/", "a")) {
      assertEquals(400, exchange("GET " + bad + HOST).getFirst().status(), bad);
    }
    assertEquals(400, exchange("\0\1\2\3\r\n\r\n").getFirst().status());
    assertEquals(405, exchange("PUT /a" + HOST).getFirst().status());
    assertEquals(0, exchange("").size());
    assertEquals(414, exchange("GET /" + "x".repeat(100_000) + HOST).getFirst().status());
  }

  @ParameterizedTest
  @EachEngine
  void manyPipelinedRequests(ServerKind kind) throws IOException {
    open(kind);
    byte[] bytes = noise(10_000);
    server.call(() -> server.site.file("/a", bytes));
    int requests = 2_000;
    try (Socket socket = server.connect()) {
      byte[] all = ("GET /a" + HOST).repeat(requests).getBytes(StandardCharsets.US_ASCII);
      Thread writer = Thread.startVirtualThread(() -> writeAll(socket, all));
      List<Response> responses =
          Responses.parse(socket.getInputStream().readAllBytes(), n -> false, true);
      assertEquals(requests, responses.size());
      assertTrue(responses.stream().allMatch(r -> Arrays.equals(bytes, r.body())));
      assertTrue(writer.join(java.time.Duration.ofSeconds(120)));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertTrue(server.call(() -> server.site.leasedBytesMost) <= 256 << 10);
  }

  private static void writeAll(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EachEngine
  void aReaderThatStopsHoldsNobodyUp(ServerKind kind) throws IOException {
    open(kind);
    byte[] bytes = noise(20_000_000);
    server.call(() -> server.site.file("/large", bytes));
    server.call(() -> server.site.file("/small", "small"));
    List<Socket> stopped = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket socket = server.connect();
      stopped.add(socket);
      socket.getOutputStream().write(("GET /large" + HOST).getBytes(StandardCharsets.US_ASCII));
      assertEquals('H', socket.getInputStream().read());
    }
    assertEquals("small", exchange("GET /small" + HOST).getFirst().text());
    assertTrue(
        server.call(() -> server.site.leasedBytesMost)
            <= 20L * HttpConfig.Responses.DEFAULT.contentBytes() + 100);
    Socket goesOn = stopped.removeLast();
    InputStream in = goesOn.getInputStream();
    goesOn.shutdownOutput();
    byte[] rest = in.readAllBytes();
    assertArrayEquals(bytes, Arrays.copyOfRange(rest, rest.length - bytes.length, rest.length));
    for (Socket socket : stopped) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
    assertEquals(19, server.metrics().of(HttpCount.BROKEN_RESPONSES));
  }

  @ParameterizedTest
  @EachEngine
  void aReaderThatStopsIsDroppedInTime(ServerKind kind) throws IOException {
    long ms = 1_000_000L;
    open(
        kind,
        HttpConfig.defaults()
            .withTimeouts(
                new HttpConfig.Timeouts(
                    HttpConfig.Timeouts.DEFAULT.receiving(),
                    new HttpConfig.Sending(300 * ms, 300 * ms, 100 * ms),
                    0,
                    50 * ms)));
    server.call(() -> server.site.file("/large", noise(20_000_000)));
    List<Socket> stopped = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Socket socket = server.connect();
      stopped.add(socket);
      socket.getOutputStream().write(("GET /large" + HOST).getBytes(StandardCharsets.US_ASCII));
      assertEquals('H', socket.getInputStream().read());
    }
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
    assertEquals(5, server.metrics().of(HttpCount.TIMEOUTS));
    for (Socket socket : stopped) {
      socket.close();
    }
  }

  @ParameterizedTest
  @EachEngine
  void anEndWithoutPatienceCutsDownloads(ServerKind kind) throws IOException {
    HttpConfig.Timeouts usual = HttpConfig.Timeouts.DEFAULT;
    open(
        kind,
        HttpConfig.defaults()
            .withTimeouts(
                new HttpConfig.Timeouts(
                    usual.receiving(), usual.sending(), 0, usual.sweepNanos())));
    server.call(() -> server.site.file("/large", noise(20_000_000)));
    try (Socket stopped = server.connect()) {
      stopped.getOutputStream().write(("GET /large" + HOST).getBytes(StandardCharsets.US_ASCII));
      assertEquals('H', stopped.getInputStream().read());
      server.closeServer(); // does not wait for it
      assertEquals(1, server.metrics().of(HttpCount.CUT_DOWNLOADS));
    }
    server.close();
    open(kind);
  }

  @ParameterizedTest
  @EachEngine
  void clientsThatGoAwayInTheMiddle(ServerKind kind) throws IOException {
    open(kind);
    server.call(() -> server.site.file("/large", noise(5_000_000)));
    Random random = new Random(5);
    for (int i = 0; i < 60; i++) {
      try (Socket socket = server.connect()) {
        socket.getOutputStream().write(("GET /large" + HOST).getBytes(StandardCharsets.US_ASCII));
        int read = random.nextInt(1_000_000);
        socket.getInputStream().readNBytes(read);
        socket.setSoLinger(true, i % 2 == 0 ? 0 : 1);
      }
    }
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
  }

  @ParameterizedTest
  @EachEngine
  void fiveHundredConnectionsKeptAlive(ServerKind kind) throws IOException {
    open(kind);
    server.call(() -> server.site.file("/a", noise(8192)));
    byte[] request = ("GET /a" + HOST).getBytes(StandardCharsets.US_ASCII);
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 500; i++) {
        sockets.add(server.connect());
      }
      for (int round = 0; round < 3; round++) {
        for (Socket socket : sockets) {
          socket.getOutputStream().write(request);
        }
        for (Socket socket : sockets) {
          readOne(socket.getInputStream(), 8192);
        }
      }
      assertEquals(500, server.metrics().of(HttpCount.OPEN_CONNECTIONS));
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
    assertEquals(1500, server.metrics().responses(2));
  }

  private static void readOne(InputStream in, int size) throws IOException {
    int seen = 0;
    for (int newlines = 0; newlines < 2; ) {
      int c = in.read();
      newlines = c == '\n' ? newlines + 1 : c == '\r' ? newlines : 0;
      assertTrue(c >= 0 && seen++ < 1000);
    }
    assertArrayEquals(noise(size), in.readNBytes(size));
  }

  @ParameterizedTest
  // Those of several dispatchers do not count in one place: HttpThreadsTest looks at them.
  @EachEngine(except = {"DISPATCHERS", "EPOLL_DISPATCHERS"})
  void connectionsOverTheLimit(ServerKind kind) throws IOException {
    open(kind, HttpConfig.defaults().withMaxConnections(3));
    server.call(() -> server.site.file("/a", "abc"));
    List<Socket> kept = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      kept.add(server.connect());
    }
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 3);
    String refused = new String(server.raw("GET /a" + HOST), StandardCharsets.US_ASCII);
    assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
    kept.removeFirst().close();
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 2);
    assertEquals("abc", exchange("GET /a" + HOST).getFirst().text());
    for (Socket socket : kept) {
      socket.close();
    }
  }

  @ParameterizedTest
  // Those of several dispatchers do not count in one place: HttpThreadsTest looks at them.
  @EachEngine(except = {"DISPATCHERS", "EPOLL_DISPATCHERS"})
  void whatOneAddressMayHave(ServerKind kind) throws IOException {
    HttpConfig.Admission oneUpload = new HttpConfig.Admission(0, 1, 100, 20_000_000_000L);
    open(
        kind,
        HttpConfig.defaults()
            .withWritable(true)
            .withMaxConnectionsOfAddress(3)
            .withAdmission(oneUpload));
    String put = "PUT /%s HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n%s";
    Socket first = server.connect();
    first.getOutputStream().write(put.formatted("a", "x").getBytes(StandardCharsets.US_ASCII));
    server.await(metrics -> metrics.of(HttpCount.UPLOADS_BEGUN) == 1);
    Socket second = server.connect();
    second.getOutputStream().write(put.formatted("b", "xy").getBytes(StandardCharsets.US_ASCII));
    Socket third = server.connect();
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 3);
    String refused = new String(server.raw("GET /a" + HOST), StandardCharsets.US_ASCII);
    assertTrue(refused.startsWith("HTTP/1.1 503 ") && refused.contains("your address"), refused);
    assertEquals(1, server.metrics().of(HttpCount.REFUSED_OF_ADDRESS));
    assertEquals(1, server.metrics().of(HttpCount.UPLOADS_BEGUN), "the other waits for its place");
    first.getOutputStream().write('y');
    server.await(metrics -> metrics.of(HttpCount.UPLOADS_COMMITTED) == 2);
    first.close();
    second.close();
    third.close();
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
  }

  @ParameterizedTest
  @EachEngine
  void closingWhileClientsAreConnected(ServerKind kind) throws Exception {
    open(kind);
    byte[] bytes = noise(3_000_000);
    server.call(() -> server.site.file("/large", bytes));
    Socket idle = server.connect();
    Socket busy = server.connect();
    busy.getOutputStream().write(("GET /large" + HOST).getBytes(StandardCharsets.US_ASCII));
    assertEquals('H', busy.getInputStream().read());
    CompletableFuture<byte[]> rest =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return busy.getInputStream().readAllBytes();
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    server.close();
    assertEquals(-1, idle.getInputStream().read());
    byte[] got = rest.get();
    assertArrayEquals(bytes, Arrays.copyOfRange(got, got.length - bytes.length, got.length));
    idle.close();
    busy.close();
    open(kind);
  }
}
