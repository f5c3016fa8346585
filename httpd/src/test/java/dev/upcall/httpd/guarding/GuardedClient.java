package dev.upcall.httpd.guarding;

import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.session.SimConnection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client that asks for one thing after the other, about whatever lies in a tree. */
final class GuardedClient {
  private static final int MOST_BODY_BYTES = 20_000;

  /**
   * A request, and what was so when it was sent.
   *
   * @param caller the name that it comes under, unless that has expired; empty for none
   * @param secret the token that it shows, or null
   * @param body what a file has afterwards; null where nothing changes whoever asks
   */
  record Asked(
      String method,
      String path,
      boolean listing,
      boolean json,
      String caller,
      @Nullable String secret,
      @Nullable String body,
      int fromRules,
      long fromEpochNanos) {
    /** The same for a message. */
    String brief() {
      return method
          + " "
          + path
          + (listing ? "/" : "")
          + (json ? " as JSON" : "")
          + " by \""
          + caller
          + "\""
          + (secret == null ? " without a token" : "");
    }
  }

  /** All that it is told, and all there is to ask about. */
  interface World {
    DrawnTree tree();

    /** The number of the rules in force. */
    int rulesInForce();

    long epochNanos();

    void answered(Asked asked, Response answer);

    /** Something was asked, of which there may never be an answer. */
    void asking(Asked asked);

    /** Content that nobody else puts. */
    String newContent(int sizeBytes);
  }

  private final World world;
  private final SimConnection connection;
  private final SplittableRandom random;
  private final String certified;
  private final Consumer<String> sender;
  private int left;
  private int answers;
  private @Nullable Asked asked;

  /**
   * A client whose connection is made.
   *
   * @param certified the name of its certificate; empty for none
   */
  GuardedClient(World world, SimConnection connection, String certified, SplittableRandom random) {
    this.world = world;
    this.connection = connection;
    this.certified = certified;
    this.random = random;
    this.left = 1 + random.nextInt(9);
    int fragment = 1 + random.nextInt(random.nextBoolean() ? 200 : 20_000);
    this.sender =
        text -> connection.clientSends(text.getBytes(StandardCharsets.ISO_8859_1), fragment);
    connection.whenClientReads(this::heard);
  }

  SimConnection connection() {
    return connection;
  }

  /** Begins, and reads fast or slowly. */
  void begin() {
    if (random.nextInt(3) == 0) {
      connection.clientKeepsReading(1 + random.nextInt(3_000), 1 + random.nextInt(100_000));
    } else {
      connection.clientReadsAll();
    }
    next();
  }

  private void heard() {
    Asked present = asked;
    List<Response> all =
        Responses.parse(
            connection.clientGot(),
            _ -> present != null && present.method().equals("HEAD"),
            connection.clientSawEnd());
    if (present != null && all.size() > 0 && all.getLast().complete()) {
      asked = null;
      answers++;
      world.answered(present, all.getLast());
      connection.forgetWhatClientGot();
      next();
    }
  }

  /** How many answers have come whole. */
  int answers() {
    return answers;
  }

  private void next() {
    if (left-- == 0) {
      connection.clientEnds();
      return;
    }
    String method =
        world.tree().drawn(List.of("GET", "GET", "GET", "HEAD", "PUT", "PUT", "DELETE", "PATCH"));
    boolean reads = method.equals("GET") || method.equals("HEAD");
    boolean page = reads && random.nextInt(3) == 0;
    String path = page ? world.tree().directory() : world.tree().path();
    String shown = List.of("", DrawnRules.ALICE, DrawnRules.BOB).get(random.nextInt(3));
    String kind = new NaiveGuard(world.tree().entries(), List.of(), "").follow(path, true).kind();
    boolean puts = method.equals("PUT") && kind.equals("file");
    String body = puts ? world.newContent(random.nextInt(MOST_BODY_BYTES)) : null;
    Asked one =
        new Asked(
            method,
            path,
            page || (reads && random.nextBoolean()),
            reads && random.nextInt(3) > 0,
            shown.isEmpty() ? certified : shown,
            shown.isEmpty() ? null : DrawnRules.secret(shown),
            body,
            world.rulesInForce(),
            world.epochNanos());
    asked = one;
    world.asking(one);
    sender.accept(text(one));
  }

  private String text(Asked one) {
    String body = one.body() == null ? "" : one.body();
    // of a version that never was, where nothing is to change
    String never = "If-Match: \"ffff-1\"\r\n";
    String length = "Content-Length: " + body.length() + "\r\n";
    String fields =
        switch (one.method()) {
          case "PUT" -> (one.body() == null ? never : "") + length;
          case "DELETE" -> never;
          case "PATCH" -> never + "Content-Type: application/vnd.upcall.edits\r\n" + length;
          default -> one.json() ? "Accept: application/json\r\n" : "";
        };
    return one.method()
        + " "
        + one.path()
        + (one.listing() ? "/" : "")
        + " HTTP/1.1\r\nHost: a\r\n"
        + login(one.secret())
        + fields
        + "\r\n"
        + body;
  }

  private String login(@Nullable String secret) {
    if (secret == null) {
      return "";
    }
    byte[] pair = ("x:" + secret).getBytes(StandardCharsets.US_ASCII);
    return "Authorization: "
        + (random.nextBoolean()
            ? "Bearer " + secret
            : "Basic " + Base64.getEncoder().encodeToString(pair))
        + "\r\n";
  }
}
