package dev.upcall.cli.serve;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * One who reads, lists, writes and uploads, gives up in the middle of it now and then, and checks
 * each answer. All that it writes lies in a folder of its own.
 */
final class SoakClient {
  /** Answers that came as they should. */
  static final LongAdder ANSWERS = new LongAdder();

  /** Connections that it has broken. */
  static final LongAdder BROKEN = new LongAdder();

  private static final int SHARED_FILES = 12;
  private static final int MOST_BYTES = 700_000;

  private final int number;
  private final URI server;
  private final String secret;
  private final HttpClient client;
  private final SSLContext trust;
  private final SplittableRandom random;
  private byte @Nullable [] own;

  SoakClient(int number, URI server, String secret, HttpClient client, SSLContext trust) {
    this.number = number;
    this.server = server;
    this.secret = secret;
    this.client = client;
    this.trust = trust;
    this.random = new SplittableRandom(number);
  }

  /** The content of a file that all read. */
  static byte[] shared(int file) {
    return content(file, 1 + file * file * 6_000);
  }

  private static byte[] content(long seed, int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  /** Puts the files that all read. */
  void fill() throws Exception {
    for (int i = 0; i < SHARED_FILES; i++) {
      HttpRequest put = logged("/shared/f" + i).PUT(BodyPublishers.ofByteArray(shared(i))).build();
      expect(201, send(put));
    }
  }

  /** Does one thing. */
  void step() throws Exception {
    switch (random.nextInt(12)) {
      case 0, 1 -> read();
      case 2, 3 -> readPart();
      case 4 -> list();
      case 5, 6 -> put();
      case 7 -> upload();
      case 8 -> isRefused();
      case 9 -> breaksHandshake();
      case 10 -> breaksRequest();
      default -> delete();
    }
  }

  private HttpRequest.Builder ask(String path) {
    return HttpRequest.newBuilder(server.resolve(path)).timeout(Duration.ofMinutes(2));
  }

  private HttpRequest.Builder logged(String path) {
    return ask(path).header("Authorization", "Bearer " + secret);
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofByteArray());
  }

  private static void expect(int status, HttpResponse<byte[]> answer) {
    check(answer.statusCode() == status, status + " and not " + answer);
    ANSWERS.increment();
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private void read() throws Exception {
    int file = random.nextInt(SHARED_FILES);
    HttpResponse<byte[]> answer = send(ask("/shared/f" + file).build());
    expect(200, answer);
    check(Arrays.equals(shared(file), answer.body()), "content of file " + file);
  }

  private void readPart() throws Exception {
    int file = random.nextInt(1, SHARED_FILES);
    byte[] whole = shared(file);
    int from = random.nextInt(whole.length);
    int to = from + random.nextInt(Math.min(100_000, whole.length - from));
    String range = "bytes=" + from + "-" + to;
    HttpResponse<byte[]> answer = send(ask("/shared/f" + file).header("Range", range).build());
    expect(206, answer);
    check(Arrays.equals(Arrays.copyOfRange(whole, from, to + 1), answer.body()), range);
  }

  private void list() throws Exception {
    String form = random.nextBoolean() ? "application/json" : "text/html";
    HttpResponse<byte[]> answer = send(ask("/shared/").header("Accept", form).build());
    expect(200, answer);
    String page = new String(answer.body(), StandardCharsets.UTF_8);
    check(page.contains("f0") && page.contains("f11"), page);
  }

  private String ownPath() {
    return "/own/" + number + "/file";
  }

  private void put() throws Exception {
    byte[] next = content(random.nextLong(), random.nextInt(MOST_BYTES));
    expect(
        own == null ? 201 : 204,
        send(logged(ownPath()).PUT(BodyPublishers.ofByteArray(next)).build()));
    own = next;
    HttpResponse<byte[]> back = send(logged(ownPath()).build());
    expect(200, back);
    check(Arrays.equals(next, back.body()), ownPath());
  }

  private void delete() throws Exception {
    expect(own == null ? 404 : 204, send(logged(ownPath()).DELETE().build()));
    own = null;
  }

  /** In parts, of which one may break; sometimes it is given up. */
  private void upload() throws Exception {
    byte[] next = content(random.nextLong(), 1 + random.nextInt(MOST_BYTES));
    int cut = random.nextInt(next.length);
    HttpRequest begin =
        logged(ownPath())
            .header("Upload-Draft-Interop-Version", "8")
            .header("Upload-Complete", "?0")
            .PUT(BodyPublishers.ofByteArray(next, 0, cut))
            .build();
    HttpResponse<byte[]> begun = send(begin);
    expect(201, begun);
    String place = begun.headers().firstValue("Location").orElseThrow();
    if (random.nextInt(4) == 0) {
      expect(204, send(logged(place).DELETE().build()));
      return;
    }
    boolean breaks = random.nextBoolean();
    if (breaks) {
      breaks(head("PATCH " + place, cut, next.length - cut) + "x".repeat(random.nextInt(1000)));
    }
    HttpResponse<byte[]> found =
        send(logged(place).method("HEAD", BodyPublishers.noBody()).build());
    expect(204, found);
    int from = (int) found.headers().firstValueAsLong("Upload-Offset").orElseThrow();
    if (from != cut) {
      // what a broken request has brought is no part of this content
      expect(204, send(logged(place).DELETE().build()));
      return;
    }
    HttpRequest rest =
        logged(place)
            .header("Content-Type", "application/partial-upload")
            .header("Upload-Offset", "" + from)
            .header("Upload-Complete", "?1")
            .method("PATCH", BodyPublishers.ofByteArray(next, from, next.length - from))
            .build();
    HttpResponse<byte[]> ended = send(rest);
    if (breaks && ended.statusCode() == 409) {
      // the broken request has come behind the look
      expect(204, send(logged(place).DELETE().build()));
      return;
    }
    expect(own == null ? 201 : 204, ended);
    own = next;
  }

  private String head(String line, int offset, int length) {
    return line
        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        + secret
        + "\r\nContent-Type: application/partial-upload\r\nUpload-Complete: ?0\r\nUpload-Offset: "
        + offset
        + "\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  private void isRefused() throws Exception {
    switch (random.nextInt(3)) {
      case 0 -> expect(401, send(ask("/hidden/x").build()));
      case 1 -> expect(403, send(logged("/hidden/x").build()));
      default -> expect(401, send(ask("/shared/new").PUT(BodyPublishers.noBody()).build()));
    }
  }

  private void breaksHandshake() throws IOException {
    BROKEN.increment();
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      byte[] bytes = new byte[random.nextInt(300)];
      random.nextBytes(bytes);
      if (bytes.length > 3) {
        bytes[0] = 22;
        bytes[1] = 3;
        bytes[3] = (byte) random.nextInt(2);
      }
      socket.getOutputStream().write(bytes);
      socket.setSoLinger(true, 0);
    } catch (IOException ended) {
      check(!String.valueOf(ended.getMessage()).contains("refused"), "" + ended);
    }
  }

  private void breaksRequest() throws IOException {
    String get = "GET /shared/f11 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    String put = "PUT /own/" + number + "/none HTTP/1.1\r\nHost: localhost\r\n";
    put += "Authorization: Bearer " + secret + "\r\nContent-Length: 90000\r\n\r\n";
    String text = random.nextBoolean() ? get : put + "x".repeat(random.nextInt(80_000));
    breaks(random.nextInt(3) == 0 ? text.substring(0, random.nextInt(text.length())) : text);
  }

  /** Sends this and goes away, mostly with a reset. */
  private void breaks(String text) throws IOException {
    BROKEN.increment();
    Socket below = new Socket(server.getHost(), server.getPort());
    below.setSoLinger(random.nextInt(4) > 0, 0);
    try (below;
        Socket socket =
            trust.getSocketFactory().createSocket(below, "localhost", server.getPort(), true)) {
      OutputStream out = socket.getOutputStream();
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      if (random.nextBoolean()) {
        socket.getInputStream().readNBytes(random.nextInt(1, 20_000));
      }
      below.close();
    } catch (IOException ended) {
      check(!String.valueOf(ended.getMessage()).contains("refused"), "" + ended);
    }
  }
}
