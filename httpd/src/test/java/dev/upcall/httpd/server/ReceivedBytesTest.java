package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.LiveServer;
import dev.upcall.httpd.ServerKind;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How much of what clients send is held while nobody wants it, over real sockets. */
@ExtendWith(BufferLeakCheck.class)
class ReceivedBytesTest {
  private static final int CLIENTS = 20;
  private static final int BODY_BYTES = 4 << 20;

  private LiveServer server;

  static Stream<ServerKind> kinds() {
    return Stream.of(ServerKind.RING, ServerKind.EPOLL, ServerKind.NIO).filter(ServerKind::isHere);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void eachClientIsReadAheadByLittle(ServerKind kind) throws Exception {
    HttpConfig.Admission oneUpload = new HttpConfig.Admission(0, 1, 100, 20_000_000_000L);
    server =
        new LiveServer(kind, HttpConfig.defaults().withWritable(true).withAdmission(oneUpload));
    Socket first = asks("/first");
    server.await(metrics -> metrics.of(HttpCount.UPLOADS_BEGUN) == 1);
    long beforeBytes = server.call(ReceivedBytesTest::usedBytes);
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Socket client = asks("/f" + i);
      clients.add(client);
      Thread.startVirtualThread(() -> send(client));
    }
    server.await(metrics -> metrics.of(HttpCount.WAITING_REQUESTS) == CLIENTS);
    long mostBytes = 0;
    for (int look = 0; look < 5_000; look++) {
      mostBytes = Math.max(mostBytes, server.call(ReceivedBytesTest::usedBytes) - beforeBytes);
    }
    for (Socket client : clients) {
      client.close();
    }
    first.close();
    long perClient = mostBytes / CLIENTS;
    assertTrue(perClient <= 512 << 10, perClient + " bytes for each client");
    server.await(metrics -> metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
  }

  private Socket asks(String path) throws IOException {
    Socket client = server.connect();
    String head =
        "PUT " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n";
    client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return client;
  }

  private static void send(Socket client) {
    try {
      client.getOutputStream().write(new byte[BODY_BYTES]);
    } catch (IOException closed) {
      if (!client.isClosed()) {
        throw new UncheckedIOException(closed);
      }
    }
  }

  private static long usedBytes() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }
}
