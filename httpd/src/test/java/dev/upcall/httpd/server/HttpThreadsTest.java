package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerMetrics;
import dev.upcall.FileOperation;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.base.Invariants;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Responses;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SitePage;
import dev.upcall.io.IoClass;
import dev.upcall.request.Resolved;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Sessions on several threads in front of a real store. */
@ExtendWith(BufferLeakCheck.class)
@Tag("races")
class HttpThreadsTest {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final int THREADS = 3;
  private static final int MANY_APPENDS = 30;
  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(16L << 20).withCapBytes(256L << 20);

  @TempDir Path folder;

  private FsmUpcall store() {
    return Upcall.create(folder.resolve("volume.upcall"), SMALL).fsm();
  }

  private static HttpConfig several() {
    return HttpConfig.defaults().withWritable(true).withThreads(THREADS);
  }

  private static boolean isPossible() {
    return HttpThreads.unavailable().isEmpty();
  }

  private static byte[] noise(int seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static Socket connect(HttpService service) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.address().getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Over a connection of its own. */
  private static List<Responses.Response> exchange(HttpService service, byte[]... requests)
      throws IOException {
    try (Socket socket = connect(service)) {
      for (byte[] request : requests) {
        socket.getOutputStream().write(request);
      }
      socket.shutdownOutput();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(all);
      boolean head =
          requests.length == 1
              && new String(requests[0], 0, 4, StandardCharsets.US_ASCII).equals("HEAD");
      return Responses.parse(all.toByteArray(), n -> head, true);
    }
  }

  private static Responses.Response one(HttpService service, String request) throws IOException {
    List<Responses.Response> all = exchange(service, latin1(request));
    assertEquals(1, all.size());
    return all.getFirst();
  }

  private static void await(HttpService service, Predicate<HttpMetrics> wish) {
    long deadline = System.nanoTime() + 120_000_000_000L;
    while (!wish.test(service.metrics())) {
      assertTrue(System.nanoTime() < deadline, () -> "not in time: " + service.metrics());
      Thread.onSpinWait();
    }
  }

  @Test
  void withoutSocketsThatShareItSaysWhatToDo() {
    if (isPossible()) {
      return;
    }
    try (FsmUpcall store = store()) {
      UpcallException refused =
          assertThrows(UpcallException.class, () -> HttpService.start(store, several(), ANYWHERE));
      assertTrue(refused.getMessage().contains("connections.threads 1"), refused.getMessage());
    }
  }

  @Test
  void whatIsAskedForWronglyIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> HttpConfig.defaults().withThreads(0));
    assertThrows(IllegalArgumentException.class, () -> HttpConfig.defaults().withThreads(65));
    if (!isPossible()) {
      return;
    }
    try (FsmUpcall store = store()) {
      UpcallException refused =
          assertThrows(
              UpcallException.class,
              () ->
                  HttpService.start(store, Site.ofReads(store.fileManager()), several(), ANYWHERE));
      assertEquals(
          new Failure.Invalid("this site cannot be changed, and requests.writable asks for it"),
          refused.failure());
      try (HttpService service = HttpService.start(store, several(), ANYWHERE)) {
        UpcallException taken =
            assertThrows(
                UpcallException.class,
                () -> HttpService.start(store, several(), service.address()));
        assertTrue(taken.failure() instanceof Failure.Device, taken.getMessage());
        assertThrows(IllegalStateException.class, service::server);
      }
      assertEquals(0, store.list("/", 10).entries().size());
    }
  }

  /**
   * From memory, from the device, in parts, of what has been; in all sizes that make a difference.
   */
  @Test
  void filesAreReadAsByOneThread() throws IOException {
    if (!isPossible()) {
      return;
    }
    int[] sizes = {0, 1, 511, 513, 4097, 8192, 65_535, 65_536, 65_537, 700_001, 5_000_000};
    try (FsmUpcall store = store()) {
      for (int size : sizes) {
        store.write(
            "/d/f" + size, new ByteArrayInputStream(noise(size, size)), PutOptions.WITH_PARENTS);
      }
      store.createSnapshot("before");
      store.write("/d/f513", noise(1, 10));
    }
    try (FsmUpcall store = Upcall.open(folder.resolve("volume.upcall"), SMALL).fsm();
        HttpService service = HttpService.start(store, several(), ANYWHERE)) {
      Random random = new Random(5);
      for (int round = 0; round < 3; round++) {
        StringBuilder pipelined = new StringBuilder();
        for (int size : sizes) {
          String path = "/d/f" + size + "?snapshot=before";
          byte[] all = noise(size, size);
          assertArrayEquals(all, one(service, "GET " + path + HOST).body());
          assertEquals(
              Integer.toString(size), one(service, "HEAD " + path + HOST).header("Content-Length"));
          pipelined.append("GET ").append(path).append(HOST);
          if (size > 0) {
            int first = random.nextInt(size);
            int last = first + random.nextInt(Math.min(size - first, 1 << random.nextInt(23)));
            String range = "Range: bytes=" + first + "-" + last + "\r\n\r\n";
            Responses.Response part =
                one(service, "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + range);
            assertEquals(206, part.status());
            assertArrayEquals(Arrays.copyOfRange(all, first, last + 1), part.body());
          }
        }
        List<Responses.Response> answers = exchange(service, latin1(pipelined.toString()));
        for (int i = 0; i < sizes.length; i++) {
          assertArrayEquals(noise(sizes[i], sizes[i]), answers.get(i).body());
        }
      }
      assertArrayEquals(noise(1, 10), one(service, "GET /d/f513" + HOST).body());
      Responses.Response file = one(service, "GET /d/f8192" + HOST);
      String same = " HTTP/1.1\r\nHost: a\r\nIf-None-Match: " + file.header("ETag") + "\r\n\r\n";
      assertEquals(304, one(service, "GET /d/f8192" + same).status());
      assertEquals(404, one(service, "GET /d/f8192?snapshot=no" + HOST).status());
      assertTrue(one(service, "GET /d/" + HOST).text().contains("f700001"));
      assertEquals("/d/", one(service, "GET /d" + HOST).header("Location"));
    }
  }

  @Test
  void filesAreMadeReplacedAndDeleted() throws IOException {
    if (!isPossible()) {
      return;
    }
    try (FsmUpcall store = store();
        HttpService service = HttpService.start(store, several(), ANYWHERE)) {
      byte[] large = noise(1, 3_000_000);
      String put = "PUT /new/f HTTP/1.1\r\nHost: a\r\nContent-Length: ";
      assertEquals(
          201,
          exchange(service, latin1(put + large.length + "\r\n\r\n"), large).getFirst().status());
      assertArrayEquals(large, one(service, "GET /new/f" + HOST).body());
      assertArrayEquals(large, store.readAllBytes("/new/f"));
      assertEquals(204, one(service, put + "3\r\n\r\nabc").status());
      assertEquals("abc", one(service, "GET /new/f" + HOST).text());
      try (Socket gone = connect(service)) {
        gone.getOutputStream().write(latin1(put + large.length + "\r\n\r\n"));
        gone.getOutputStream().write(large, 0, 1_000_000);
        await(service, counts -> counts.of(HttpCount.UPLOADS_BEGUN) == 3);
        gone.setSoLinger(true, 0);
      }
      await(
          service,
          counts -> counts.of(HttpCount.UPLOADS_BEGUN) == counts.of(HttpCount.UPLOADS_ENDED));
      assertEquals("abc", one(service, "GET /new/f" + HOST).text());
      assertEquals(409, one(service, "DELETE /new" + HOST).status());
      assertEquals(204, one(service, "DELETE /new/f" + HOST).status());
      assertEquals(404, one(service, "GET /new/f" + HOST).status());
      await(service, counts -> counts.of(HttpCount.OPEN_CONNECTIONS) == 0);
      HttpMetrics counts = service.metrics();
      assertEquals(THREADS, counts.of(HttpCount.THREADS));
      assertEquals(9, counts.of(HttpCount.REQUESTS));
      assertEquals(9, counts.of(HttpCount.ACCEPTED_CONNECTIONS));
      assertEquals(2, counts.of(HttpCount.UPLOADS_COMMITTED));
    }
  }

  /** Each thread has its part of a limit, and all together have all of it. */
  @Test
  void limitsAreShared() throws IOException {
    if (!isPossible()) {
      return;
    }
    try (FsmUpcall store = store();
        HttpService service = HttpService.start(store, several().withMaxConnections(9), ANYWHERE)) {
      List<Socket> kept = new ArrayList<>();
      int refused = 0;
      for (int i = 0; i < 90; i++) {
        Socket client = connect(service);
        client.getOutputStream().write(latin1("GET /none" + HOST));
        byte[] line = client.getInputStream().readNBytes(12);
        switch (new String(line, StandardCharsets.US_ASCII)) {
          case "HTTP/1.1 404" -> kept.add(client);
          case "HTTP/1.1 503" -> {
            refused++;
            client.close();
          }
          default -> throw new AssertionError(new String(line, StandardCharsets.US_ASCII));
        }
      }
      assertEquals(9, kept.size(), "30 of 90 come to each by chance, and 3 of them stay");
      assertEquals(refused, service.metrics().of(HttpCount.REFUSED_CONNECTIONS));
      for (Socket client : kept) {
        client.close();
      }
    }
  }

  /** What was accepted is answered whole, and the store gets everything back. */
  @Test
  void stoppingUnderLoadLosesNoAnswer() throws Exception {
    if (!isPossible()) {
      return;
    }
    try (FsmUpcall store = store()) {
      int[] sizes = {700, 8192, 60_000, 300_000};
      for (int size : sizes) {
        store.write("/f" + size, noise(size, size));
      }
      HttpService service = HttpService.start(store, several(), ANYWHERE);
      AtomicInteger whole = new AtomicInteger();
      AtomicInteger broken = new AtomicInteger();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        int size = sizes[i % sizes.length];
        Socket socket = connect(service);
        clients.add(
            Thread.ofVirtual()
                .start(() -> ask(socket, "/f" + size, noise(size, size), whole, broken)));
      }
      await(service, counts -> counts.responses(2) > 500);
      service.close();
      for (Thread client : clients) {
        client.join();
      }
      assertEquals(0, broken.get());
      HttpMetrics counts = service.metrics();
      assertEquals(counts.responses(2), whole.get());
      assertEquals(0, counts.of(HttpCount.OPEN_CONNECTIONS));
      assertEquals(counts.of(HttpCount.FILES_OPENED), counts.of(HttpCount.FILES_CLOSED));
      assertEquals(0, counts.of(HttpCount.BROKEN_RESPONSES));
    } // what sessions had lost of leases and versions would fail the close of the store
  }

  /** The store is asked twice for that, on another thread than the session's. */
  @Test
  void stoppingInTheBodyOfAnUploadKeepsWhatCame() throws IOException {
    if (!isPossible()) {
      return;
    }
    HttpConfig hasty = several().withDrainNanos(0);
    HttpConfig resumable =
        hasty.withPolicy(
            hasty.policy().withResumable(ResumableUploads.of(new SplittableRandom(1))));
    try (FsmUpcall store = store()) {
      HttpService service = HttpService.start(store, resumable, ANYWHERE);
      try (Socket client = connect(service)) {
        client
            .getOutputStream()
            .write(
                latin1(
                    "PUT /f HTTP/1.1\r\nHost: a\r\nUpload-Draft-Interop-Version: 8\r\n"
                        + "Upload-Complete: ?1\r\nContent-Length: 10000000\r\n\r\n"));
        client.getOutputStream().write(noise(1, 3_000_000));
        long deadline = System.nanoTime() + 120_000_000_000L;
        while (appends(store) < MANY_APPENDS) {
          assertTrue(System.nanoTime() < deadline, "nothing has come");
        }
        service.close();
      }
    }
    try (FsmUpcall store = Upcall.open(folder.resolve("volume.upcall"), SMALL).fsm()) {
      List<FileInfo> left = store.list(ResumableUploads.PLACE, 10).entries();
      assertEquals(1, left.size(), left::toString);
      assertTrue(left.getFirst().sizeBytes() > 0, left::toString);
    }
  }

  private static long appends(FsmUpcall store) {
    CompletableFuture<Long> counted = new CompletableFuture<>();
    store.execute(
        () -> {
          FileManagerMetrics counts = store.fileManager().metrics();
          counted.complete(counts.of(FileOperation.PUT_APPEND).nanos().count());
        });
    return counted.join();
  }

  /** Asks until the connection ends; an answer that has begun must be whole. */
  private static void ask(
      Socket socket, String path, byte[] content, AtomicInteger whole, AtomicInteger broken) {
    byte[] request = latin1("GET " + path + HOST);
    try (socket) {
      while (true) {
        try {
          socket.getOutputStream().write(request);
          if (socket.getInputStream().read() != 'H') {
            return;
          }
        } catch (IOException ended) {
          return; // between two answers a server may go
        }
        byte[] head = head(socket);
        byte[] body = socket.getInputStream().readNBytes(content.length);
        (Arrays.equals(content, body) ? whole : broken).incrementAndGet();
        if (new String(head, StandardCharsets.US_ASCII).contains("Connection: close")) {
          return;
        }
      }
    } catch (IOException cut) {
      broken.incrementAndGet();
    }
  }

  private static byte[] head(Socket socket) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    for (int newlines = 0; newlines < 2; ) {
      int c = socket.getInputStream().read();
      if (c < 0) {
        throw new IOException("cut in its head");
      }
      newlines = c == '\n' ? newlines + 1 : c == '\r' ? newlines : 0;
      head.write(c);
    }
    return head.toByteArray();
  }

  /** A slice of nothing, which no session takes for one. */
  private record Lying(PinnedContent content) implements PinnedContent {
    @Override
    public Inode inode() {
      return content.inode();
    }

    @Override
    public void read(long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> to) {
      content.read(offset, 0, ioClass, to);
    }

    @Override
    public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
      return null;
    }

    @Override
    public void close() {
      content.close();
    }
  }

  /** Files whose content cannot be what it says. */
  private record LyingSite(FileManager files) implements Site {
    @Override
    public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
      files.openRead(
          path,
          owner,
          opened ->
              port.complete(
                  opened.map(file -> new OpenFile(file.info(), new Lying(file.content())))));
    }

    @Override
    public void list(StorePath directory, String after, int limit, CompletionPort<SitePage> port) {
      Site.ofReads(files).list(directory, after, limit, port);
    }

    @Override
    public void names(
        StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
      files.names(directory, range, port);
    }

    @Override
    public void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port) {
      Site.ofReads(files).resolve(path, links, port);
    }

    @Override
    public void follow(StorePath link, CompletionPort<LinkTarget> port) {
      Site.ofReads(files).follow(link, port);
    }
  }

  @Test
  void theStoreFailsWithOneOfThem() throws IOException {
    if (!isPossible()) {
      return;
    }
    FsmUpcall store = store();
    store.write("/a", noise(1, 5000));
    HttpConfig three = HttpConfig.defaults().withThreads(THREADS);
    HttpService service =
        HttpService.start(store, new LyingSite(store.fileManager()), three, ANYWHERE);
    try (Socket client = connect(service)) {
      client.getOutputStream().write(latin1("GET /a" + HOST));
      client.getInputStream().transferTo(new ByteArrayOutputStream());
    } catch (IOException reset) {
      assertTrue(!(reset instanceof java.net.SocketTimeoutException), reset::toString);
    }
    assertThrows(RuntimeException.class, service::close);
    RuntimeException why = assertThrows(RuntimeException.class, () -> store.stat("/a"));
    assertTrue(causes(why).contains("upcall-http-"), () -> causes(why));
    assertThrows(RuntimeException.class, store::close);
  }

  private static String causes(Throwable error) {
    return error.getCause() == null ? error.toString() : error + ", " + causes(error.getCause());
  }

  /** Nobody goes on serving in front of a store that has failed. */
  @Test
  void theyEndWithTheStore() throws IOException {
    if (!isPossible()) {
      return;
    }
    FsmUpcall store = store();
    HttpService service = HttpService.start(store, several(), ANYWHERE);
    try (Socket client = connect(service)) {
      client.getOutputStream().write(latin1("GET /none" + HOST));
      assertEquals('H', client.getInputStream().read());
      store.execute(() -> Invariants.check(false, "a failure of this test"));
      client.getInputStream().transferTo(new ByteArrayOutputStream());
    } catch (IOException reset) {
      assertTrue(!(reset instanceof java.net.SocketTimeoutException), reset::toString);
    }
    assertThrows(RuntimeException.class, service::close);
    assertThrows(RuntimeException.class, store::close);
  }
}
