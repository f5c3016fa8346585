package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.session.HttpFuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What only real time and real threads show of the server of threads. */
@ExtendWith(BufferLeakCheck.class)
class ThreadServerTest {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";
  private static final HttpConfig WRITABLE = HttpConfig.defaults().withWritable(true);

  /** Times that are over at once, all but the one that a test is about. */
  private static HttpConfig.Timeouts times(
      long idleMillis, long headMillis, long bodyIdleMillis, long bodyMillis) {
    return new HttpConfig.Timeouts(
        new HttpConfig.Receiving(
            nanos(idleMillis), nanos(headMillis), nanos(bodyIdleMillis), nanos(bodyMillis)),
        new HttpConfig.Sending(nanos(60_000), nanos(60_000), nanos(100)),
        nanos(500),
        nanos(20));
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String rest(Socket socket) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    socket.getInputStream().transferTo(all);
    return all.toString(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void whoSaysNothingIsClosed(ServerKind kind) throws IOException {
    try (LiveServer server =
            new LiveServer(kind, WRITABLE.withTimeouts(times(200, 60_000, 60_000, 60_000)));
        Socket idle = server.connect()) {
      assertEquals("", rest(idle));
      server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
      assertEquals(0, server.metrics().of(HttpCount.REQUEST_TIMEOUTS));
      assertEquals(1, server.metrics().of(HttpCount.TIMEOUTS));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void halfAHeadIsTold(ServerKind kind) throws IOException {
    try (LiveServer server =
            new LiveServer(kind, WRITABLE.withTimeouts(times(60_000, 200, 60_000, 60_000)));
        Socket half = server.connect()) {
      write(half, "GET / HT");
      String told = rest(half);
      assertTrue(told.startsWith("HTTP/1.1 408 "), told);
      assertTrue(told.contains("\r\nConnection: close\r\n"), told);
      server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
      assertEquals(1, server.metrics().of(HttpCount.REQUEST_TIMEOUTS));
    }
  }

  /** Each byte comes in time, the whole does not. */
  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void dripsDoNotMakeAHead(ServerKind kind) throws IOException {
    try (LiveServer server =
            new LiveServer(kind, WRITABLE.withTimeouts(times(60_000, 300, 60_000, 60_000)));
        Socket dripping = server.connect()) {
      write(dripping, "GET / HTTP/1.1\r\nX: ");
      dripping.setSoTimeout(10);
      int first = -2;
      while (first == -2) {
        write(dripping, "x");
        first = readOrLate(dripping);
      }
      assertEquals('H', first);
    }
  }

  private static int readOrLate(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (java.net.SocketTimeoutException late) {
      return -2;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void bodiesThatDoNotComeAreTold(ServerKind kind) throws IOException {
    for (HttpConfig.Timeouts times :
        List.of(times(60_000, 60_000, 200, 60_000), times(60_000, 60_000, 60_000, 200))) {
      try (LiveServer server = new LiveServer(kind, WRITABLE.withTimeouts(times));
          Socket silent = server.connect()) {
        write(silent, "PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
        String told = rest(silent);
        assertTrue(told.startsWith("HTTP/1.1 408 "), told);
        server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
        assertEquals(1, server.metrics().of(HttpCount.REQUEST_TIMEOUTS));
        assertEquals(1, server.metrics().of(HttpCount.UPLOADS_ENDED));
        assertNull(server.call(() -> server.site.info("/a")));
        assertEquals(1, server.call(() -> server.site.changes.abandoned));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void leaveToSendComesBeforeTheBody(ServerKind kind) throws IOException {
    try (LiveServer server = new LiveServer(kind, WRITABLE);
        Socket socket = server.connect()) {
      write(socket, "PUT /a" + HOST + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
      byte[] leave = socket.getInputStream().readNBytes(25);
      String text = new String(leave, StandardCharsets.US_ASCII);
      assertEquals("HTTP/1.1 100 Continue\r\n\r\n", text);
      write(socket, "hello");
      socket.shutdownOutput();
      assertTrue(rest(socket).startsWith("HTTP/1.1 201 "));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void anUploadThatBreaksOffLeavesNothing(ServerKind kind) throws IOException {
    try (LiveServer server = new LiveServer(kind, WRITABLE)) {
      for (int i = 0; i < 20; i++) {
        try (Socket socket = server.connect()) {
          write(socket, "PUT /a" + HOST + "Content-Length: 500000\r\n\r\n" + "x".repeat(40_000));
          socket.setSoLinger(true, i % 2 == 0 ? 0 : 1);
        }
      }
      server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
      server.await(
          metrics -> metrics.of(HttpCount.UPLOADS_BEGUN) == metrics.of(HttpCount.UPLOADS_ENDED));
      assertEquals(0, server.metrics().of(HttpCount.UPLOADS_COMMITTED));
      assertNull(server.call(() -> server.site.info("/a")));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void stoppedReadersDoNotTakeWhatAllShare(ServerKind kind) throws IOException {
    HttpConfig.Timeouts pressed =
        new HttpConfig.Timeouts(
            HttpConfig.Timeouts.DEFAULT.receiving(),
            new HttpConfig.Sending(nanos(60_000), nanos(200), nanos(100)),
            nanos(100),
            nanos(20));
    HttpConfig little = HttpConfig.defaults().withMaxLeasedBytes(300_000).withTimeouts(pressed);
    List<Socket> stopped = new ArrayList<>();
    try (LiveServer server = new LiveServer(kind, little)) {
      byte[] large = new byte[20_000_000];
      server.call(() -> server.site.file("/large", large));
      for (int i = 0; i < 10; i++) {
        Socket socket = server.connect();
        stopped.add(socket);
        write(socket, "GET /large" + HOST + "\r\n");
      }
      // Those who are left hold all, or less: nobody presses who reads, however slowly.
      server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) <= 4);
      Responses.Response whole = server.exchange("GET /large" + HOST + "\r\n").getFirst();
      assertArrayEquals(large, whole.body());
      assertTrue(server.call(() -> server.site.leasedBytesMost) <= 300_000);
      assertTrue(server.metrics().of(HttpCount.TIMEOUTS) > 0, "some were given up");
    } finally {
      for (Socket socket : stopped) {
        socket.close();
      }
    }
  }

  /** More are neither served nor told: they wait in the kernel until somebody leaves. */
  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void thereAreNoMoreThreadsThanConnectionsAreAllowed(ServerKind kind) throws IOException {
    int allowed = 5;
    int told = 64;
    HttpConfig config = WRITABLE.withMaxConnections(allowed);
    List<Socket> sockets = new ArrayList<>();
    try (LiveServer server = new LiveServer(kind, config.withTimeouts(lingering()))) {
      for (int i = 0; i < allowed + told + 20; i++) {
        sockets.add(server.connect());
      }
      server.await(metrics -> metrics.of(HttpCount.REFUSED_CONNECTIONS) == told);
      server.await(metrics -> metrics.of(HttpCount.THREADS) == allowed + told);
      assertEquals(allowed + told, server.metrics().of(HttpCount.ACCEPTED_CONNECTIONS));
      for (Socket socket : sockets.subList(allowed, allowed + told)) {
        byte[] status = socket.getInputStream().readNBytes(13);
        assertEquals("HTTP/1.1 503 ", new String(status, StandardCharsets.US_ASCII));
        socket.close();
      }
      server.await(metrics -> metrics.of(HttpCount.ACCEPTED_CONNECTIONS) == allowed + told + 20);
      for (Socket socket : sockets) {
        socket.close();
      }
      server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
      assertEquals(404, server.exchange("GET /none" + HOST + "\r\n").getFirst().status());
    }
  }

  /** Those who were told stay until they have heard it. */
  private static HttpConfig.Timeouts lingering() {
    HttpConfig.Timeouts usual = HttpConfig.Timeouts.DEFAULT;
    return new HttpConfig.Timeouts(
        usual.receiving(),
        new HttpConfig.Sending(
            usual.sending().stuckNanos(), usual.sending().pressedNanos(), nanos(60_000)),
        nanos(100),
        usual.sweepNanos());
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void closingEndsWhoeverWaitsAndLeavesNoThread(ServerKind kind) throws IOException {
    LiveServer server =
        new LiveServer(kind, WRITABLE.withTimeouts(times(60_000, 60_000, 60_000, 60_000)));
    server.call(() -> server.site.file("/large", new byte[20_000_000]));
    try (Socket idle = server.connect();
        Socket inHead = server.connect();
        Socket inBody = server.connect();
        Socket takesNothing = server.connect()) {
      write(inHead, "GET / HTTP/1.1\r\nHost: a\r\n");
      write(inBody, "PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
      write(takesNothing, "GET /large" + HOST + "\r\n");
      assertEquals('H', takesNothing.getInputStream().read());
      server.await(
          metrics ->
              metrics.of(HttpCount.UPLOADS_BEGUN) == 1
                  && metrics.of(HttpCount.OPEN_CONNECTIONS) == 4);
      server.close();
      assertEquals("", rest(idle));
      assertEquals(0, server.metrics().of(HttpCount.OPEN_CONNECTIONS));
      assertEquals(0, server.metrics().of(HttpCount.THREADS));
      awaitNoThread();
    }
  }

  /** What a pool counts as ended may still be on its last instructions. */
  private static void awaitNoThread() {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!threadsOfServers().isEmpty()) {
      assertTrue(System.nanoTime() < deadlineNanos, () -> "left: " + threadsOfServers());
      Thread.onSpinWait();
    }
  }

  /** Virtual threads are not among them: those are counted. */
  private static List<String> threadsOfServers() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("upcall-http"))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void anUploadIsFinishedWhenTheServerCloses(ServerKind kind) throws Exception {
    LiveServer server = new LiveServer(kind, WRITABLE);
    try (Socket socket = server.connect()) {
      write(socket, "PUT /a" + HOST + "Content-Length: 5\r\n\r\nhel");
      server.await(metrics -> metrics.of(HttpCount.UPLOADS_BEGUN) == 1);
      Thread closer = Thread.startVirtualThread(server::close);
      while (!server.isClosing()) {
        Thread.onSpinWait();
      }
      write(socket, "lo");
      String answer = rest(socket);
      assertTrue(answer.startsWith("HTTP/1.1 201 "), answer);
      closer.join();
    }
  }

  /** Bytes that are no requests, and requests with bytes changed, over a real connection. */
  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void anyBytesGetAnAnswerOrAnEnd(ServerKind kind) throws IOException {
    try (LiveServer server = new LiveServer(kind, WRITABLE)) {
      server.call(() -> server.site.file("/f", "content"));
      server.call(() -> server.site.directory("/d"));
      for (int round = 0; round < 400; round++) {
        byte[] bytes = HttpFuzzTest.bytes(new SplittableRandom(round));
        String got = gotFor(server, new String(bytes, StandardCharsets.ISO_8859_1));
        assertTrue(got.isEmpty() || got.startsWith("HTTP/1.1 "), got);
      }
      server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
    }
  }

  /** A server that ends the connection first may make it break for a client that still sends. */
  private static String gotFor(LiveServer server, String bytes) {
    try {
      return new String(server.raw(bytes), StandardCharsets.ISO_8859_1);
    } catch (IOException broken) {
      return "";
    }
  }
}
