package dev.upcall.httpd.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.WaitingServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Many clients that change one file, each again when another was quicker: nothing is lost. */
@ExtendWith(BufferLeakCheck.class)
@Tag("races")
class PatchClientsTest {
  private static final int CLIENTS = 8;
  private static final int CHANGES = 6;

  @TempDir Path folder;

  @ParameterizedTest
  @EachEngine
  void nothingIsLost(Engine engine) throws Exception {
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withMemoryBytes(16L << 20)
            .withCapBytes(256L << 20)
            .withEngine(engine)
            .withDisk(DiskKind.CHANNEL);
    HttpConfig writable = HttpConfig.defaults().withWritable(true);
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Upcall store = Upcall.create(folder.resolve("volume"), config)) {
      store.write("/f", new byte[30_000]);
      if (engine == Engine.FSM) {
        try (HttpService service = HttpService.start(store.fsm(), writable, anyPort)) {
          change(service.address());
        }
      } else {
        try (WaitingServers.Serving server =
            WaitingServers.here().start(store, writable, anyPort)) {
          change(server.address());
        }
      }
      String all = new String(store.readAllBytes("/f"), StandardCharsets.ISO_8859_1);
      assertEquals(30_000 + CLIENTS * CHANGES * mark(0, 0).length(), all.length());
      for (int client = 0; client < CLIENTS; client++) {
        for (int change = 0; change < CHANGES; change++) {
          assertTrue(all.contains(mark(client, change)), mark(client, change));
        }
      }
    }
  }

  private static String mark(int client, int change) {
    return "<client %02d, change %02d>".formatted(client, change);
  }

  private static void change(InetSocketAddress address) throws Exception {
    URI file = URI.create("http://127.0.0.1:" + address.getPort() + "/f");
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<Future<?>> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        int number = client;
        clients.add(
            threads.submit(
                () -> {
                  for (int change = 0; change < CHANGES; change++) {
                    insert(http, file, mark(number, change), 1000 * number);
                  }
                  return null;
                }));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
  }

  /** Marks lie in the middle of zeros: an insert at another version's offset may split one. */
  private static void insert(HttpClient http, URI file, String mark, int offset)
      throws IOException, InterruptedException {
    int status;
    do {
      HttpResponse<String> seen =
          http.send(
              HttpRequest.newBuilder(file).build(),
              BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
      int at = seen.body().indexOf("\0", offset);
      HttpRequest patch =
          HttpRequest.newBuilder(file)
              .header("Content-Type", "application/vnd.upcall.edits")
              .header("If-Match", seen.headers().firstValue("ETag").orElseThrow())
              .method(
                  "PATCH",
                  BodyPublishers.ofString("insert %d %d\n%s".formatted(at, mark.length(), mark)))
              .build();
      status = http.send(patch, BodyHandlers.discarding()).statusCode();
      assertTrue(status == 204 || status == 412, "" + status);
    } while (status == 412);
  }
}
