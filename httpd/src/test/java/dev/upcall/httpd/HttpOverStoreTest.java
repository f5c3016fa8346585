package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.request.TableRequest;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.StoreFixture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions over the whole store on a simulated disk, in one thread. */
@ExtendWith(BufferLeakCheck.class)
class HttpOverStoreTest {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n\r\n";

  SimWorld machine;
  private StoreFixture store;
  private FileManager files;
  private SessionWorld world;

  @BeforeEach
  void open() {
    machine = SimWorld.ofBlocks(11, 1 << 14);
    StoreFixture.format(machine);
    store = StoreFixture.open(machine);
    files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    world = new SessionWorld(machine, HttpConfig.defaults(), site(files));
  }

  /** What sessions ask. */
  Site site(FileManager store) {
    return Site.of(store);
  }

  /** Leases and versions that a session would have lost fail the close of the store. */
  @AfterEach
  void close() {
    world.close();
    machine.<Unit>get(files::close);
    machine.<Unit>get(store.store()::close);
  }

  private void put(String path, byte[] bytes) {
    PutHandle put =
        machine.get(port -> files.put(StorePath.of(path), PutOptions.WITH_PARENTS, port));
    for (int at = 0; at < bytes.length; at += 50_000) {
      ByteBuffer part = ByteBuffer.wrap(bytes, at, Math.min(50_000, bytes.length - at));
      machine.<Unit>get(port -> put.append(part, port));
    }
    machine.<FileInfo>get(put::commit);
  }

  private void link(String path, String target) {
    machine.<FileInfo>get(port -> files.symbolicLink(StorePath.of(path), target, port));
  }

  private Response one(String request) {
    List<Response> responses = world.exchange(request);
    assertEquals(1, responses.size());
    assertTrue(responses.getFirst().complete());
    return responses.getFirst();
  }

  private void snapshot(String name) {
    machine.<NamedSnapshot>get(port -> files.createSnapshot(name, port));
  }

  @Test
  void aTable_isListedAndHasNoContent() {
    machine.<Optional<FileInfo>>get(
        port -> files.ask(new TableRequest.CreateTable("/prices"), port));
    Response get = one("GET /prices" + HOST);
    assertEquals(409, get.status());
    assertTrue(get.text().contains("prices is a table"), get.text());
    String json = one("GET / HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n").text();
    assertTrue(json.contains("{\"name\":\"prices\",\"kind\":\"table\""), json);
    assertEquals(404, one("GET /prices/cup" + HOST).status());
  }

  @Test
  void aSnapshotIsReadByItsName() {
    byte[] before = StoreFixture.bytes(1, 300_000);
    put("/d/file", before);
    put("/d/gone & lost", before);
    snapshot("last week");
    put("/d/file", StoreFixture.bytes(2, 100));
    machine.<Unit>get(port -> files.delete(StorePath.of("/d/gone & lost"), port));
    assertArrayEquals(before, one("GET /d/file?snapshot=last%20week" + HOST).body());
    assertArrayEquals(before, one("GET /d/gone%20&%20lost?snapshot=last+week" + HOST).body());
    assertEquals(100, one("GET /d/file" + HOST).body().length);
    Response part =
        one("GET /d/file?snapshot=last%20week HTTP/1.1\r\nHost: a\r\nRange: bytes=7-11\r\n\r\n");
    assertArrayEquals(Arrays.copyOfRange(before, 7, 12), part.body());
    String page = one("GET /d/?snapshot=last%20week&limit=1" + HOST).text();
    assertTrue(page.contains("href=\"file?snapshot=last%20week\""), page);
    assertTrue(page.contains("href=\"../?snapshot=last%20week\""), page);
    assertTrue(page.contains("?after=file&amp;limit=1&amp;snapshot=last%20week"), page);
    String json =
        one("GET /d/?snapshot=last%20week HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n")
            .text();
    assertTrue(json.contains("gone & lost"), json);
    assertEquals(
        "/d/?snapshot=last%20week", one("GET /d?snapshot=last%20week" + HOST).header("location"));
    assertEquals(404, one("GET /d/nothing?snapshot=last%20week" + HOST).status());
    assertEquals(404, one("GET /d/file?snapshot=next%20week" + HOST).status());
    assertEquals(400, one("GET /d/file?snapshot=%ff" + HOST).status());
    machine.<Unit>get(port -> files.dropSnapshot("last week", port));
    assertEquals(404, one("GET /d/file?snapshot=last%20week" + HOST).status());
  }

  @Test
  void filesOfAllSizes() {
    int[] sizes = {0, 1, 511, 512, 513, 4095, 4096, 4097, 8192, 65_535, 65_536, 65_537, 700_001};
    for (int size : sizes) {
      put("/d/f" + size, StoreFixture.bytes(size, size));
    }
    for (int round = 0; round < 2; round++) {
      StringBuilder pipelined = new StringBuilder();
      for (int size : sizes) {
        assertArrayEquals(StoreFixture.bytes(size, size), one("GET /d/f" + size + HOST).body());
        pipelined.append("GET /d/f").append(size).append(HOST);
      }
      List<Response> responses = world.exchange(pipelined.toString());
      for (int i = 0; i < sizes.length; i++) {
        assertArrayEquals(StoreFixture.bytes(sizes[i], sizes[i]), responses.get(i).body());
      }
      machine.<Unit>get(store.store()::checkpoint);
    }
  }

  @Test
  void rangesOfFilesOfAllSizes() {
    SplittableRandom random = new SplittableRandom(8);
    int[] sizes = {1, 512, 513, 4096, 65_536, 65_537, 700_001, 3_000_000};
    for (int size : sizes) {
      put("/d/f" + size, StoreFixture.bytes(size, size));
    }
    for (int round = 0; round < 3; round++) {
      for (int size : sizes) {
        byte[] all = StoreFixture.bytes(size, size);
        for (int i = 0; i < 8; i++) {
          int first = random.nextInt(size);
          int last = first + random.nextInt(Math.min(size - first, 1 << random.nextInt(23)));
          String range = "Range: bytes=" + first + "-" + last + "\r\n\r\n";
          Response part = one("GET /d/f" + size + " HTTP/1.1\r\nHost: a\r\n" + range);
          assertEquals(206, part.status());
          assertEquals("bytes " + first + "-" + last + "/" + size, part.header("Content-Range"));
          assertArrayEquals(Arrays.copyOfRange(all, first, last + 1), part.body());
        }
      }
      machine.<Unit>get(store.store()::checkpoint);
    }
  }

  /** Far behind four GiB of nothing stand a few bytes; nothing before them is read. */
  @Test
  void rangesBeyondFourGibibytes() {
    long place = (5L << 30) + 1234;
    FileHandle file =
        machine.get(port -> files.open(StorePath.of("/sparse"), OpenMode.CREATE, port));
    byte[] bytes = StoreFixture.bytes(4, 100_000);
    machine.<Unit>get(port -> file.write(place, ByteBuffer.wrap(bytes), port));
    machine.<Unit>get(file::close);
    machine.<Unit>get(store.store()::checkpoint);
    long size = place + bytes.length;
    String get = "GET /sparse HTTP/1.1\r\nHost: a\r\nRange: bytes=";
    Response part = one(get + place + "-\r\n\r\n");
    assertEquals("bytes " + place + "-" + (size - 1) + "/" + size, part.header("Content-Range"));
    assertArrayEquals(bytes, part.body());
    assertArrayEquals(bytes, one(get + "-" + bytes.length + "\r\n\r\n").body());
    Response zeros = one(get + (3L << 30) + "-" + ((3L << 30) + 99_999) + "\r\n\r\n");
    assertArrayEquals(new byte[100_000], zeros.body());
    assertEquals(Long.toString(size), one("HEAD /sparse" + HOST).header("Content-Length"));
    assertEquals("bytes */" + size, one(get + size + "-\r\n\r\n").header("Content-Range"));
  }

  @Test
  void aNewVersionHasANewTag() {
    put("/a", "one".getBytes());
    Response first = one("GET /a" + HOST);
    String condition =
        " HTTP/1.1\r\nHost: a\r\nIf-None-Match: " + first.header("ETag") + "\r\n\r\n";
    assertEquals(304, one("GET /a" + condition).status());
    put("/a", "two".getBytes());
    assertEquals("two", one("GET /a" + condition).text());
  }

  @Test
  void aClientGetsOneVersionWhole() {
    byte[] before = StoreFixture.bytes(1, 500_000);
    put("/a", before);
    SimConnection slow = world.connect(1000);
    slow.clientSends("GET /a" + HOST);
    world.runUntil(() -> slow.waitingMost > 0);
    put("/a", StoreFixture.bytes(2, 400_000));
    machine.<Unit>get(port -> files.delete(StorePath.of("/a"), port));
    assertEquals(404, one("GET /a" + HOST).status());
    slow.clientKeepsReading(10_000, 1000);
    slow.clientEnds();
    world.runUntil(slow::clientSawEnd);
    assertArrayEquals(
        before, Responses.parse(slow.clientGot(), n -> false, true).getFirst().body());
  }

  @Test
  void linksStayInsideTheStore() {
    put("/d/file", "content".getBytes());
    link("/to-file", "d/file");
    link("/to-directory", "/d");
    link("/outside", "../../../../etc/passwd");
    link("/dangling", "nowhere");
    link("/loop", "/loop");
    assertEquals("content", one("GET /to-file" + HOST).text());
    String page = one("GET /" + HOST).text();
    assertTrue(page.contains("<a href=\"to-directory/\">"));
    assertTrue(page.contains("<a href=\"to-file\">"));
    assertTrue(page.contains("<bdi>dangling</bdi> <small>→ <bdi>nowhere</bdi> (broken)<"));
    assertTrue(page.contains("<bdi>loop</bdi> <small>→ <bdi>/loop</bdi> (broken)<"));
    assertTrue(page.contains("<bdi>../../../../etc/passwd</bdi> (broken)<"));
    String json = one("GET / HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n").text();
    assertTrue(json.contains("\"target\":\"d/file\",\"leadsTo\":\"file\"}"), json);
    assertTrue(json.contains("\"target\":\"/loop\",\"leadsTo\":null}"), json);
    assertEquals("/to-directory/", one("GET /to-directory" + HOST).header("Location"));
    assertTrue(one("GET /to-directory/" + HOST).text().contains("\"file\""));
    assertEquals("content", one("GET /to-directory/file" + HOST).text());
    assertEquals(404, one("GET /outside" + HOST).status());
    assertEquals(404, one("GET /dangling" + HOST).status());
    assertEquals(404, one("GET /loop" + HOST).status());
    assertEquals(404, one("GET /d/file/x" + HOST).status());
    assertEquals(404, one("GET /d/file/" + HOST).status());
  }

  @Test
  void directory_whoseIndexIsALinkThatLeadsNowhere_isListed() {
    put("/loop/file", "content".getBytes());
    link("/loop/index.html", "index.html");
    put("/below/file", "content".getBytes());
    link("/below/index.html", "file/index.html");
    put("/gone/file", "content".getBytes());
    link("/gone/index.html", "nowhere");
    for (String directory : List.of("/loop/", "/below/", "/gone/")) {
      Response page = one("GET " + directory + HOST);
      assertEquals(200, page.status(), directory);
      assertTrue(page.text().contains("<a href=\"file\">"), page::text);
      assertEquals(404, one("GET " + directory + "index.html" + HOST).status(), directory);
    }
    link("/itself", "itself");
    assertEquals(404, one("GET /itself/" + HOST).status());
  }

  @Test
  void manyClientsWithLittleMemory() {
    List<SimConnection> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      put("/f" + i, StoreFixture.bytes(i, 600_000));
    }
    for (int i = 0; i < 40; i++) {
      SimConnection client = world.connect(20_000);
      client.clientSends("GET /f" + i % 8 + HOST);
      client.clientEnds();
      client.clientKeepsReading(5_000, 20_000 + 1000 * i);
      clients.add(client);
    }
    for (int i = 0; i < 40; i++) {
      SimConnection client = clients.get(i);
      if (i % 5 == 4) {
        client.reset();
        world.runUntil(client::closedReported);
      } else {
        world.runUntil(client::clientSawEnd);
        assertArrayEquals(
            StoreFixture.bytes(i % 8, 600_000),
            Responses.parse(client.clientGot(), n -> false, true).getFirst().body());
      }
    }
  }
}
