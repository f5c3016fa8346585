package dev.upcall.bench.entrant;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Looks at a server before it is measured: a fast wrong answer is no result. */
final class Http {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 20;

  private Http() {}

  /** The body of a file; anything but 200 is a failure. */
  static byte[] get(Server.Live server, String path) throws IOException, InterruptedException {
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    server.trust().ifPresent(builder::sslContext);
    try (HttpClient client = builder.build()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.url() + path)).timeout(PATIENCE).build();
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new IOException("GET " + path + " was answered " + response.statusCode());
      }
      return response.body();
    }
  }

  /** Returns when somebody listens. */
  static void awaitListening(int port) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    while (true) {
      try (Socket probe = new Socket()) {
        probe.connect(address);
        return;
      } catch (IOException refused) {
        if (System.nanoTime() > deadline) {
          throw new IOException("nobody listens on port " + port, refused);
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }
}
