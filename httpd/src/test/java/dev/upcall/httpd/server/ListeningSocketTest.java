package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.LiveServer;
import dev.upcall.httpd.ServerKind;
import dev.upcall.io.volume.NettyReactor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One address and two servers, of which the second takes over from the first. */
@ExtendWith(BufferLeakCheck.class)
class ListeningSocketTest {
  private static final HttpConfig CONFIG = HttpConfig.defaults();
  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** More than would go to one of two sockets by chance. */
  private static final int MANY = 40;

  private LiveServer first;
  private LiveServer second;
  private HttpServer serving;

  private static Stream<ServerKind> kinds() {
    return Stream.of(ServerKind.RING, ServerKind.EPOLL, ServerKind.NIO).filter(ServerKind::isHere);
  }

  private void open(ServerKind kind) {
    first = new LiveServer(kind, CONFIG);
    second = new LiveServer(kind, CONFIG);
    first.call(() -> first.site.file("/who", "first"));
    second.call(() -> second.site.file("/who", "second"));
    serving =
        first.request(
            port ->
                HttpServer.open(
                    CONFIG, first.dispatcher, first.reactor, first.site, ANYWHERE, port));
  }

  @AfterEach
  void close() {
    first.<Unit>request(serving::close);
    first.close();
    second.close();
  }

  private InetSocketAddress address() {
    return first.call(serving::address);
  }

  /** Whether it could; where not, the reason must be that the sockets are Java's. */
  private boolean isShared() {
    Optional<String> refusal = first.call(() -> serving.listening().share());
    boolean javas = first.reactor.transport() == NettyReactor.Transport.NIO;
    assertEquals(
        javas
            ? Optional.of("its sockets are Java's own: neither io_uring nor epoll is there")
            : Optional.empty(),
        refusal);
    return !javas;
  }

  private Completion<ListeningSocket> beside() {
    CompletableFuture<Completion<ListeningSocket>> bound = new CompletableFuture<>();
    InetSocketAddress address = address();
    second.dispatcher.execute(
        () ->
            ListeningSocket.bindBeside(
                CONFIG, second.dispatcher, second.reactor, Endpoint.of(address), bound::complete));
    return bound.join();
  }

  private ListeningSocket besideDone() {
    return beside() instanceof Completion.Done<ListeningSocket>(ListeningSocket socket)
        ? socket
        : org.junit.jupiter.api.Assertions.fail("not bound");
  }

  private List<Socket> ask(int count) throws IOException {
    List<Socket> clients = new ArrayList<>();
    InetSocketAddress address = address();
    for (int i = 0; i < count; i++) {
      Socket client = new Socket(address.getAddress(), address.getPort());
      clients.add(client);
      client
          .getOutputStream()
          .write(
              "GET /who HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
    }
    return clients;
  }

  private static void assertAnswered(String who, List<Socket> clients) throws IOException {
    for (Socket client : clients) {
      try (client) {
        String answer =
            new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertTrue(answer.endsWith("\r\n\r\n" + who), answer);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anAddressIsSharedOnlyByWhoWantsThat(ServerKind kind) {
    open(kind);
    assertTrue(
        beside() instanceof Completion.Failed<ListeningSocket>(Failure.Device why)
            && why.detail().contains("in use"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatBeginsWaitsForTheSecondAndWhatHadBegunIsServedByTheFirst(ServerKind kind)
      throws IOException {
    open(kind);
    if (!isShared()) {
      return;
    }
    first.call(
        () -> {
          serving.listening().accepting(false);
          return true;
        });
    // An accept that is under way in the ring takes one more.
    List<Socket> before = ask(1 + MANY);
    while (first.call(() -> serving.listening().waiting()) < MANY) {
      Thread.onSpinWait();
    }
    ListeningSocket socket = besideDone();
    List<Socket> after = ask(MANY);
    while (second.call(socket::waiting) < MANY) {
      Thread.onSpinWait();
    }
    first.call(
        () -> {
          serving.listening().accepting(true);
          return true;
        });
    assertAnswered("first", before);
    assertEquals(0, first.call(() -> serving.listening().waiting()));
    first.<Unit>request(serving::close);
    after.addAll(ask(MANY));
    HttpServer next =
        second.request(
            port -> HttpServer.open(CONFIG, second.dispatcher, second.site, socket, port));
    assertAnswered("second", after);
    second.<Unit>request(next::close);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theFirstCanTakeItBackFromOneThatHangs(ServerKind kind) throws IOException {
    open(kind);
    if (isShared()) {
      takeBack(); // from nobody
      assertAnswered("first", ask(1));
      ListeningSocket socket = besideDone();
      takeBack();
      assertAnswered("first", ask(MANY));
      assertEquals(0, second.call(socket::waiting));
    }
  }

  private void takeBack() {
    first.call(
        () -> {
          serving.listening().takeBack();
          return true;
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aSecondThatGoesLeavesAllToTheFirst(ServerKind kind) throws IOException {
    open(kind);
    if (isShared()) {
      ListeningSocket socket = besideDone();
      second.<Unit>request(socket::close);
      assertAnswered("first", ask(MANY));
      assertNotNull(besideDone(), "another one can try");
    }
  }
}
