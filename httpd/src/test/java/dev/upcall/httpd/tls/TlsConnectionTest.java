package dev.upcall.httpd.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.MachineStats;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpBehaviour;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.httpd.session.SimTlsClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes, records and ends over a simulated connection, by the JDK's engine. */
@ExtendWith(BufferLeakCheck.class)
class TlsConnectionTest {
  private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String V13 = "TLSv1.3";
  private static final String V12 = "TLSv1.2";
  private static final long SECOND = 1_000_000_000L;
  private static final TransitionCoverage COVERAGE = new TransitionCoverage();

  private final HttpConfig config = HttpConfig.defaults().withWritable(true);
  private final SessionWorld world = new SessionWorld(1, config);
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();

  @BeforeEach
  void open() {
    SimTls.under(world, config, new SplittableRandom(1));
    world.site.file("/a", "content");
  }

  @AfterEach
  void nothingIsLeft() {
    world.close();
    MachineStats stats = world.dispatcher.recorder().statsOf(TlsState.TRANSITIONS);
    long ended =
        stats.taken().stream()
            .filter(move -> move.to().equals(TlsState.CLOSED.name()))
            .mapToLong(MachineStats.Taken::count)
            .sum();
    assertEquals(stats.machines(), ended);
    COVERAGE.add(world.dispatcher.recorder());
  }

  @AfterAll
  static void allIsTaken() {
    COVERAGE.assertAllTaken(TlsState.TRANSITIONS);
  }

  /** From now on steps are computed when the test says so. */
  private void holdSteps() {
    TlsService service =
        SimTls.service(
            world,
            config,
            step -> {
              held.addLast(step);
              return true;
            });
    world.over = service::over;
  }

  private void awaitStep() {
    world.runUntil(() -> !held.isEmpty());
  }

  private SimConnection connect(SimTlsClient client) {
    SimConnection connection = world.connect(1 << 16);
    connection.clientTalks(client);
    return connection;
  }

  private SimConnection opened(SimTlsClient client) {
    SimConnection connection = connect(client);
    connection.clientReadsAll();
    connection.clientSends("");
    world.runUntil(client::isOpen);
    world.runFor(SECOND / 100);
    return connection;
  }

  private static List<Response> answers(SimConnection connection) {
    return Responses.parse(connection.clientGot(), _ -> false, true);
  }

  private void untilClosed(SimConnection connection) {
    world.runUntil(connection::closedReported);
  }

  @ParameterizedTest
  @ValueSource(strings = {V13, V12})
  void requestsAreAnsweredAndTheEndIsSaid(String protocol) {
    SimTlsClient client = SimTls.client(protocol);
    SimConnection connection = connect(client);
    connection.clientReadsAll();
    connection.clientSends(GET + GET);
    world.runUntil(() -> connection.clientGotText().split("content", -1).length > 2);
    assertEquals("http/1.1", protocolOf(client));
    connection.clientEnds();
    untilClosed(connection);
    assertEquals(2, answers(connection).size());
    assertTrue(client.serverSaidEnd());
    assertFalse(client.isBroken());
  }

  private static String protocolOf(SimTlsClient client) {
    return client.engine().getApplicationProtocol();
  }

  @Test
  void answersFollowTheEndOfRequests_whereTheProtocolCanSaySo() {
    world.slowSite(50_000_000);
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = connect(client);
    connection.clientReadsAll();
    connection.clientSends(GET);
    connection.clientEnds();
    untilClosed(connection);
    assertEquals("content", answers(connection).getFirst().text());
    assertTrue(client.serverSaidEnd());
  }

  @Test
  void anEndThatIsNotSaid_behindWholeRequests_isAnEnd() {
    world.slowSite(50_000_000);
    SimTlsClient client = SimTls.client(V12);
    client.saysEnd = false;
    SimConnection connection = connect(client);
    connection.clientReadsAll();
    connection.clientSends(GET);
    connection.clientEnds();
    untilClosed(connection);
    assertEquals("content", answers(connection).getFirst().text());
    assertTrue(client.serverSaidEnd());
  }

  @Test
  void anEndThatIsNotSaid_insideARequest_changesNothing() {
    SimTlsClient client = SimTls.client(V13);
    client.saysEnd = false;
    SimConnection connection = connect(client);
    connection.clientReadsAll();
    connection.clientSends("PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf");
    connection.clientEnds();
    untilClosed(connection);
    assertEquals(null, world.site.info("/b"));
  }

  @Test
  void halfARecordAndTheEnd_closes() {
    SimTlsClient client = SimTls.client(V13);
    client.saysEnd = false;
    SimConnection connection = opened(client);
    connection.clientSendsRaw(new byte[] {23, 3, 3, 1, 0, 7}, Integer.MAX_VALUE);
    connection.clientEnds();
    untilClosed(connection);
    assertEquals(0, answers(connection).size());
    assertFalse(client.serverSaidEnd());
  }

  @Test
  void whoSaysNothing_isClosedInTenSeconds() {
    SimConnection connection = connect(SimTls.client(V13));
    world.runFor(9 * SECOND);
    assertFalse(connection.closedReported());
    world.runFor(2 * SECOND);
    assertTrue(connection.closedReported());
  }

  @Test
  void plainHttp_isToldSo() {
    SimConnection connection = world.connectReader();
    connection.clientSends(GET.getBytes(StandardCharsets.US_ASCII), 3);
    world.runUntil(connection::clientSawEnd);
    connection.clientEnds();
    untilClosed(connection);
    List<Response> got = answers(connection);
    assertEquals(400, got.getFirst().status());
    assertTrue(got.getFirst().text().contains("https://"));
    assertTrue(got.getFirst().complete());
  }

  @Test
  void bytesThatAreNoHandshake_areRefused() {
    SimConnection connection = world.connectReader();
    connection.clientSends("\u0016\u0003\u0001\u0000\u0004abcdefg");
    world.runFor(5 * SECOND);
    assertTrue(connection.closedReported(), "though the client has not ended");
    assertFalse(connection.clientGotText().contains("HTTP"));
  }

  /** Before its bytes have come: no client makes the server hold more than a record. */
  @Test
  void aRecordThatIsSaidToBeLongerThanRecordsAre_isRefusedAtOnce() {
    SimConnection connection = world.connectReader();
    connection.clientSendsRaw(new byte[] {22, 3, 1, 72, 1}, 1000);
    world.runFor(5 * SECOND);
    assertTrue(connection.closedReported(), "though the client has not ended");
  }

  @Test
  void aClientThatDoesNotTrustTheServer_isGone() {
    SimConnection connection = world.connectReader();
    connection.clientTalks(SimTls.strangerTo(V13));
    connection.clientSends(GET);
    untilClosed(connection);
    assertEquals(0, connection.clientGot().length);
  }

  @Test
  void aClientLostBeforeTheHandshake() {
    SimConnection connection = connect(SimTls.client(V13));
    connection.reset();
    untilClosed(connection);
  }

  @Test
  void aClientLostDuringAStep_isGoneWhenTheStepIsBack() {
    holdSteps();
    SimConnection connection = connect(SimTls.client(V13));
    connection.clientSends(GET);
    awaitStep();
    connection.reset();
    world.runFor(SECOND);
    assertFalse(connection.closedReported() && world.sessions.size() == 0);
    connection.close();
    world.runFor(SECOND);
    held.removeFirst().run();
    world.runUntil(() -> world.sessions.size() == 0);
  }

  @Test
  void aLostConnectionIsReported_whileItWaitsForAStep() {
    holdSteps();
    SimConnection connection = connect(SimTls.client(V13));
    connection.clientSends(GET);
    awaitStep();
    connection.close(); // as a transport that has failed
    world.runFor(SECOND);
    assertEquals(1, world.sessions.size());
    held.removeFirst().run();
    world.runUntil(() -> world.sessions.size() == 0);
  }

  @Test
  void aStepThatTakesTooLong_isNotWaitedFor() {
    holdSteps();
    SimConnection connection = connect(SimTls.client(V13));
    connection.clientSends(GET);
    awaitStep();
    world.runFor(11 * SECOND);
    assertTrue(connection.closedReported());
    assertEquals(1, world.sessions.size());
    held.removeFirst().run();
    world.runUntil(() -> world.sessions.size() == 0);
  }

  @Test
  void aStepThatIsBackBeforeTheConnectionIsClosed() {
    holdSteps();
    SimConnection connection = connect(SimTls.client(V13));
    connection.clientSends(GET);
    awaitStep();
    world.dispatcher.schedule(10 * SECOND, () -> held.removeFirst().run());
    untilClosed(connection);
    world.runUntil(() -> world.sessions.size() == 0);
  }

  @Test
  void aClientThatEndsDuringAStep() {
    holdSteps();
    SimConnection connection = connect(SimTls.client(V13));
    connection.clientSends(GET);
    awaitStep();
    TlsConnection waiting = (TlsConnection) connection.listener();
    world.dispatcher.post(waiting::inputEnded); // of a read that was under way
    held.removeFirst().run();
    untilClosed(connection);
  }

  @Test
  void whereNoThreadIsFree_theConnectionCloses() {
    world.over = SimTls.service(world, config, step -> false)::over;
    SimConnection connection = connect(SimTls.client(V13));
    connection.clientSends(GET);
    untilClosed(connection);
  }

  @Test
  void whoIsOneTooMany_isToldBehindTheHandshake() {
    SessionWorld small = new SessionWorld(1, config.withMaxConnections(1));
    SimTls.under(small, config, new SplittableRandom(1));
    SimConnection first = small.connectReader();
    SimTlsClient client = SimTls.client(V13);
    SimConnection second = small.connect(1 << 16).clientTalks(client);
    second.clientReadsAll();
    second.clientSends(GET);
    small.runUntil(() -> !answers(second).isEmpty());
    assertEquals(503, answers(second).getFirst().status());
    second.clientEnds();
    first.clientEnds();
    small.runUntil(() -> second.closedReported() && first.closedReported());
    small.close();
    COVERAGE.add(small.dispatcher.recorder());
  }

  private static final String WRONG = "GET / HTTP/3.0\r\nHost: a\r\n\r\nmore";

  @Test
  void behindARefusal_theClientIsReadUntilItEnds() {
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = opened(client);
    connection.clientSends(WRONG);
    world.runUntil(client::serverSaidEnd);
    connection.clientSends("still more");
    assertFalse(connection.closedReported());
    connection.clientEnds();
    untilClosed(connection);
    assertEquals(505, answers(connection).getFirst().status());
  }

  @Test
  void behindARefusal_theClientIsLost() {
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = opened(client);
    connection.clientSends(WRONG);
    world.runUntil(client::serverSaidEnd);
    connection.reset();
    untilClosed(connection);
  }

  @Test
  void aRecordThatWasChanged_endsTheConnection() {
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = opened(client);
    byte[] record = new byte[60];
    record[0] = 23;
    record[1] = 3;
    record[2] = 3;
    record[4] = 55;
    connection.clientSendsRaw(record, Integer.MAX_VALUE);
    world.runUntil(client::isBroken);
    assertEquals(0, answers(connection).size());
    connection.reset();
    untilClosed(connection);
  }

  @Test
  void aSecondHandshake_isRefused() {
    SimTlsClient client = SimTls.client(V12);
    SimConnection connection = opened(client);
    client.beginHandshake();
    connection.clientSends("");
    untilClosed(connection);
    assertEquals(0, answers(connection).size());
  }

  @Test
  void otherKeys_areTakenNowAndThen() {
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = opened(client);
    for (int i = 0; i < 50; i++) {
      client.beginHandshake();
      connection.clientSends(GET);
      world.runFor(SECOND / 10);
    }
    assertEquals(50, answers(connection).size());
    connection.clientEnds();
    untilClosed(connection);
  }

  @Test
  void nothingButOtherKeys_isRefused() {
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = opened(client);
    for (int i = 0; i < 40; i++) {
      client.beginHandshake();
      connection.clientSends("");
      world.runFor(SECOND / 100);
    }
    untilClosed(connection);
  }

  @Test
  void aLargeFile_waitsForTheClient() {
    byte[] bytes = HttpBehaviour.noise(3_000_003);
    world.site.file("/large", bytes);
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = opened(client);
    connection.clientReadsNoMore();
    connection.clientSends("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    world.runFor(SECOND);
    assertTrue(connection.waitingMost <= PlainOutput.PIECE_BYTES + (8 << 10), "encrypted");
    assertTrue(world.site.leasedBytesMost <= config.responses().contentBytes());
    connection.clientReadsAll();
    world.runUntil(
        () -> !answers(connection).isEmpty() && answers(connection).getFirst().complete());
    assertArrayEquals(bytes, answers(connection).getFirst().body());
    connection.clientEnds();
    untilClosed(connection);
  }

  @Test
  void aResponseThatBreaksOff_hasNoEndThatIsSaid() {
    world.site.file("/large", HttpBehaviour.noise(300_000));
    world.slowSite(50_000_000);
    world.site.resident = offset -> false;
    world.site.readFails = offset -> offset > 0;
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = opened(client);
    connection.clientSends("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    untilClosed(connection);
    assertFalse(answers(connection).getFirst().complete());
    assertFalse(client.serverSaidEnd());
  }

  /** A client that has got its answer, ends, and takes nothing more. */
  private SimConnection endedAndReadNoMore() {
    SimConnection connection = world.connect(1);
    connection.clientTalks(SimTls.client(V13));
    connection.clientReadsAll();
    connection.clientSends(GET);
    world.runUntil(() -> connection.clientGotText().endsWith("content"));
    connection.clientReadsNoMore();
    connection.clientEnds();
    return connection;
  }

  @Test
  void aClientThatTakesNoEnd_isNotWaitedForLong() {
    SimConnection connection = endedAndReadNoMore();
    world.runFor(11 * SECOND);
    assertTrue(connection.closedReported());
  }

  @Test
  void aClientThatIsLost_beforeItTakesTheEnd() {
    SimConnection connection = endedAndReadNoMore();
    world.runFor(SECOND);
    connection.reset();
    untilClosed(connection);
  }

  @Test
  void aClientThatIsLost_whileItIsOpen() {
    SimConnection connection = opened(SimTls.client(V13));
    connection.reset();
    untilClosed(connection);
  }

  @Test
  void whoAsksForNothing_isClosedInTime() {
    SimTlsClient client = SimTls.client(V13);
    SimConnection connection = opened(client);
    world.runFor(100 * SECOND);
    assertTrue(connection.closedReported());
    assertTrue(client.serverSaidEnd());
  }
}
