package dev.upcall.httpd.session;

import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one client asked for, one request behind the other, about files that nobody else touches;
 * and the judge of what it was told: which contents each of its files may have by now.
 */
final class HttpClientModel {
  /** What a request does. */
  enum Kind {
    PUT,
    DELETE,
    GET,
    PATCH
  }

  /**
   * One request.
   *
   * @param sent as it goes over the connection
   * @param body what the file is when it was done
   * @param whole whether all of it was sent
   * @param refusal the status with which it must be refused, and nothing happen; 0 for none
   */
  record Asked(
      Kind kind, String path, byte @Nullable [] body, String sent, boolean whole, int refusal) {
    Asked(Kind kind, String path, byte @Nullable [] body, String sent, boolean whole) {
      this(kind, path, body, sent, whole, 0);
    }

    private String brief() {
      int size = body == null ? 0 : body.length;
      return "%s %s of %d bytes, %d sent".formatted(kind, path, size, sent.length());
    }
  }

  /** The ranges asked of a file: none of small ones, three of others. */
  static final String RANGES = "bytes=0-0,2-9,-1";

  private static final byte[] ABSENT = new byte[0];

  private final List<Asked> asked = new ArrayList<>();
  private final Map<String, List<byte[]>> possible = new LinkedHashMap<>();

  /** Adds a request behind the others. */
  void ask(Asked next) {
    asked.add(next);
    possible.computeIfAbsent(next.path(), path -> new ArrayList<>(List.of(ABSENT)));
  }

  /** Everything that this client sends. */
  String sent() {
    StringBuilder all = new StringBuilder();
    asked.forEach(one -> all.append(one.sent()));
    return all.toString();
  }

  /** The files that it touches. */
  Iterable<String> paths() {
    return possible.keySet();
  }

  /**
   * Reads what the server has said, every status line of which counts as a promise, and narrows
   * down what may be there. The request behind the last answer may have taken effect or not.
   */
  void hear(byte[] said) {
    List<Response> answers = Responses.parse(said, n -> false, true);
    for (int i = 0; i < answers.size(); i++) {
      Response answer = answers.get(i);
      boolean last = i == answers.size() - 1;
      if (i < asked.size()) {
        judge(asked.get(i), answer);
      }
      require(last || answer.complete(), "only the last answer may be cut");
      require(last || !"close".equals(answer.header("Connection")), "nothing follows the last");
    }
    require(answers.size() <= asked.size() + 1, "more answers than requests");
    if (answers.size() < asked.size()) {
      perhaps(asked.get(answers.size()));
    }
  }

  /** Checks the content of a file as it is now; null if there is none. */
  void check(String path, byte @Nullable [] now) {
    List<byte[]> allowed = possible.get(path);
    require(
        allowed.stream().anyMatch(content -> same(content, now)),
        path
            + (now == null ? " is missing" : " has " + now.length + " bytes that were never whole")
            + "; "
            + allowed.stream().map(c -> c == ABSENT ? "absent" : c.length + " bytes").toList()
            + " would be right");
  }

  private void judge(Asked request, Response answer) {
    List<byte[]> states = possible.get(request.path());
    int status = answer.status();
    if (status >= 400 && status != 404) {
      require(
          !request.whole() || status >= 500 || status == 408 || status == request.refusal(),
          request.brief() + " is answered " + status);
      if (status >= 500) {
        perhaps(request); // a device that fails may have kept it
      }
      return;
    }
    require(request.whole(), "half a request was answered with " + status);
    require(request.refusal() == 0, request.brief() + " is answered " + status);
    switch (request.kind()) {
      case PUT -> {
        require(status == 201 || status == 204, "status of a PUT: " + status);
        if (status == 201) {
          require(states.contains(ABSENT), "made what was there");
        }
        possible.put(request.path(), new ArrayList<>(List.of(request.body())));
      }
      case PATCH -> {
        require(status == 204, "status of a PATCH: " + status);
        possible.put(request.path(), new ArrayList<>(List.of(request.body())));
      }
      case DELETE -> {
        require(status == 204 || states.contains(ABSENT), "lost: " + request.path());
        possible.put(request.path(), new ArrayList<>(List.of(ABSENT)));
      }
      case GET -> {
        if (status == 404) {
          require(states.contains(ABSENT), "lost: " + request.path());
        } else if (status == 206) {
          require(
              states.stream().anyMatch(c -> c.length > 10 && startsWith(parts(c, answer), answer)),
              "other parts, or of no file");
        } else if (answer.complete()) {
          require(states.stream().anyMatch(c -> same(c, answer.body())), "altered or half");
        } else {
          require(
              states.stream().anyMatch(c -> startsWith(c, answer.body())), "no prefix of a file");
        }
      }
    }
  }

  private void perhaps(Asked request) {
    List<byte[]> states = possible.get(request.path());
    if (request.refusal() != 0) {
      return;
    }
    boolean brings = request.kind() == Kind.PUT || request.kind() == Kind.PATCH;
    if (brings && request.whole()) {
      states.add(request.body());
    } else if (request.kind() == Kind.DELETE && request.whole()) {
      states.add(ABSENT);
    }
  }

  private static boolean same(byte[] allowed, byte @Nullable [] found) {
    return allowed == ABSENT || found == null
        ? allowed == ABSENT && found == null
        : Arrays.equals(allowed, found);
  }

  private static boolean startsWith(byte[] allowed, Response answer) {
    return answer.complete()
        ? Arrays.equals(allowed, answer.body())
        : startsWith(allowed, answer.body());
  }

  /** The body that answers {@link #RANGES} of a content. */
  private static byte[] parts(byte[] content, Response answer) {
    String type = answer.header("Content-Type");
    String line = "--" + type.substring(type.indexOf("boundary=") + 9);
    StringBuilder body = new StringBuilder();
    int last = content.length - 1;
    for (int[] part : new int[][] {{0, 0}, {2, 9}, {last, last}}) {
      body.append(body.isEmpty() ? "" : "\r\n")
          .append(line)
          .append("\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ")
          .append("%d-%d/%d\r\n\r\n".formatted(part[0], part[1], content.length))
          .append(latin1(Arrays.copyOfRange(content, part[0], part[1] + 1)));
    }
    return body.append("\r\n")
        .append(line)
        .append("--\r\n")
        .toString()
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static boolean startsWith(byte[] allowed, byte[] found) {
    return found.length <= allowed.length
        && Arrays.equals(found, Arrays.copyOf(allowed, found.length));
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new Lie(what);
    }
  }

  /** The server did not keep what it said. */
  static final class Lie extends AssertionError {
    private static final long serialVersionUID = 1;

    Lie(String what) {
      super(what);
    }
  }

  /** Bytes as they are written into a request. */
  static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
