package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.PlaceConfig;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.WaitingServers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** From socket to disk and back: a real volume, a real server, the library's client. */
@ExtendWith(BufferLeakCheck.class)
class HttpServiceTest {
  private static final long FAR_BYTES = (5L << 30) + 77;

  @TempDir Path folder;

  /** A server of a store, of the kind that its engine has. */
  private static WaitingServers.Serving start(
      Upcall store, HttpConfig config, InetSocketAddress address) {
    if (store.config().engine() == Engine.FSM) {
      HttpService service = HttpService.start(store.fsm(), config, address);
      return new WaitingServers.Serving(service::address, service::metrics, service::close);
    }
    return WaitingServers.here().start(store, config, address);
  }

  private static byte[] noise(int seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @ParameterizedTest
  @EachEngine
  void whatIsWrittenIsServedAlsoAfterOpeningAgain(TestedStore tested) throws Exception {
    int[] sizes = {0, 1, 700, 5_000, 8_192, 100_000, 20_000_000};
    try (Upcall store = Upcall.create(folder.resolve("volume"), tested.config())) {
      for (int size : sizes) {
        ByteArrayInputStream content = new ByteArrayInputStream(noise(size, size));
        store.write("/dir/file " + size, content, PutOptions.WITH_PARENTS);
      }
      try (Upcall.RandomAccess far = store.open("/dir/far", OpenMode.CREATE)) {
        far.write(FAR_BYTES, ByteBuffer.wrap(noise(9, 300_000)));
      }
      serve(store, sizes);
    }
    try (Upcall store = Upcall.open(folder.resolve("volume"), tested.config())) {
      serve(store, sizes);
    }
  }

  @ParameterizedTest
  @EachEngine
  void whatIsPutIsServedAndDeleted(TestedStore tested) throws Exception {
    HttpConfig writable = HttpConfig.defaults().withWritable(true);
    try (Upcall store = Upcall.create(folder.resolve("volume"), tested.config());
        WaitingServers.Serving service = start(store, writable, anyPort());
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      String file = "http://127.0.0.1:" + service.address().getPort() + "/new/dir/f";
      byte[] content = noise(1, 3_000_000);
      HttpResponse<byte[]> made = change(client, "PUT", file, content, "If-None-Match", "*");
      assertEquals(201, made.statusCode());
      assertEquals(412, change(client, "PUT", file, content, "If-None-Match", "*").statusCode());
      assertArrayEquals(content, change(client, "GET", file, null, "Accept", "*/*").body());
      assertArrayEquals(content, store.readAllBytes("/new/dir/f"));
      String tag = made.headers().firstValue("etag").orElseThrow();
      assertEquals(304, change(client, "GET", file, null, "If-None-Match", tag).statusCode());
      byte[] small = noise(2, 700);
      HttpResponse<byte[]> next = change(client, "PUT", file, small, "If-Match", tag);
      assertEquals(204, next.statusCode());
      assertEquals(412, change(client, "DELETE", file, null, "If-Match", tag).statusCode());
      assertArrayEquals(small, change(client, "GET", file, null, "Accept", "*/*").body());
      String now = next.headers().firstValue("etag").orElseThrow();
      assertEquals(204, change(client, "DELETE", file, null, "If-Match", now).statusCode());
      assertEquals(404, change(client, "GET", file, null, "Accept", "*/*").statusCode());
      String directory = file.substring(0, file.lastIndexOf('/'));
      assertEquals(409, change(client, "PUT", directory, small, "Accept", "*/*").statusCode());
    }
  }

  /** The store has 48 places for them. */
  @ParameterizedTest
  @EachEngine
  void aThousandUploadsAtOnceAreAllTaken(TestedStore tested) {
    int clients = 1000;
    HttpConfig ofOneAddress =
        HttpConfig.defaults()
            .withWritable(true)
            .withAdmission(HttpConfig.Admission.OPEN.withMaxUploadsOfAddress(clients));
    UpcallConfig patient =
        tested.config().withPlaces(PlaceConfig.DEFAULT.withWait(Duration.ofMinutes(10)));
    try (Upcall store = Upcall.create(folder.resolve("volume"), patient);
        WaitingServers.Serving service = start(store, ofOneAddress, anyPort());
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      String root = "http://127.0.0.1:" + service.address().getPort() + "/f";
      List<CompletableFuture<HttpResponse<Void>>> answers = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        HttpRequest put =
            HttpRequest.newBuilder(URI.create(root + i))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(noise(i, 40_000)))
                .build();
        answers.add(client.sendAsync(put, BodyHandlers.discarding()));
      }
      answers.forEach(answer -> assertEquals(201, answer.join().statusCode()));
      assertArrayEquals(noise(999, 40_000), store.readAllBytes("/f999"));
    }
  }

  private static HttpResponse<byte[]> change(
      HttpClient client, String method, String uri, byte @Nullable [] body, String... field)
      throws IOException, InterruptedException {
    HttpRequest.BodyPublisher publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofByteArray(body);
    return client.send(
        HttpRequest.newBuilder(URI.create(uri)).method(method, publisher).headers(field).build(),
        BodyHandlers.ofByteArray());
  }

  private static void serve(Upcall store, int[] sizes) throws IOException, InterruptedException {
    try (WaitingServers.Serving service = start(store, HttpConfig.defaults(), anyPort());
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      String root = "http://127.0.0.1:" + service.address().getPort();
      String page =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(root + "/dir/")).build(),
                  BodyHandlers.ofString())
              .body();
      List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        for (int size : sizes) {
          assertTrue(page.contains("\"file%20" + size + "\""));
          URI uri = URI.create(root + "/dir/file%20" + size);
          answers.add(
              client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray()));
        }
      }
      for (int i = 0; i < answers.size(); i++) {
        int size = sizes[i % sizes.length];
        assertArrayEquals(noise(size, size), answers.get(i).join().body());
      }
      assertEquals(3 * sizes.length + 1, service.metrics().responses(2));
      readParts(client, root);
      UpcallException taken =
          assertThrows(
              UpcallException.class, () -> start(store, HttpConfig.defaults(), service.address()));
      assertTrue(taken.getMessage().contains("listening on"), taken.getMessage());
    }
  }

  /** Parts of a large file, and of one that begins behind five GiB of nothing. */
  private static void readParts(HttpClient client, String root)
      throws IOException, InterruptedException {
    byte[] large = noise(20_000_000, 20_000_000);
    Random random = new Random(4);
    for (int i = 0; i < 20; i++) {
      int first = random.nextInt(large.length);
      int end = first + 1 + random.nextInt(Math.min(400_000, large.length - first));
      assertArrayEquals(
          Arrays.copyOfRange(large, first, end),
          part(client, root + "/dir/file%2020000000", first + "-" + (end - 1)));
    }
    byte[] behind = noise(9, 300_000);
    assertArrayEquals(behind, part(client, root + "/dir/far", FAR_BYTES + "-"));
    assertArrayEquals(behind, part(client, root + "/dir/far", "-300000"));
    assertArrayEquals(
        Arrays.copyOfRange(behind, 123_456, 234_567),
        part(client, root + "/dir/far", (FAR_BYTES + 123_456) + "-" + (FAR_BYTES + 234_566)));
  }

  private static byte[] part(HttpClient client, String uri, String range)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(uri)).header("Range", "bytes=" + range).build();
    HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
    assertEquals(206, response.statusCode());
    return response.body();
  }
}
