package recipes;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.upcall.FileInfo;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A blob store behind the HTTP server of the JDK; any other is used in the same way. */
public final class BlobServer {
  // begin
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  private final Upcall store;

  void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    try {
      switch (exchange.getRequestMethod()) {
        case "PUT" -> {
          FileInfo stored = store.write(path, exchange.getRequestBody(), PutOptions.WITH_PARENTS);
          exchange.getResponseHeaders().set("ETag", tag(stored)); // of any size, and durable now
          exchange.sendResponseHeaders(204, -1);
        }
        case "GET", "HEAD" -> {
          try (Upcall.ReadStream blob = store.read(path)) { // one version, whoever replaces it
            send(blob, exchange);
          }
        }
        default -> {
          exchange.getResponseHeaders().set("Allow", "GET, HEAD, PUT");
          exchange.sendResponseHeaders(405, -1);
        }
      }
    } catch (UpcallException failed) {
      exchange.sendResponseHeaders(status(failed), -1);
    } finally {
      exchange.close();
    }
  }

  private static void send(Upcall.ReadStream blob, HttpExchange exchange) throws IOException {
    Headers asked = exchange.getRequestHeaders();
    Headers head = exchange.getResponseHeaders();
    String tag = tag(blob.info());
    head.set("ETag", tag);
    if (tag.equals(asked.getFirst("If-None-Match"))) {
      exchange.sendResponseHeaders(304, -1);
      return;
    }
    long size = blob.info().sizeBytes();
    long first = 0;
    long end = size;
    int status = 200;
    Matcher range = RANGE.matcher(Objects.requireNonNullElse(asked.getFirst("Range"), ""));
    boolean sameVersion = tag.equals(Objects.requireNonNullElse(asked.getFirst("If-Range"), tag));
    if (exchange.getRequestMethod().equals("GET") && sameVersion && range.matches()) {
      long left = range.group(1).isEmpty() ? -1 : Long.parseLong(range.group(1));
      long right = range.group(2).isEmpty() ? -1 : Long.parseLong(range.group(2));
      first = left < 0 ? Math.max(0, size - right) : left; // "-9" means the last nine
      end = left < 0 || right < 0 ? size : Math.min(size, right + 1);
      boolean none = left < 0 && right < 0 || left >= 0 && right >= 0 && right < left;
      status = none ? 200 : first < end ? 206 : 416;
      first = status == 206 ? first : 0;
      end = status == 206 ? end : size;
    }
    head.set("Accept-Ranges", "bytes");
    if (status == 416) {
      head.set("Content-Range", "bytes */" + size);
      exchange.sendResponseHeaders(416, -1);
      return;
    }
    if (status == 206) {
      head.set("Content-Range", "bytes " + first + "-" + (end - 1) + "/" + size);
    }
    head.set("Content-Type", blob.info().mediaType());
    if (exchange.getRequestMethod().equals("HEAD")) {
      head.set("Content-Length", Long.toString(size));
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, end == first ? -1 : end - first);
    copy(blob, first, end, exchange.getResponseBody());
  }

  /** Nothing in front of the range is read. */
  private static void copy(Upcall.ReadStream blob, long first, long end, OutputStream out)
      throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(64 << 10);
    for (long at = first; at < end; at += piece.position()) {
      piece.clear().limit((int) Math.min(piece.capacity(), end - at));
      blob.read(at, piece);
      out.write(piece.array(), 0, piece.position());
    }
  }

  /** The quotes are part of an entity tag. */
  private static String tag(FileInfo blob) {
    return '"' + blob.entityTag() + '"';
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
      HttpResponse<String> stored = client.send(put, BodyHandlers.ofString());
      String tag = stored.headers().firstValue("ETag").orElse("none");
      System.out.println(
          "PUT " + stored.statusCode() + ", tag in quotes: " + tag.matches("\"\\S+\""));
      HttpRequest.Builder get = HttpRequest.newBuilder(blob);
      System.out.println("GET " + client.send(get.build(), BodyHandlers.ofString()).body());
      HttpResponse<String> head = client.send(get.copy().HEAD().build(), BodyHandlers.ofString());
      System.out.println("HEAD " + head.headers().firstValue("Content-Length").orElse("none"));
      for (String range : List.of("bytes=2-3", "bytes=2-", "bytes=-3", "bytes=5-", "bytes=3-2")) {
        HttpRequest part = get.copy().header("Range", range).build();
        HttpResponse<String> got = client.send(part, BodyHandlers.ofString());
        String place = got.headers().firstValue("Content-Range").orElse("whole");
        System.out.println(got.statusCode() + " " + place + " " + got.body());
      }
      HttpRequest same = get.copy().header("If-None-Match", tag).build();
      System.out.println("GET " + client.send(same, BodyHandlers.discarding()).statusCode());
      HttpRequest none = HttpRequest.newBuilder(blob.resolve("/photos/dog.txt")).build();
      System.out.println("GET " + client.send(none, BodyHandlers.discarding()).statusCode());
      HttpRequest post = get.copy().POST(BodyPublishers.noBody()).build();
      System.out.println("POST " + client.send(post, BodyHandlers.discarding()).statusCode());
    }
  }
}
