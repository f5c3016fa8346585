package dev.upcall.httpd.session;

import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.session.HttpClientModel.Asked;
import dev.upcall.httpd.session.HttpClientModel.Kind;
import dev.upcall.sim.SimReactor;
import dev.upcall.store.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A client that changes files in the middle. A change names the version that it is about, so each
 * request waits for the answer to the one before: what was said of a file last is what the next
 * change begins with. Some name another version, or bytes that are not there, and must be refused.
 * Nobody else touches its files.
 */
final class HttpEditor {
  private static final String EDITS = "application/vnd.upcall.edits";
  private static final String RANGE = "message/byterange";
  private static final String NO_TAG = "\"0-0\"";
  private static final int[] SIZES = {0, 400, 5000, 70_000};
  private static final int FILES = 2;
  private static final int MOST_REQUESTS = 7;
  private static final int MOST_EDITS = 3;
  private static final int SMALL_BYTES = 3000;
  private static final int LARGE_BYTES = 70_000;
  private static final int MOST_DELAY_NANOS = 20_000;

  private final HttpClientModel model = new HttpClientModel();
  private final SimConnection connection;
  private final SimReactor reactor;
  private final String directory;
  private final SplittableRandom random;

  /** What was said of each file last, and not doubted since. */
  private final Map<String, Known> known = new TreeMap<>();

  private int left;
  private int sent;
  private @Nullable Asked last;

  /**
   * A version of a file.
   *
   * @param tag as the field has it, in quotes
   * @param older a tag that the file had before, or one that no file has
   */
  private record Known(String tag, String older, byte[] content) {}

  /** What a change says, and what becomes of the content by it. */
  private record Change(String type, String body, byte[] after) {}

  /** A client that begins by itself. */
  HttpEditor(
      SimConnection connection, SimReactor reactor, String directory, SplittableRandom random) {
    this.connection = connection;
    this.reactor = reactor;
    this.directory = directory;
    this.random = random;
    this.left = 2 + random.nextInt(MOST_REQUESTS - 1);
    connection.whenClientReads(this::heard);
    connection.clientReadsAll();
    later();
  }

  /** Who judges what it was told. */
  HttpClientModel model() {
    return model;
  }

  private void later() {
    reactor.after(random.nextInt(MOST_DELAY_NANOS), this::next);
  }

  private void next() {
    if (connection.closedReported()) {
      return;
    }
    if (left-- == 0) {
      connection.clientEnds();
      return;
    }
    Asked request = request(directory + "/e" + random.nextInt(FILES));
    model.ask(request);
    last = request;
    sent++;
    connection.clientSends(
        request.sent().getBytes(StandardCharsets.ISO_8859_1),
        1 + random.nextInt(random.nextBoolean() ? 3_000 : 40_000));
  }

  /** Bytes have come; when they end an answer, it is understood, and the next request goes. */
  private void heard() {
    Asked request = last;
    List<Response> answers =
        Responses.parse(connection.clientGot(), n -> false, connection.clientSawEnd());
    if (request == null || answers.size() < sent || !answers.getLast().complete()) {
      return;
    }
    last = null;
    Response answer = answers.getLast();
    learn(request, answer);
    if ("close".equals(answer.header("Connection"))) {
      connection.clientEnds();
    } else {
      later();
    }
  }

  private void learn(Asked request, Response answer) {
    String path = request.path();
    Known before = known.get(path);
    if (answer.status() >= 500) {
      known.remove(path);
    } else if (answer.status() < 300) {
      String tag = answer.header("ETag");
      switch (request.kind()) {
        case PUT, PATCH -> known.put(path, new Known(tag, older(before, tag), request.body()));
        case GET -> known.put(path, new Known(tag, older(before, tag), answer.body()));
        case DELETE -> known.remove(path);
      }
    }
  }

  private static String older(@Nullable Known before, @Nullable String tag) {
    if (before == null) {
      return NO_TAG;
    }
    return before.tag().equals(tag) ? before.older() : before.tag();
  }

  // ------------------------------------------------------------------ requests

  private Asked request(String path) {
    Known now = known.get(path);
    if (now == null) {
      return random.nextInt(4) == 0 ? simple(Kind.GET, path) : put(path);
    }
    return switch (random.nextInt(10)) {
      case 0 -> simple(Kind.GET, path);
      case 1 -> random.nextInt(3) == 0 ? simple(Kind.DELETE, path) : put(path);
      case 2 -> refused(path, 412, "If-Match: " + now.older() + "\r\n", change(now.content()));
      case 3 -> refused(path, 412, "If-Match: W/" + now.tag() + "\r\n", change(now.content()));
      case 4 -> refused(path, 428, "", change(now.content()));
      case 5 -> refused(path, 422, ifMatch(now), tooMuch(now.content()));
      default -> {
        Change change = random.nextInt(4) == 0 ? range(now.content()) : change(now.content());
        yield new Asked(
            Kind.PATCH, path, change.after(), patch(path, ifMatch(now), change), true, 0);
      }
    };
  }

  private static String ifMatch(Known now) {
    return "If-Match: " + now.tag() + "\r\n";
  }

  private static Asked simple(Kind kind, String path) {
    return new Asked(kind, path, null, kind + " " + path + " HTTP/1.1\r\nHost: a\r\n\r\n", true, 0);
  }

  private Asked put(String path) {
    byte[] body = StoreFixture.bytes(random.nextLong(), SIZES[random.nextInt(SIZES.length)]);
    String text = "PUT " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length;
    return new Asked(
        Kind.PUT, path, body, text + "\r\n\r\n" + HttpClientModel.latin1(body), true, 0);
  }

  private static Asked refused(String path, int status, String fields, Change change) {
    return new Asked(Kind.PATCH, path, null, patch(path, fields, change), true, status);
  }

  private static String patch(String path, String fields, Change change) {
    return "PATCH %s HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(path, change.type(), fields, change.body().length(), change.body());
  }

  // ------------------------------------------------------------------ changes

  /** Some edits, each of the content as the ones before leave it. */
  private Change change(byte[] before) {
    StringBuilder body = new StringBuilder();
    byte[] now = before;
    for (int i = 1 + random.nextInt(MOST_EDITS); i > 0; i--) {
      int offset = random.nextInt(now.length + 1);
      int removed = random.nextInt(now.length - offset + 1);
      byte[] bytes = bytes();
      switch (random.nextInt(5)) {
        case 0 -> now = edit(body, "insert " + offset, now, offset, 0, bytes);
        case 1 -> {
          body.append("cut %d %d\n".formatted(offset, removed));
          now = spliced(now, offset, removed, new byte[0]);
        }
        case 2 -> now = edit(body, "splice " + offset + " " + removed, now, offset, removed, bytes);
        case 3 -> {
          int over = Math.min(bytes.length, now.length - offset);
          now = edit(body, "overwrite " + offset, now, offset, over, bytes);
        }
        default -> now = edit(body, "append", now, now.length, 0, bytes);
      }
    }
    return new Change(EDITS, body.toString(), now);
  }

  private static byte[] edit(
      StringBuilder body, String what, byte[] now, int offset, int removed, byte[] bytes) {
    body.append(what).append(' ').append(bytes.length).append('\n');
    body.append(HttpClientModel.latin1(bytes)).append('\n');
    return spliced(now, offset, removed, bytes);
  }

  /** An edit that can be done, and one that cannot: neither is. */
  private Change tooMuch(byte[] before) {
    Change some = change(before);
    String cut = "cut %d 1\n".formatted(some.after().length);
    return new Change(EDITS, some.body() + cut, before);
  }

  /** The draft's form: over what is there, and behind the end. */
  private Change range(byte[] before) {
    int offset = random.nextInt(before.length + 1);
    byte[] bytes = bytes();
    int over = Math.min(bytes.length, before.length - offset);
    String head =
        "Content-Range: bytes %d-%d/*\r\n\r\n".formatted(offset, offset + bytes.length - 1);
    return new Change(
        RANGE, head + HttpClientModel.latin1(bytes), spliced(before, offset, over, bytes));
  }

  private byte[] bytes() {
    int most = random.nextInt(8) == 0 ? LARGE_BYTES : SMALL_BYTES;
    return StoreFixture.bytes(random.nextLong(), 1 + random.nextInt(most));
  }

  private static byte[] spliced(byte[] before, int offset, int removed, byte[] bytes) {
    byte[] after = Arrays.copyOf(before, before.length - removed + bytes.length);
    System.arraycopy(bytes, 0, after, offset, bytes.length);
    int rest = before.length - offset - removed;
    System.arraycopy(before, offset + removed, after, offset + bytes.length, rest);
    return after;
  }
}
