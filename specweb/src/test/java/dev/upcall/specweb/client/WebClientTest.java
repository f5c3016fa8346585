package dev.upcall.specweb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.load.Answer;
import dev.upcall.specweb.load.Fault;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The client over real sockets: right answers, and every kind of wrong one. */
@Timeout(180)
class WebClientTest {
  private static final FileSet.Entry SMALL = new FileSet.Entry(7, 0, 4);
  private static final FileSet.Entry LARGE = new FileSet.Entry(7, 3, 8);
  private static final long TIMEOUT_NANOS = 10_000_000_000L;
  private static final long SHORT_NANOS = 300_000_000;
  private static final long HOLD_NANOS = 5_000_000_000L;

  static Stream<Transport> transports() {
    return Stream.of(Transport.values()).filter(Transport::isAvailable);
  }

  private static ClientConfig config(int perConnection) {
    return new ClientConfig(perConnection, 1, TIMEOUT_NANOS, HOLD_NANOS, List.of());
  }

  private static List<Answer> ask(
      Transport transport, StubServer server, ClientConfig config, FileSet.Entry... entries)
      throws InterruptedException {
    return ask(transport, server.url(), config, entries);
  }

  /** Asks for one after the other. */
  private static List<Answer> ask(
      Transport transport, String url, ClientConfig config, FileSet.Entry... entries)
      throws InterruptedException {
    try (ClientLoop loop = new ClientLoop(transport)) {
      WebClient client = new WebClient(loop, Target.of(url), config);
      LinkedBlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
      List<Answer> all = new ArrayList<>();
      for (FileSet.Entry entry : entries) {
        loop.at(0, () -> client.get(entry, answers::add));
        all.add(answers.poll(120, TimeUnit.SECONDS));
      }
      loop.call(
          () -> {
            client.close();
            return true;
          });
      assertTrue(answers.isEmpty(), "one answer for each request");
      return all;
    }
  }

  private static void assertFault(Fault fault, StubServer.Manners manners)
      throws InterruptedException {
    try (StubServer server = new StubServer(manners)) {
      Answer answer = ask(Transport.best(), server, config(1), SMALL).getFirst();
      assertEquals(fault, answer.fault(), answer.detail());
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void oneRequestForEachConnection(Transport transport) throws InterruptedException {
    try (StubServer server = new StubServer()) {
      for (Answer answer : ask(transport, server, config(1), SMALL, LARGE, SMALL)) {
        assertNull(answer.fault(), answer.detail());
      }
      assertEquals(3, server.connections());
      assertTrue(server.requests().getFirst().contains(" HTTP/1.0\r\n"));
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void connectionsAreKeptForTheirRequests(Transport transport) throws InterruptedException {
    try (StubServer server = new StubServer()) {
      FileSet.Entry[] seven = {SMALL, LARGE, SMALL, SMALL, SMALL, LARGE, SMALL};
      for (Answer answer : ask(transport, server, config(3), seven)) {
        assertNull(answer.fault(), answer.detail());
      }
      assertEquals(3, server.connections());
      assertTrue(server.requests().get(2).contains("Connection: close"));
    }
    try (StubServer server = new StubServer()) {
      ask(transport, server, config(0), SMALL, LARGE, SMALL);
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void sourcesAreUsedInTurn(Transport transport) throws InterruptedException, UnknownHostException {
    List<InetAddress> sources =
        List.of(InetAddress.getByName("127.0.0.2"), InetAddress.getByName("127.0.0.3"));
    try (StubServer server = new StubServer()) {
      ClientConfig config = new ClientConfig(1, 1, TIMEOUT_NANOS, HOLD_NANOS, sources);
      for (Answer answer : ask(transport, server, config, SMALL, SMALL, SMALL)) {
        assertNull(answer.fault(), answer.detail());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void nobodyThereIsTold(Transport transport) throws IOException, InterruptedException {
    String url;
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      url = "http://127.0.0.1:" + unused.getLocalPort() + "/";
    }
    Answer answer = ask(transport, url, config(1), SMALL).getFirst();
    assertEquals(Fault.CONNECT, answer.fault(), answer.detail());
  }

  @Test
  void sourceThatIsNotOursIsTold() throws InterruptedException, UnknownHostException {
    List<InetAddress> foreign = List.of(InetAddress.getByName("192.0.2.7"));
    try (StubServer server = new StubServer()) {
      ClientConfig config = new ClientConfig(1, 1, TIMEOUT_NANOS, HOLD_NANOS, foreign);
      assertEquals(Fault.CONNECT, ask(Transport.best(), server, config, SMALL).getFirst().fault());
    }
  }

  @Test
  void wrongLengthIsTold() throws InterruptedException {
    assertFault(
        Fault.LENGTH,
        (request, out) -> {
          out.write(StubServer.response(request, request.entry().sizeBytes() - 1));
          return false;
        });
  }

  @Test
  void wrongByteIsTold() throws InterruptedException {
    assertFault(
        Fault.CONTENT,
        (request, out) -> {
          byte[] response = StubServer.response(request, request.entry().sizeBytes());
          response[response.length - 1] ^= 1;
          out.write(response);
          return false;
        });
  }

  @Test
  void notFoundIsTold() throws InterruptedException {
    assertFault(
        Fault.STATUS,
        (request, out) -> {
          out.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes());
          return false;
        });
  }

  @Test
  void earlyCloseIsTold() throws InterruptedException {
    assertFault(Fault.EARLY_CLOSE, (request, out) -> false);
    assertFault(
        Fault.EARLY_CLOSE,
        (request, out) -> {
          byte[] response = StubServer.response(request, request.entry().sizeBytes());
          out.write(response, 0, response.length - 10);
          return false;
        });
  }

  @Test
  void keptConnectionIsTold() throws InterruptedException {
    assertFault(
        Fault.HELD,
        (request, out) -> {
          String kept =
              new String(
                  StubServer.response(request, request.entry().sizeBytes()),
                  java.nio.charset.StandardCharsets.US_ASCII);
          out.write(kept.replace("Connection: close", "Connection: keep-alive").getBytes());
          return true;
        });
    ClientConfig impatient = new ClientConfig(1, 1, TIMEOUT_NANOS, SHORT_NANOS, List.of());
    StubServer.Manners holding = (request, out) -> StubServer.wellMannered(request, out) || true;
    try (StubServer server = new StubServer(holding)) {
      Answer answer = ask(Transport.best(), server, impatient, SMALL).getFirst();
      assertEquals(Fault.HELD, answer.fault(), answer.detail());
    }
  }

  @Test
  void silenceIsTold() throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    try {
      ClientConfig impatient = new ClientConfig(1, 1, SHORT_NANOS, HOLD_NANOS, List.of());
      try (StubServer server = new StubServer((request, out) -> waitFor(over, out))) {
        Answer answer = ask(Transport.best(), server, impatient, SMALL).getFirst();
        assertEquals(Fault.TIMEOUT, answer.fault(), answer.detail());
      }
    } finally {
      over.countDown();
    }
  }

  private static boolean waitFor(CountDownLatch over, OutputStream out) {
    try {
      return !over.await(120, TimeUnit.SECONDS) && out == null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
