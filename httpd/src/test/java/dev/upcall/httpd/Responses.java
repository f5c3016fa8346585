package dev.upcall.httpd;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads the responses in what a client got; a second, strict reading of the protocol. */
public final class Responses {
  /** One response; {@code complete} if its body came whole. */
  public record Response(
      int status, String version, Map<String, String> headers, byte[] body, boolean complete) {
    /** Whether a connection was refused before its request was read. */
    boolean isOfUnread() {
      return UNREAD.contains(status) && "close".equals(headers.get("connection"));
    }

    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    public String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }
  }

  private static final Set<Integer> UNREAD = Set.of(400, 408, 503);
  private static final String START = "HTTP/1.1 ";

  private final byte[] bytes;
  private int at;

  private Responses(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * All responses, the last one perhaps incomplete.
   *
   * @param headOnly whether the n-th request was a HEAD
   * @param ended whether the connection has ended behind the bytes
   */
  public static List<Response> parse(
      byte[] bytes, java.util.function.IntPredicate headOnly, boolean ended) {
    Responses reader = new Responses(bytes);
    List<Response> responses = new ArrayList<>();
    while (reader.at < bytes.length) {
      reader.mustBeAHead();
      boolean isOfHead = headOnly.test(responses.size());
      Response response = reader.next(isOfHead, ended);
      if (response == null) {
        break;
      }
      responses.add(response);
      if (isOfHead && response.isOfUnread()) {
        break; // nobody knew that it was a HEAD: a text follows, then the end
      }
    }
    return responses;
  }

  /** Bytes that follow an answer without being of one would be taken for the next answer. */
  private void mustBeAHead() {
    int length = Math.min(START.length(), bytes.length - at);
    String start = new String(bytes, at, length, StandardCharsets.ISO_8859_1);
    if (!START.startsWith(start)) {
      throw new AssertionError("bytes between answers: " + start);
    }
  }

  private Response next(boolean headOnly, boolean ended) {
    int end = find("\r\n\r\n", at);
    if (end < 0) {
      return null;
    }
    String[] lines = new String(bytes, at, end - at, StandardCharsets.ISO_8859_1).split("\r\n", -1);
    at = end + 4;
    String[] status = lines[0].split(" ", 3);
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(": ");
      String name = lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
      String value = lines[i].substring(colon + 2);
      if (name.equals("www-authenticate") || name.equals("vary")) {
        headers.merge(name, value, (one, other) -> one + ", " + other); // a list
      } else if (headers.put(name, value) != null) {
        throw new AssertionError("header twice: " + name);
      }
    }
    int code = Integer.parseInt(status[1]);
    if (code == 104) {
      return new Response(code, status[0], headers, new byte[0], true); // others follow
    }
    if (code == 100 && lines.length == 1) {
      return next(headOnly, ended); // leave to send a body; the answer follows
    }
    if (!status[0].equals("HTTP/1.1") || !headers.containsKey("date")) {
      throw new AssertionError("bad head: " + String.join("|", lines));
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean complete = headOnly || code == 304 || code == 204 || body(headers, body, ended);
    return new Response(code, status[0], headers, body.toByteArray(), complete);
  }

  private boolean body(Map<String, String> headers, ByteArrayOutputStream body, boolean ended) {
    if ("chunked".equals(headers.get("transfer-encoding"))) {
      return chunks(body);
    }
    String length = headers.get("content-length");
    long wanted = length == null ? Long.MAX_VALUE : Long.parseLong(length);
    int there = (int) Math.min(wanted, bytes.length - at);
    body.write(bytes, at, there);
    at += there;
    return length == null ? ended : there == wanted;
  }

  private boolean chunks(ByteArrayOutputStream body) {
    while (true) {
      int end = find("\r\n", at);
      if (end < 0) {
        at = bytes.length;
        return false;
      }
      int size = Integer.parseInt(new String(bytes, at, end - at, StandardCharsets.US_ASCII), 16);
      if (end + 2 + size + 2 > bytes.length) {
        at = bytes.length;
        return false;
      }
      body.write(bytes, end + 2, size);
      at = end + 2 + size + 2;
      if (bytes[at - 2] != '\r' || bytes[at - 1] != '\n') {
        throw new AssertionError("chunk without end");
      }
      if (size == 0) {
        return true;
      }
    }
  }

  private int find(String text, int from) {
    outer:
    for (int i = from; i + text.length() <= bytes.length; i++) {
      for (int j = 0; j < text.length(); j++) {
        if (bytes[i + j] != text.charAt(j)) {
          continue outer;
        }
      }
      return i;
    }
    return -1;
  }
}
