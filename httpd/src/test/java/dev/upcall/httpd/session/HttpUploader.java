package dev.upcall.httpd.session;

import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.store.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that brings one file in several requests, each over a connection of its own, many of
 * which it breaks; and the judge of what it was told: of what the server has said it has, nothing
 * is missing, and the file is there whole or not at all.
 */
final class HttpUploader {
  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";
  private static final String VERSION = "Upload-Draft-Interop-Version: 8\r\n";
  private static final int[] SIZES = {0, 1, 5000, 20_000, 70_000};
  private static final int MOST_REQUESTS = 8;
  private static final int MOST_DELAY_NANOS = 3_000_000;

  private final SessionWorld world;
  private final String path;
  private final SplittableRandom random;
  private final byte[] content;
  private final List<Asked> all = new ArrayList<>();
  private @Nullable String upload;
  private int left;
  private long known;

  /** Whether a request was sent to its end that may have completed the upload. */
  private boolean mayBeComplete;

  /**
   * A request.
   *
   * @param place of the upload that it is about; null for one that begins one
   */
  private record Asked(SimConnection connection, @Nullable String place) {
    List<Response> said(byte[] bytes, boolean ended) {
      return Responses.parse(bytes, n -> false, ended);
    }

    /** The upload that it is about, as far as that was said. */
    @Nullable String placeIn(List<Response> said) {
      for (Response answer : said) {
        String location = answer.header("Location");
        if (location != null && location.contains("?upload=")) {
          return location;
        }
      }
      return place;
    }
  }

  /** A client that begins by itself. */
  HttpUploader(SessionWorld world, String path, SplittableRandom random) {
    this.world = world;
    this.path = path;
    this.random = random;
    this.content = StoreFixture.bytes(random.nextLong(), SIZES[random.nextInt(SIZES.length)]);
    this.left = 1 + random.nextInt(MOST_REQUESTS);
    later();
  }

  /** The file that it makes. */
  String path() {
    return path;
  }

  /** Whether it asks for nothing more. */
  boolean isOver() {
    return left == 0 && all.stream().allMatch(asked -> asked.connection().closedReported());
  }

  private void later() {
    world.reactor.after(random.nextInt(MOST_DELAY_NANOS), this::next);
  }

  private void next() {
    if (left == 0) {
      return;
    }
    left--;
    SimConnection connection =
        world.connect(1 + random.nextInt(random.nextBoolean() ? 2_000 : 100_000));
    Asked asked = new Asked(connection, upload);
    all.add(asked);
    connection.whenClientReads(() -> heard(asked));
    connection.clientReadsAll();
    byte[] sent = request().getBytes(StandardCharsets.ISO_8859_1);
    connection.clientSends(sent, 1 + random.nextInt(random.nextBoolean() ? 3_000 : 40_000));
    if (random.nextBoolean()) {
      world.reactor.after(random.nextInt(MOST_DELAY_NANOS), connection::reset);
    } else {
      connection.clientEnds();
    }
    later(); // whether or not this one is answered by then
  }

  private void heard(Asked asked) {
    List<Response> said =
        asked.said(asked.connection().clientGot(), asked.connection().clientSawEnd());
    String place = asked.placeIn(said);
    if (upload != null && !upload.equals(place)) {
      return;
    }
    upload = place;
    for (Response answer : said) {
      String offset = answer.header("Upload-Offset");
      known = offset == null ? known : Long.parseLong(offset);
    }
  }

  /** All of it, a part, or as much as is sent before the client gives up. */
  private String request() {
    String place = upload;
    if (place != null && random.nextInt(3) == 0) {
      return "GET " + place + HOST + "\r\n";
    }
    int from = place == null ? 0 : (int) known;
    boolean last = random.nextInt(3) > 0;
    int to = last ? content.length : from + random.nextInt(content.length - from + 1);
    String head =
        (place == null
                ? "PUT " + path + HOST
                : "PATCH "
                    + place
                    + HOST
                    + "Content-Type: application/partial-upload\r\nUpload-Offset: "
                    + from
                    + "\r\n")
            + VERSION
            + (random.nextBoolean() ? "Upload-Length: " + content.length + "\r\n" : "")
            + (last ? "Upload-Complete: ?1\r\n" : "Upload-Complete: ?0\r\n");
    String body = HttpClientModel.latin1(Arrays.copyOfRange(content, from, to));
    String whole =
        random.nextBoolean()
            ? head + "Content-Length: " + body.length() + "\r\n\r\n" + body
            : head + "Transfer-Encoding: chunked\r\n\r\n" + chunk(body) + "0\r\n\r\n";
    if (random.nextInt(3) == 0) {
      return whole.substring(0, head.length() + random.nextInt(whole.length() - head.length()));
    }
    mayBeComplete |= last;
    return whole;
  }

  private static String chunk(String body) {
    return body.isEmpty() ? "" : Integer.toHexString(body.length()) + "\r\n" + body + "\r\n";
  }

  /** Compares what was said with what is there, and brings the rest. */
  void judge(SessionWorld now, Supplier<byte @Nullable []> reading) {
    left = 0;
    Map<String, Long> told = new TreeMap<>();
    boolean complete = false;
    for (Asked asked : all) {
      List<Response> said = asked.said(asked.connection().serverSaid(), /* ended= */ true);
      String place = asked.placeIn(said);
      for (Response answer : said) {
        String offset = answer.header("Upload-Offset");
        if (place != null) {
          told.merge(place, offset == null ? 0 : Long.parseLong(offset), Math::max);
        }
        complete |= answer.status() < 300 && "?1".equals(answer.header("Upload-Complete"));
      }
    }
    byte @Nullable [] file = reading.get();
    if (complete || file != null) {
      require(complete || mayBeComplete, "a file that was never sent whole");
      require(Arrays.equals(content, file), "the file that was uploaded is another");
    } else if (!told.isEmpty()) {
      String place = told.keySet().iterator().next();
      told.forEach((each, bytes) -> offset(now, each, bytes));
      long from = offset(now, place, told.get(place));
      String body = HttpClientModel.latin1(Arrays.copyOfRange(content, (int) from, content.length));
      String rest =
          "PATCH %s%sContent-Type: application/partial-upload\r\nUpload-Offset: %d\r\nUpload-Complete: ?1\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
              .formatted(place, HOST, from, body.length(), body);
      Response answer = now.exchange(rest).getLast();
      require(answer.status() == 201, "the rest is answered " + answer.status());
      require(Arrays.equals(content, reading.get()), "a file of other bytes");
    }
  }

  private long offset(SessionWorld now, String place, long told) {
    Response look = now.exchange("HEAD " + place + HOST + "Connection: close\r\n\r\n").getFirst();
    require(look.status() == 204, path + ": an upload is answered " + look.status());
    long offset = Long.parseLong(look.header("Upload-Offset"));
    require(offset >= told, "%s: %d bytes are left of %d".formatted(path, offset, told));
    require(offset <= content.length, path + ": more bytes than were sent");
    return offset;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new HttpClientModel.Lie(what);
    }
  }
}
