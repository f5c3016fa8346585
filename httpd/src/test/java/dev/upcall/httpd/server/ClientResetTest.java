package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.LiveServer;
import dev.upcall.httpd.ServerKind;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Clients that reset their connection in the middle of a PUT, over real sockets: connection and
 * upload are given back long before a time-out would.
 */
@ExtendWith(BufferLeakCheck.class)
class ClientResetTest {
  private static final String HEAD =
      "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n";
  private static final int CLIENTS = 60;

  private LiveServer server;

  private void open(ServerKind kind) {
    server = new LiveServer(kind, HttpConfig.defaults().withWritable(true));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Socket sends(String text) throws IOException {
    Socket socket = server.connect();
    socket.setTcpNoDelay(true);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  private static void reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Of that many clients, who may all be gone before the first of them is accepted. */
  private void allIsGivenBack(int clients) {
    server.await(
        metrics ->
            metrics.of(HttpCount.ACCEPTED_CONNECTIONS) == clients
                && metrics.of(HttpCount.OPEN_CONNECTIONS) == 0);
    HttpMetrics metrics = server.metrics();
    assertEquals(metrics.of(HttpCount.UPLOADS_BEGUN), metrics.of(HttpCount.UPLOADS_ENDED));
    assertEquals(0, metrics.of(HttpCount.TIMEOUTS));
  }

  @ParameterizedTest
  @EachEngine
  void rightBehindTheHead(ServerKind kind) throws IOException {
    open(kind);
    for (int i = 0; i < CLIENTS; i++) {
      reset(sends(HEAD));
    }
    allIsGivenBack(CLIENTS);
  }

  @ParameterizedTest
  @EachEngine
  void behindTheBeginningOfTheBody(ServerKind kind) throws IOException {
    open(kind);
    for (int i = 0; i < CLIENTS; i++) {
      reset(sends(HEAD + "x".repeat(i * 100)));
    }
    allIsGivenBack(CLIENTS);
  }

  @ParameterizedTest
  @EachEngine
  void whileTheBodyIsAwaited(ServerKind kind) throws IOException {
    open(kind);
    List<Socket> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(sends(HEAD + "x".repeat(i % 2 * 50)));
    }
    server.await(metrics -> metrics.of(HttpCount.UPLOADS_BEGUN) == CLIENTS);
    for (Socket client : clients) {
      reset(client);
    }
    allIsGivenBack(CLIENTS);
  }

  @ParameterizedTest
  @EachEngine
  void atAnyByteOfTheRequest(ServerKind kind) throws IOException {
    open(kind);
    String request = HEAD + "x".repeat(10);
    for (int cut = 1; cut < request.length(); cut++) {
      reset(sends(request.substring(0, cut)));
    }
    allIsGivenBack(request.length() - 1);
  }
}
