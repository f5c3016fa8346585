package dev.upcall.cli.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.server.HttpService;
import dev.upcall.httpd.server.SocketKind;
import dev.upcall.metrics.MetricsSnapshot;
import dev.upcall.metrics.UpcallMetrics;
import dev.upcall.store.Limit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the admin port answers. */
class AdminPagesTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path folder;

  private static Completion<GeneratedResponse> ask(MetricsWorld world, String path) {
    AdminPages pages = new AdminPages(world.files, () -> null);
    return world.machine.await(port -> pages.answer(StorePath.of(path), port));
  }

  private static GeneratedResponse page(MetricsWorld world, String path) {
    return assertInstanceOf(Completion.Done.class, ask(world, path)).value()
            instanceof GeneratedResponse page
        ? page
        : null;
  }

  @Test
  void whoIsAboutToStopIsNotReady() {
    try (MetricsWorld world = new MetricsWorld(5)) {
      AdminPages pages =
          new AdminPages(world.files, () -> null, () -> null, () -> null, () -> true);
      Completion<GeneratedResponse> ready =
          world.machine.await(port -> pages.answer(StorePath.of("/readyz"), port));
      GeneratedResponse page = ((Completion.Done<GeneratedResponse>) ready).value();
      assertEquals(Status.SERVICE_UNAVAILABLE, page.status());
      assertTrue(new String(page.body(), UTF_8).startsWith("{\"status\":\"stopping\","));
      Completion<GeneratedResponse> health =
          world.machine.await(port -> pages.answer(StorePath.of("/healthz"), port));
      assertEquals(Status.OK, ((Completion.Done<GeneratedResponse>) health).value().status());
    }
  }

  @Test
  void healthTurnsWhenASyncHasFailed() {
    try (MetricsWorld world = new MetricsWorld(5)) {
      world.put("/a", "x");
      assertEquals(Status.OK, page(world, "/readyz").status());
      assertTrue(new String(page(world, "/readyz").body(), UTF_8).contains("\"ready\""));
      world.failSync();
      GeneratedResponse ready = page(world, "/readyz");
      String said = new String(ready.body(), UTF_8);
      assertEquals(Status.SERVICE_UNAVAILABLE, ready.status());
      assertTrue(said.startsWith("{\"status\":\"read-only\",\"reason\":\""), said);
      assertTrue(said.contains("sync failed"), said);
      assertEquals(Status.OK, page(world, "/healthz").status(), "it still lives, and reads");
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      UpcallMetrics.of(world::snapshot, world.machine.clock()).bindTo(registry);
      assertEquals(1, registry.get("upcall.store.read.only").gauge().value());
    }
  }

  @Test
  void readiness_saysWhatTransfers() {
    try (MetricsWorld world = new MetricsWorld(5)) {
      HttpSource http = HttpSource.of(() -> null);
      for (SocketKind kind : SocketKind.values()) {
        AdminPages pages =
            new AdminPages(world.files, http.carriedBy(kind), () -> null, () -> null, () -> false);
        Completion<GeneratedResponse> ready =
            world.machine.await(port -> pages.answer(StorePath.of("/readyz"), port));
        byte[] body = ((Completion.Done<GeneratedResponse>) ready).value().body();
        String sockets = kind.name().toLowerCase(Locale.ROOT);
        assertTrue(
            new String(body, UTF_8)
                .contains("\"disk\":\"channel\",\"sockets\":\"" + sockets + "\""),
            () -> new String(body, UTF_8));
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        UpcallMetrics.of(
                () -> MetricsSnapshot.of(world.files).with(new SocketMeters(kind)),
                world.machine.clock())
            .bindTo(registry);
        boolean ring = kind == SocketKind.RING || kind == SocketKind.IO_URING;
        assertEquals(ring ? 1 : 0, registry.get("upcall.http.ring").gauge().value(), sockets);
        assertEquals(
            1, registry.get("upcall.http.sockets").tag("kind", sockets).gauge().value(), sockets);
        assertEquals(0, registry.get("upcall.store.ring").gauge().value(), "no ring in memory");
      }
    }
  }

  @Test
  void nothingElseIsThere() {
    try (MetricsWorld world = new MetricsWorld(6)) {
      world.put("/a", "x");
      for (String path : List.of("/a", "/metrics/", "/metrics/x", "/index.html")) {
        if (!path.endsWith("/")) {
          Completion<GeneratedResponse> answer = ask(world, path);
          assertInstanceOf(
              Failure.NotFound.class, assertInstanceOf(Completion.Failed.class, answer).failure());
        }
      }
    }
  }

  private static HttpResponse<String> get(HttpService service, String path) {
    try {
      URI uri = URI.create("http://127.0.0.1:" + service.address().getPort() + path);
      return CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    } catch (java.io.IOException | InterruptedException error) {
      throw new AssertionError(error);
    }
  }

  @Test
  void limitsAreThoseOfTheStore() {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20).withCapBytes(128L << 20);
    try (Upcall store = Upcall.create(folder.resolve("volume"), config)) {
      FileManager files = store.fsm().fileManager();
      LimitsPage pages = new LimitsPage(new AdminPages(files, () -> null), files, store.config());
      try (HttpService service =
          HttpService.start(store.fsm(), Site.ofPages(pages), AdminPages.limits(), anyPort())) {
        HttpResponse<String> limits = get(service, "/limits");
        assertEquals("application/json", limits.headers().firstValue("Content-Type").orElse(""));
        String disk = store.info().disk().name().toLowerCase(Locale.ROOT);
        assertTrue(limits.body().contains("\"disk\":\"" + disk + "\""), limits::body);
        for (Limit limit : store.limits()) {
          String field = "{\"name\":\"%s\",\"value\":%d,".formatted(limit.name(), limit.value());
          assertTrue(limits.body().contains(field), () -> field + " in " + limits.body());
        }
        String index = get(service, "/").body();
        assertTrue(index.contains("/metrics ") && index.contains("/limits "), index);
        assertEquals(200, get(service, "/healthz").statusCode());
      }
    }
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static DispatcherMetrics dispatcher(Upcall store) {
    CompletableFuture<DispatcherMetrics> metrics = new CompletableFuture<>();
    store.fsm().execute(() -> metrics.complete(store.fsm().fileManager().dispatcher().metrics()));
    return metrics.join();
  }

  /**
   * While the text is being made, however long that takes, the store's thread takes its turns and
   * serves; all who ask meanwhile get that text, and nobody's thread is taken for it twice.
   */
  @Test
  void aScrapeUnderLoadHoldsNobodyUp() throws Exception {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20).withCapBytes(128L << 20);
    CountDownLatch mayFinish = new CountDownLatch(1);
    CountDownLatch isMaking = new CountDownLatch(1);
    List<MetricsSnapshot> made = new CopyOnWriteArrayList<>();
    try (Upcall store = Upcall.create(folder.resolve("volume"), config)) {
      store.write("/a", "over http".getBytes(UTF_8));
      try (HttpService files = HttpService.start(store.fsm(), HttpConfig.defaults(), anyPort())) {
        AdminPages pages =
            new AdminPages(
                store.fsm().fileManager(),
                files.server()::metrics,
                snapshot -> {
                  made.add(snapshot);
                  isMaking.countDown();
                  try {
                    mayFinish.await();
                  } catch (InterruptedException interrupted) {
                    throw new AssertionError(interrupted);
                  }
                  return "text".getBytes(UTF_8);
                });
        try (HttpService admin =
            HttpService.start(store.fsm(), Site.ofPages(pages), AdminPages.limits(), anyPort())) {
          List<CompletableFuture<String>> scrapes =
              IntStream.range(0, 5)
                  .mapToObj(i -> CompletableFuture.supplyAsync(() -> get(admin, "/metrics").body()))
                  .toList();
          isMaking.await();
          long turns = dispatcher(store).turns();
          for (int i = 0; i < 100; i++) {
            assertEquals("over http", get(files, "/a").body());
          }
          assertTrue(dispatcher(store).turns() >= turns + 100, "the store's thread turned on");
          assertTrue(scrapes.stream().noneMatch(CompletableFuture::isDone), "still being made");
          assertEquals(1, made.size(), "one text at a time");
          mayFinish.countDown();
          for (CompletableFuture<String> scrape : scrapes) {
            assertEquals("text", scrape.join());
          }
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          ServerMetrics.of(store.fsm(), files).bindTo(registry);
          assertEquals(
              100,
              registry.get("upcall.http.request").tag("method", "GET").functionTimer().count());
          assertEquals(
              100,
              registry
                  .get("upcall.files.request")
                  .tag("operation", "open_read")
                  .functionTimer()
                  .count());
          assertEquals(404, get(admin, "/a").statusCode(), "no file through the admin port");
          assertEquals(404, get(files, "/metrics").statusCode(), "no metrics where files are");
        }
      }
    }
  }
}
