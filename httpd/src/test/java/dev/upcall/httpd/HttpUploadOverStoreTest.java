package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.StorePath;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Uploads into the whole store on a simulated disk: what its limits look like from outside. */
@ExtendWith(BufferLeakCheck.class)
class HttpUploadOverStoreTest {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";

  SimWorld machine;
  private StoreFixture store;
  private FileManager files;
  private SessionWorld world;

  @BeforeEach
  void open() {
    machine = SimWorld.ofBlocks(12, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    store = StoreFixture.open(machine);
    files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    world = new SessionWorld(machine, HttpConfig.defaults().withWritable(true), site(files));
  }

  /** What sessions ask. */
  Site site(FileManager store) {
    return Site.of(store);
  }

  /** Frames, versions and extents that an upload would have lost fail here. */
  @AfterEach
  void close() {
    world.close();
    machine.<Unit>get(files::close);
    store.end();
  }

  @Test
  void whatHasBeenCannotBeChanged() {
    String put = "PUT /a?snapshot=x" + HOST + "Content-Length: 3\r\n\r\nabc";
    String delete = "DELETE /a?snapshot=x" + HOST + "\r\n";
    List<Responses.Response> answers = world.exchange(put + delete);
    assertEquals(List.of(400, 400), answers.stream().map(Responses.Response::status).toList());
  }

  private static String put(String path, String fields, int bytes) {
    return "PUT " + path + HOST + fields + "Content-Length: " + bytes + "\r\n\r\n";
  }

  private SimConnection upload(String head, byte[] body) {
    SimConnection connection = world.connectReader();
    connection.clientSends(head);
    connection.clientSends(body, 60_000);
    connection.clientEnds();
    return connection;
  }

  private static Response answer(SimConnection connection) {
    List<Response> all = Responses.parse(connection.clientGot(), n -> false, true);
    assertEquals(1, all.size());
    return all.getFirst();
  }

  private int status(String request) {
    return world.exchange(request).getFirst().status();
  }

  private void link(String path, String target) {
    machine.<FileInfo>get(port -> files.symbolicLink(StorePath.of(path), target, port));
  }

  @Test
  void aFullVolume() {
    long roomBytes = machine.disk().sizeBlocks() * 4096;
    byte[] all = StoreFixture.bytes(2, (int) roomBytes);
    for (int round = 0; round < 3; round++) {
      SimConnection tooMuch = upload(put("/large", "", all.length), all);
      world.runUntil(tooMuch::clientSawEnd);
      assertEquals(507, answer(tooMuch).status());
      assertEquals(404, status("GET /large" + HOST + "\r\n"), "nothing of it is seen");
    }
    byte[] half = StoreFixture.bytes(1, (int) roomBytes / 2);
    SimConnection fits = upload(put("/half", "", half.length), half);
    world.runUntil(fits::clientSawEnd);
    assertEquals(201, answer(fits).status(), "nothing of it is left");
    assertArrayEquals(half, world.exchange("GET /half" + HOST + "\r\n").getFirst().body());
    assertEquals(204, status("DELETE /half" + HOST + "\r\n"));
  }

  @Test
  void aFileWithATimeToLiveSaysWhenItEndsAndEnds() {
    machine.clock().jumpEpoch(500_000_000);
    String get = "GET /f" + HOST + "Connection: close\r\n\r\n";
    assertEquals(201, status(put("/f", "Upcall-Expires-In: 3600\r\n", 3) + "abc"));
    Response response = world.exchange(get).getFirst();
    assertEquals(200, response.status());
    assertEquals("Thu, 01 Jan 2026 01:00:00 GMT", response.header("expires"));
    assertEquals("no-cache", response.header("cache-control"));
    String tag = "If-None-Match: " + response.header("etag") + "\r\n";
    Response same = world.exchange("GET /f" + HOST + tag + "Connection: close\r\n\r\n").getFirst();
    assertEquals(304, same.status());
    assertEquals("Thu, 01 Jan 2026 01:00:00 GMT", same.header("expires"));
    machine.clock().jumpEpoch(3_600_000_000_000L);
    assertEquals(404, status(get));
    assertEquals(201, status(put("/f", "If-None-Match: *\r\n", 3) + "abc"));
    Response stays = world.exchange(get).getFirst();
    assertNull(stays.header("expires"));
    assertNull(stays.header("cache-control"));
    for (String nonsense : List.of("0", "-1", "soon", "", "1.5", "99999999999", "1, 2")) {
      assertEquals(400, status(put("/g", "Upcall-Expires-In: " + nonsense + "\r\n", 0)), nonsense);
    }
    assertEquals(404, status("GET /g" + HOST + "Connection: close\r\n\r\n"));
  }

  @Test
  void ofTwoThatMakeTheSameFileOneComesFirst() {
    byte[][] bodies = {StoreFixture.bytes(1, 200_000), StoreFixture.bytes(2, 200_000)};
    String head = put("/a", "If-None-Match: *\r\n", 200_000);
    SimConnection one = upload(head, bodies[0]);
    SimConnection other = upload(head, bodies[1]);
    world.runUntil(() -> one.clientSawEnd() && other.clientSawEnd());
    int first = answer(one).status() == 201 ? 0 : 1;
    assertEquals(201, answer(first == 0 ? one : other).status());
    assertEquals(412, answer(first == 0 ? other : one).status());
    Response now = world.exchange("GET /a" + HOST + "\r\n").getFirst();
    assertArrayEquals(bodies[first], now.body());

    String guarded = put("/a", "If-Match: " + now.header("ETag") + "\r\n", 200_000);
    SimConnection third = upload(guarded, bodies[0]);
    SimConnection fourth = upload(guarded, bodies[1]);
    world.runUntil(() -> third.clientSawEnd() && fourth.clientSawEnd());
    assertEquals(204 + 412, answer(third).status() + answer(fourth).status());
  }

  @Test
  void aReaderKeepsTheVersionThatItBeganWith() {
    byte[] before = StoreFixture.bytes(1, 400_000);
    SimConnection first = upload(put("/a", "", before.length), before);
    world.runUntil(first::clientSawEnd);
    SimConnection slow = world.connect(1000);
    slow.clientSends("GET /a" + HOST + "\r\n");
    world.runUntil(() -> slow.waitingMost > 0);
    assertEquals(204, status(put("/a", "", 3) + "new"));
    slow.clientKeepsReading(10_000, 1000);
    slow.clientEnds();
    world.runUntil(slow::clientSawEnd);
    assertArrayEquals(before, answer(slow).body());
    Response now = world.exchange("GET /a" + HOST + "\r\n").getFirst();
    assertEquals("new", new String(now.body(), StandardCharsets.US_ASCII));
  }

  @Test
  void pathsAndLinksStayInsideTheStore() {
    link("/out", "../../../../etc/passwd");
    link("/to", "d/target");
    assertEquals(400, status(put("/%2e%2e/x", "", 1) + "x"));
    assertEquals(400, status(put("/a/%2e%2e/%2e%2e/x", "", 1) + "x"));
    assertEquals(400, status(put("/..%2fx", "", 1) + "x"));
    assertEquals(400, status("DELETE /%2e%2e/out" + HOST + "\r\n"));
    assertEquals(201, status(put("/to", "", 1) + "t"), "a link is followed");
    assertEquals("t", world.exchange("GET /d/target" + HOST + "\r\n").getFirst().text());
    assertEquals(204, status("DELETE /to" + HOST + "\r\n"), "the link, not its target");
    assertEquals(200, status("GET /d/target" + HOST + "\r\n"));
    int outside = status(put("/out", "", 1) + "o");
    assertTrue(outside == 201 || outside == 409, "" + outside);
    assertEquals(409, status(put("/d/target/below", "", 1) + "x"));
    assertEquals(409, status(put("/d", "", 1) + "x"));
    assertEquals(409, status("DELETE /d" + HOST + "\r\n"));
    assertEquals(409, status("DELETE /" + HOST + "\r\n"));
  }
}
