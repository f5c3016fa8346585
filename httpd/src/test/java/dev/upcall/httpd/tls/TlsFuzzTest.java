package dev.upcall.httpd.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Responses;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.TlsConfig;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.httpd.session.SimTlsClient;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records that are damaged on the way, and clients that give up anywhere in a handshake: each
 * connection ends, nothing is left of it, each handshake is counted once, and the next client is
 * served. The server answers only to bytes that a client has sent.
 */
@ExtendWith(BufferLeakCheck.class)
class TlsFuzzTest {
  private static final int ROUNDS = 200;
  private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final long SECOND = 1_000_000_000L;

  /** Type, version, length. */
  private static final int HEADER_BYTES = 5;

  private enum Damage {
    NONE,
    /** A bit of one record. */
    BIT,
    /** The end of one record is missing, and all behind goes on. */
    CUT,
    TWICE,
    LOST,
    /** Bytes that nobody has sent, in front of a record. */
    STRAY,
    /** A record of a random type and size that says nothing. */
    MADE_UP,
    /** Its length is another one. */
    LENGTH
  }

  private enum Leaving {
    ENDS,
    /** Without a word. */
    RESETS,
    STALLS
  }

  @ParameterizedTest
  @EnumSource(
      value = TlsConfig.Engine.class,
      names = {"JDK", "BORINGSSL"})
  void whateverArrives(TlsConfig.Engine engine) {
    int completed = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      try {
        HttpMetrics counts = run(round, engine);
        completed += (int) counts.of(HttpCount.HANDSHAKES) - 1;
        refused += (int) counts.of(HttpCount.REFUSED_HANDSHAKES);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("round " + round, e);
      }
    }
    int all = completed;
    int turnedAway = refused;
    assertTrue(all > ROUNDS / 10 && all < ROUNDS, () -> "handshakes that went well: " + all);
    assertTrue(turnedAway > 0, "some find no room for their step");
  }

  /** A handshake message may be said to have 16 MiB; nobody collects them. */
  @ParameterizedTest
  @EnumSource(
      value = TlsConfig.Engine.class,
      names = {"JDK", "BORINGSSL"})
  void aMessageWithoutEnd_isNotCollected(TlsConfig.Engine engine) {
    SessionWorld world = new SessionWorld(1, HttpConfig.defaults());
    TlsService service =
        SimTls.service(
            world,
            HttpConfig.defaults(),
            engine,
            step -> {
              world.reactor.after(1_000_000, step);
              return true;
            });
    world.over = service::over;
    SimConnection connection = world.connectReader();
    byte[] record = new byte[HEADER_BYTES + 16_384];
    System.arraycopy(new byte[] {22, 3, 1, 64, 0, 1, -1, -1, -1}, 0, record, 0, 9);
    for (int i = 0; i < 200; i++) {
      connection.clientSendsRaw(record, record.length);
    }
    world.runFor(SECOND / 2);
    assertTrue(connection.clientSawEnd(), "long before the deadline");
    world.runFor(15 * SECOND);
    assertTrue(connection.closedReported());
    assertEquals(1, service.counted(new HttpCounters().snapshot()).of(HttpCount.FAILED_HANDSHAKES));
    world.close();
  }

  private static HttpMetrics run(int seed, TlsConfig.Engine engine) {
    SplittableRandom random = new SplittableRandom(seed);
    HttpConfig config = HttpConfig.defaults();
    SessionWorld world = new SessionWorld(seed, config);
    world.site.file("/a", "content");
    boolean[] busy = {random.nextInt(8) == 0};
    TlsService service =
        SimTls.service(
            world,
            config,
            engine,
            step -> {
              if (busy[0] && random.nextBoolean()) {
                return false;
              }
              world.reactor.after(random.nextInt(3_000_000), step);
              return true;
            });
    world.over = service::over;

    SimTlsClient client = SimTls.client(random.nextBoolean() ? "TLSv1.3" : "TLSv1.2");
    Damage damage = Damage.values()[random.nextInt(Damage.values().length)];
    client.onTheWay = damaging(damage, random.nextInt(6), random);
    SimConnection connection = world.connect(1 << 16).clientTalks(client);
    connection.clientReadsAll();
    connection.clientSends(GET.getBytes(StandardCharsets.US_ASCII), 1 + random.nextInt(200));
    world.runFor(random.nextInt(20_000_000));
    switch (Leaving.values()[random.nextInt(Leaving.values().length)]) {
      case ENDS -> connection.clientEnds();
      case RESETS -> connection.reset();
      case STALLS -> world.runFor(11 * SECOND);
    }
    if (!connection.closedReported()) {
      world.runFor(15 * SECOND);
      connection.reset();
    }
    world.runUntil(() -> world.sessions.size() == 0);
    HttpMetrics first = service.counted(new HttpCounters().snapshot());
    assertEquals(0, first.of(HttpCount.WAITING_HANDSHAKES), first::toString);
    assertEquals(
        1,
        first.of(HttpCount.HANDSHAKES)
            + first.of(HttpCount.FAILED_HANDSHAKES)
            + first.of(HttpCount.REFUSED_HANDSHAKES),
        first::toString);
    assertTrue("content".startsWith(bodyOf(connection)), connection.clientGotText());

    busy[0] = false;
    assertServes(world);
    HttpMetrics both = service.counted(new HttpCounters().snapshot());
    assertEquals(first.of(HttpCount.HANDSHAKES) + 1, both.of(HttpCount.HANDSHAKES));
    world.close();
    return both;
  }

  private static String bodyOf(SimConnection connection) {
    byte[] got = connection.clientGot();
    return got.length == 0 ? "" : Responses.parse(got, _ -> false, true).getFirst().text();
  }

  private static void assertServes(SessionWorld world) {
    SimConnection next = world.connect(1 << 16).clientTalks(SimTls.client("TLSv1.3"));
    next.clientReadsAll();
    next.clientSends(GET);
    world.runUntil(() -> bodyOf(next).equals("content"));
    next.clientEnds();
    world.runUntil(next::closedReported);
  }

  /** The fate of the record with a number, counted from 0. */
  private static UnaryOperator<byte[]> damaging(Damage damage, int which, SplittableRandom random) {
    int[] next = {0};
    return record -> next[0]++ == which ? damaged(damage, record, random) : record;
  }

  private static byte[] damaged(Damage damage, byte[] record, SplittableRandom random) {
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    switch (damage) {
      case NONE -> made.writeBytes(record);
      case BIT -> {
        record[random.nextInt(record.length)] ^= (byte) (1 << random.nextInt(8));
        made.writeBytes(record);
      }
      case CUT -> made.write(record, 0, random.nextInt(record.length));
      case TWICE -> {
        made.writeBytes(record);
        made.writeBytes(record);
      }
      case LOST -> {}
      case STRAY -> {
        byte[] stray = new byte[1 + random.nextInt(40)];
        random.nextBytes(stray);
        made.writeBytes(stray);
        made.writeBytes(record);
      }
      case MADE_UP -> {
        int size = random.nextInt(random.nextBoolean() ? 40 : 20_000);
        byte[] other = new byte[HEADER_BYTES + size];
        random.nextBytes(other);
        other[0] = (byte) (20 + random.nextInt(5));
        other[1] = 3;
        other[2] = (byte) random.nextInt(5);
        other[3] = (byte) (size >> 8);
        other[4] = (byte) size;
        made.writeBytes(other);
        made.writeBytes(record);
      }
      case LENGTH -> {
        record[3] = (byte) random.nextInt();
        record[4] = (byte) random.nextInt();
        made.writeBytes(record);
      }
    }
    return made.toByteArray();
  }
}
