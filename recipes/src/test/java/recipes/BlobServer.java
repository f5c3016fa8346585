package recipes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A blob store behind the HTTP server of the JDK; any other is used in the same way. */
public final class BlobServer {
  // begin
  private final Upcall store;

  void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    try {
      switch (exchange.getRequestMethod()) {
        case "PUT" -> {
          store.write(path, exchange.getRequestBody(), PutOptions.WITH_PARENTS); // of any size
          exchange.sendResponseHeaders(204, -1); // it is durable now
        }
        case "GET" -> {
          try (Upcall.ReadStream blob = store.read(path)) { // one version, whoever replaces it
            exchange.getResponseHeaders().set("Content-Type", blob.info().mediaType());
            exchange.getResponseHeaders().set("ETag", blob.info().entityTag());
            long bytes = blob.info().sizeBytes();
            exchange.sendResponseHeaders(200, bytes == 0 ? -1 : bytes);
            blob.transferTo(exchange.getResponseBody());
          }
        }
        default -> exchange.sendResponseHeaders(405, -1);
      }
    } catch (UpcallException failed) {
      exchange.sendResponseHeaders(status(failed), -1);
    } finally {
      exchange.close();
    }
  }

  private static int status(UpcallException failed) {
    return switch (failed) {
      case UpcallException.NotFound _, UpcallException.NotADirectory _ -> 404;
      case UpcallException.Invalid _, UpcallException.IsADirectory _ -> 400;
      case UpcallException.VolumeFull _ -> 507;
      case UpcallException.Busy _ -> 503;
      default -> 500;
    };
  }

  // end

  private BlobServer(Upcall store) {
    this.store = store;
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", new BlobServer(store)::handle);
      server.setExecutor(threads);
      server.start();
      try {
        ask(server.getAddress().getPort());
      } finally {
        server.stop(1);
      }
    }
  }

  private static void ask(int port) throws IOException, InterruptedException {
    URI blob = URI.create("http://127.0.0.1:" + port + "/photos/cat.txt");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest put = HttpRequest.newBuilder(blob).PUT(BodyPublishers.ofString("a cat")).build();
      System.out.println("PUT " + client.send(put, BodyHandlers.discarding()).statusCode());
      HttpRequest get = HttpRequest.newBuilder(blob).build();
      System.out.println("GET " + client.send(get, BodyHandlers.ofString()).body());
      HttpRequest none = HttpRequest.newBuilder(blob.resolve("/photos/dog.txt")).build();
      System.out.println("GET " + client.send(none, BodyHandlers.discarding()).statusCode());
    }
  }
}
