package dev.upcall.httpd.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.completion.Unit;
import dev.upcall.config.PlaceConfig;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.Site;
import dev.upcall.pressure.PlaceCounters;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.Stores;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uploads beyond those that the store takes at once wait in line, and nobody else for them. */
@ExtendWith(BufferLeakCheck.class)
class UploadPlacesSimTest {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final int BODY = 9000;
  private static final int MORE_THAN_A_BLOCK = 5000;
  private static final int MAX_WAITING = 3;
  private static final long WAIT_NANOS = 20 * SECOND_NANOS;

  private SimWorld machine;
  private StoreFixture store;
  private FileManager files;
  private SessionWorld world;

  @BeforeEach
  void open() {
    machine = SimWorld.ofBlocks(12, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    StoreOptions usual = StoreFixture.tinyOptions(12);
    StoreOptions options =
        new StoreOptions(
            usual.config().withPlaces(new PlaceConfig(MAX_WAITING, WAIT_NANOS)),
            usual.capBlocks(),
            usual.treeFanOut(),
            usual.random());
    machine.whenDiskCloses(survivor -> StoreFixture.recovered(survivor).end());
    store =
        StoreFixture.of(
            machine,
            machine.get(port -> Stores.open(machine.dispatcher(), machine.disk(), options, port)));
    files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    HttpConfig usualLimits = HttpConfig.defaults().withWritable(true);
    HttpConfig.Timeouts times = usualLimits.timeouts();
    HttpConfig impatient =
        usualLimits.withTimeouts(
            new HttpConfig.Timeouts(
                new HttpConfig.Receiving(
                    75 * SECOND_NANOS, 5 * SECOND_NANOS, 5 * SECOND_NANOS, 600 * SECOND_NANOS),
                times.sending(),
                times.drainNanos(),
                times.sweepNanos()));
    world = new SessionWorld(machine, impatient, Site.of(files));
  }

  /** Places, frames and extents that an upload would have lost fail here. */
  @AfterEach
  void close() {
    world.close();
    assertEquals(0, places().taken());
    assertEquals(0, places().waiting());
    machine.<Unit>get(files::close);
    store.end();
  }

  private PlaceCounters places() {
    return store.store().metrics().places().getFirst();
  }

  /** Begins a PUT, and sends so much of its body. */
  private SimConnection begin(String path, int bytes) {
    SimConnection connection = world.connectReader();
    connection.clientSends(
        "PUT %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n".formatted(path, BODY));
    connection.clientSends(new byte[bytes], BODY);
    return connection;
  }

  private void rest(SimConnection connection) {
    connection.clientSends(new byte[BODY - MORE_THAN_A_BLOCK], BODY);
  }

  /** Clients that have a place each and send no more. */
  private List<SimConnection> allPlaces() {
    List<SimConnection> held = new ArrayList<>();
    while (places().taken() < places().places()) {
      int before = places().taken();
      held.add(begin("/held" + before, MORE_THAN_A_BLOCK));
      world.runUntil(() -> places().taken() > before);
    }
    return held;
  }

  /** One that waits for its place. */
  private SimConnection waiting(String path) {
    int before = places().waiting();
    SimConnection connection = begin(path, MORE_THAN_A_BLOCK);
    world.runUntil(() -> places().waiting() > before);
    return connection;
  }

  private int status(SimConnection connection) {
    world.runUntil(() -> connection.clientGotText().contains("\r\n\r\n"));
    return Integer.parseInt(connection.clientGotText().substring(9, 12));
  }

  private int answer(SimConnection connection) {
    rest(connection);
    return status(connection);
  }

  private void resetAll(List<SimConnection> connections) {
    connections.forEach(SimConnection::reset);
    world.runUntil(() -> world.sessions.size() == 0);
  }

  /** One place goes through the line: only who has it can be answered. */
  @Test
  void theyGetTheirPlacesInTheOrderOfComing() {
    List<SimConnection> held = allPlaces();
    List<SimConnection> waiting = List.of(waiting("/w0"), waiting("/w1"), waiting("/w2"));
    held.removeFirst().reset();
    for (SimConnection next : waiting) {
      assertEquals(201, answer(next));
    }
    resetAll(held);
  }

  @Test
  void whoWaitsForTooLongIsTold503() {
    List<SimConnection> held = allPlaces();
    SimConnection late = waiting("/late");
    SimConnection next = waiting("/next");
    keepAlive(held, WAIT_NANOS);
    assertEquals(503, status(late));
    assertTrue(late.clientGotText().contains("\r\nRetry-After: 1\r\n"), late.clientGotText());
    assertEquals(503, status(next));
    assertEquals(2, places().timedOut());
    assertEquals(0, world.metrics().of(HttpCount.TIMEOUTS), "nobody was late but the store");
    held.add(late);
    held.add(next);
    resetAll(held);
  }

  /** Time passes in which the clients send a byte now and then. */
  private void keepAlive(List<SimConnection> clients, long nanos) {
    for (long passed = 0; passed <= nanos; passed += 2 * SECOND_NANOS) {
      world.runFor(2 * SECOND_NANOS);
      clients.forEach(connection -> connection.clientSends(new byte[1], 1));
    }
  }

  /** It waits for three times as long as a client may be silent. */
  @Test
  void theTimeInLineIsNotTheClients() {
    List<SimConnection> held = allPlaces();
    SimConnection waiting = waiting("/w");
    keepAlive(held, 15 * SECOND_NANOS);
    held.removeFirst().reset();
    world.runUntil(() -> places().waiting() == 0);
    world.runFor(4 * SECOND_NANOS);
    assertEquals(201, answer(waiting));
    assertEquals(0, world.metrics().of(HttpCount.TIMEOUTS));
    resetAll(held);
  }

  @Test
  void pastTheLineTheyAreTold503AtOnce() {
    List<SimConnection> held = allPlaces();
    for (int i = 0; i < MAX_WAITING; i++) {
      held.add(waiting("/w" + i));
    }
    SimConnection tooMany = begin("/x", 0);
    long beganNanos = world.clock.monotonicNanos();
    assertEquals(503, status(tooMany));
    assertTrue(world.clock.monotonicNanos() - beganNanos < SECOND_NANOS);
    assertTrue(tooMany.clientGotText().contains("\r\nRetry-After: 1\r\n"));
    held.add(tooMany);
    resetAll(held);
    assertEquals(201, answer(begin("/x", MORE_THAN_A_BLOCK)), "all places are free again");
  }

  /** What fits a block passes those who wait. */
  @Test
  void aSmallUploadNeedsNoPlace() {
    List<SimConnection> held = allPlaces();
    held.add(waiting("/w"));
    String small = "PUT /small HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n";
    assertEquals(201, world.exchange(small + "x".repeat(1000)).getFirst().status());
    resetAll(held);
  }

  @Test
  void aClientThatResetsInLineLeavesIt() {
    List<SimConnection> held = allPlaces();
    int sessions = world.sessions.size();
    for (int step = 0; step < 60; step++) {
      SimConnection gone = begin("/gone", MORE_THAN_A_BLOCK);
      int[] left = {step};
      world.runUntil(() -> left[0]-- == 0 || places().waiting() > 0);
      world.runFor(1000L * step);
      gone.reset();
      long beganNanos = world.clock.monotonicNanos();
      world.runUntil(() -> world.sessions.size() == sessions);
      assertTrue(world.clock.monotonicNanos() - beganNanos <= SECOND_NANOS / 10, "step " + step);
      assertEquals(0, places().waiting(), "step " + step);
    }
    assertTrue(places().waited() > 20, places().toString());
    resetAll(held);
  }

  @Test
  void closingTheServerCutsThoseWhoWait() {
    List<SimConnection> held = allPlaces();
    held.add(waiting("/w"));
    world.close();
    assertEquals(0, places().waiting());
    assertEquals(0, places().taken());
  }
}
