package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.house.FaceArguments;
import dev.upcall.house.StoreCallers;
import dev.upcall.httpd.log.AccessLog;
import dev.upcall.httpd.log.LogLine;
import dev.upcall.httpd.log.LogRing;
import dev.upcall.httpd.server.Endpoint;
import dev.upcall.httpd.server.HttpServer;
import dev.upcall.httpd.server.HttpService;
import dev.upcall.httpd.server.HttpThreads;
import dev.upcall.httpd.server.ListeningSocket;
import dev.upcall.httpd.tls.TestTls;
import dev.upcall.httpd.web.WebRules;
import dev.upcall.httpd.web.WebSection;
import dev.upcall.io.volume.NettyReactor;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What httpd exports names what is wrong with an argument, at once, and the store lives on. */
class HttpArgumentsTest {
  private static final Map<String, String> EXCEPTIONS =
      Map.of("ResponseGenerator", "programs implement it, and the server calls it");

  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT
          .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
          .withCapBytes(UpcallConfig.MIN_CAP_BYTES);

  private static final WebRules WEB = UpcallException.value(WebRules.parse("web", "cors / GET *"));

  @TempDir Path folder;

  private FsmUpcall store() {
    FsmUpcall store = Upcall.create(folder.resolve("volume.upcall"), SMALL).fsm();
    store.write("/text", new byte[10_000]);
    return store;
  }

  @Test
  void eachArgumentIsNamed() {
    try (FsmUpcall store = store();
        AccessLog log = AccessLog.open(folder.resolve("log"), AccessLog.Format.JSON);
        HttpService service = HttpService.start(store, HttpConfig.defaults(), ANYWHERE)) {
      FileManager files = store.fileManager();
      FaceArguments.Caller inside = new StoreCallers.OnStoresThread(store);
      FaceArguments face = face(store, service, log).except(EXCEPTIONS);
      try (Several several = Several.of(store)) {
        face.subject(Site.class, Site.of(files), inside)
            .subject(SiteChanges.class, SiteChanges.of(files), inside)
            .subject(SiteSnapshots.class, SiteSnapshots.of(files), inside)
            .subject(HttpServer.class, service.server(), inside)
            .subject(HttpService.class, service, inside);
        several.among(face, inside);
        assertEquals("", String.join("\n", face.complaints()));
      }
      assertTrue(face.calls() > 100, () -> "only " + face.calls());
    }
  }

  /** Threads in front of the store, where there can be any. */
  private record Several(@Nullable HttpThreads threads) implements AutoCloseable {
    static Several of(FsmUpcall store) {
      if (HttpThreads.unavailable().isPresent()) {
        return new Several(null);
      }
      Dispatcher home = store.fileManager().dispatcher();
      HttpConfig two = HttpConfig.defaults().withThreads(2);
      return new Several(HttpThreads.start(home, Site.of(store.fileManager()), two, ANYWHERE));
    }

    void among(FaceArguments face, FaceArguments.Caller inside) {
      if (threads == null) {
        face.except(Map.of("HttpThreads.metrics", "there are none without io_uring and epoll"));
      } else {
        face.subject(HttpThreads.class, threads, inside);
      }
    }

    @Override
    public void close() {
      if (threads != null) {
        threads.close();
      }
    }
  }

  private FaceArguments face(FsmUpcall store, HttpService service, AccessLog log) {
    return new FaceArguments(HttpServer.class)
        .sample(StorePath.class, () -> StorePath.of("/"))
        .sample(Listing.Range.class, () -> new Listing.Range(Listing.Direction.ASCENDING, 1))
        .sample(FsmUpcall.class, () -> store)
        .sample(Upcall.class, () -> store)
        .sample(FileManager.class, store::fileManager)
        .sample(Dispatcher.class, () -> store.fileManager().dispatcher())
        .sample(NettyReactor.class, () -> (NettyReactor) store.reactor())
        .sample(InetSocketAddress.class, () -> ANYWHERE)
        .sample(ListeningSocket.class, () -> service.server().listening())
        .sample(Endpoint.class, () -> Endpoint.of(ANYWHERE))
        .sample(TlsConfig.class, () -> TestTls.server(TlsConfig.Engine.JDK))
        .sample(Site.class, () -> Site.of(store.fileManager()))
        .sample(HttpMethod.class, () -> HttpMethod.GET)
        .sample(DistributionSnapshot.class, () -> DistributionSnapshot.EMPTY)
        .sample(HttpConfig.class, HttpConfig::defaults)
        .sample(HttpPolicy.class, () -> HttpPolicy.OPEN)
        .sample(WebRules.class, () -> WEB)
        .sample(ResumableUploads.class, () -> ResumableUploads.of(new SplittableRandom(1)))
        .sample(RandomGenerator.class, () -> new SplittableRandom(1))
        .sample(Duration.class, () -> Duration.ofDays(1))
        .sample(WebSection.class, () -> WEB.at("/"))
        .sample(WebSection.Field.class, () -> new WebSection.Field("A", "b"))
        .sample(WebSection.Cors.class, () -> WEB.at("/").cors().orElseThrow())
        .sample(InetAddress.class, InetAddress::getLoopbackAddress)
        .sample(AccessLog.class, () -> log)
        .sample(LogRing.class, log::newRing)
        .sample(LogLine.class, () -> new LogLine(AccessLog.Format.JSON))
        .sample(AccessLog.Format.class, () -> AccessLog.Format.JSON)
        .sample(Path.class, () -> folder.resolve("another log"))
        .sample(TrustedProxies.class, () -> TrustedProxies.NONE)
        .sample(LinkPolicy.class, () -> LinkPolicy.FOLLOW)
        .sample(HttpConfig.Connections.class, () -> HttpConfig.Connections.DEFAULT)
        .sample(HttpConfig.Requests.class, () -> HttpConfig.Requests.DEFAULT)
        .sample(HttpConfig.Responses.class, () -> HttpConfig.Responses.DEFAULT)
        .sample(HttpCounters.class, HttpCounters::new)
        .sample(HttpMetrics.class, service::metrics);
  }

  @Test
  void aSiteThatCannotBeChangedIsNotServedToBeWritten() {
    HttpConfig writable = HttpConfig.defaults().withWritable(true);
    try (FsmUpcall store = store()) {
      Site reads = Site.ofReads(store.fileManager());
      UpcallException refused =
          assertThrows(
              UpcallException.class, () -> HttpService.start(store, reads, writable, ANYWHERE));
      assertEquals(
          new Failure.Invalid("this site cannot be changed, and requests.writable asks for it"),
          refused.failure());
      assertEquals(10_000, store.stat("/text").sizeBytes());
    }
  }

  @Test
  void aServerMayBeClosedTwice() {
    try (FsmUpcall store = store()) {
      HttpService service = HttpService.start(store, HttpConfig.defaults(), ANYWHERE);
      service.close();
      service.close();
      store.await(service.server()::close);
      assertEquals(10_000, store.stat("/text").sizeBytes());
    }
  }
}
