package dev.upcall.httpd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.Site;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client resets its connection at each step of a PUT: within a tenth of a second, on the
 * simulated clock, the session is gone and with it the place of its upload.
 */
@ExtendWith(BufferLeakCheck.class)
class ClientResetSimTest {
  private static final long TENTH_NANOS = 100_000_000;
  private static final HttpConfig WRITABLE = HttpConfig.defaults().withWritable(true);
  private static final String FIELDS = " HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n";

  /** Turns the world so many times; whether the answer had come by then. */
  private static boolean turns(SessionWorld world, SimConnection connection, int steps) {
    int[] left = {steps};
    world.runUntil(() -> left[0]-- == 0 || !connection.clientGotText().isEmpty());
    return !connection.clientGotText().isEmpty();
  }

  private static void allIsGivenBack(SessionWorld world, int step) {
    long resetNanos = world.clock.monotonicNanos();
    world.runUntil(() -> world.sessions.size() == 0);
    long tookNanos = world.clock.monotonicNanos() - resetNanos;
    assertTrue(tookNanos <= TENTH_NANOS, "step " + step + ": " + tookNanos);
    HttpMetrics metrics = world.metrics();
    assertEquals(
        metrics.of(HttpCount.UPLOADS_BEGUN), metrics.of(HttpCount.UPLOADS_ENDED), "step " + step);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Expect: 100-continue\r\n"})
  void overFilesThatAreSlow(String expectation) {
    boolean whole = false;
    int step = 0;
    for (; !whole; step++) {
      SessionWorld world = new SessionWorld(step % 7, WRITABLE);
      world.slowSite(2_000_000);
      SimConnection connection = world.connect(1 << 16);
      connection.clientReadsAll();
      connection.clientSends("PUT /a" + FIELDS + expectation + "\r\n");
      connection.clientSends(new byte[9_000], 1_000);
      whole = turns(world, connection, step) && connection.clientGotText().contains(" 201 ");
      connection.reset();
      allIsGivenBack(world, step);
      int there = world.exchange("GET /a HTTP/1.1\r\nHost: a\r\n\r\n").getFirst().status();
      assertEquals(
          world.metrics().of(HttpCount.UPLOADS_COMMITTED) == 1 ? 200 : 404, there, "step " + step);
      world.close();
    }
    assertTrue(step > 20, step + " steps");
  }

  @Test
  void whileTheFilesAnswerNothing() {
    for (int held = 0; held < 12; held++) {
      SessionWorld world = new SessionWorld(held, WRITABLE);
      world.holdSite();
      SimConnection connection = world.connectReader();
      connection.clientSends("PUT /a" + FIELDS + "\r\n");
      connection.clientSends(new byte[5_000], 1_000);
      for (int answered = 0; answered < held && world.heldBySite() > 0; answered++) {
        world.releaseOne();
        world.runFor(1_000_000);
      }
      world.runFor(1_000_000);
      connection.reset();
      world.runFor(TENTH_NANOS);
      assertTrue(connection.closedReported(), "the session knows, whatever it waits for");
      world.releaseAll();
      allIsGivenBack(world, held);
      world.close();
    }
  }

  @Test
  void overAStoreWithFewPlaces() {
    SimWorld machine = SimWorld.ofBlocks(12, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    StoreFixture store = StoreFixture.open(machine);
    FileManager files =
        machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    SessionWorld world = new SessionWorld(machine, WRITABLE, Site.of(files));
    for (int step = 0; step < 120; step++) {
      SimConnection connection = world.connect(1 << 16);
      connection.clientReadsAll();
      connection.clientSends("PUT /a" + step + FIELDS + "\r\n");
      connection.clientSends(new byte[8_999], 3_000);
      turns(world, connection, step);
      connection.reset();
      allIsGivenBack(world, step);
    }
    String small = "PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx";
    assertEquals(201, world.exchange(small).getFirst().status(), "all places are free");
    assertEquals(1, world.metrics().of(HttpCount.UPLOADS_COMMITTED));
    world.close();
    machine.<Unit>get(files::close);
    store.end();
  }
}
