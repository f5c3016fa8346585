package dev.upcall.httpd.log;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines of a log into an array of its own. Of what a client has sent, control characters,
 * quotes, backslashes and all beyond ASCII are escaped, so that a line is one line. One thread.
 */
public final class LogLine {
  private static final long NANOS_IN_SECOND = 1_000_000_000L;
  private static final long NANOS_IN_MILLI = 1_000_000L;
  private static final int MAX_TEXT = 4096;

  /** The parameter that names an unfinished upload: with that name one goes on with it. */
  private static final String UPLOAD = "upload=";

  private static final String HIDDEN = "...";
  private static final String HEX = "0123456789abcdef";
  private static final DateTimeFormatter COMBINED =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final AccessLog.Format format;
  private byte[] out = new byte[1024];
  private int length;
  private long second = Long.MIN_VALUE;
  private String secondText = "";

  /**
   * One response.
   *
   * @param client the address of the client; null where it was gone before anybody could ask
   * @param user the name of the caller; empty for none
   * @param method of the request; null for what was no request, such as silence for too long
   * @param target as it came
   * @param protocol as it came
   * @param status of the response
   * @param bytes that were written, the head's among them
   * @param referer the field, or null
   * @param userAgent the field, or null
   * @param beganEpochNanos when the request was taken
   * @param tookNanos from then on until the response was written whole
   */
  public record Response(
      @Nullable String client,
      String user,
      @Nullable String method,
      String target,
      String protocol,
      int status,
      long bytes,
      @Nullable String referer,
      @Nullable String userAgent,
      long beganEpochNanos,
      long tookNanos) {
    /** Checks that nothing is missing. */
    public Response {
      Objects.requireNonNull(user, "user");
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(protocol, "protocol");
    }
  }

  /** A writer of lines. */
  public LogLine(AccessLog.Format format) {
    this.format = Objects.requireNonNull(format, "format");
  }

  /** Writes a line, which lies in {@link #bytes} until the next one. */
  public void write(Response response) {
    Objects.requireNonNull(response, "response");
    length = 0;
    switch (format) {
      case COMBINED -> combined(response);
      case JSON -> json(response);
    }
    add('\n');
  }

  /** The array of the line. */
  public byte[] bytes() {
    return out;
  }

  /** How many of its bytes the line has. */
  public int length() {
    return length;
  }

  private void combined(Response one) {
    plain(one.client() == null ? "-" : one.client());
    plain(" - ");
    plain(one.user().isEmpty() ? "-" : one.user());
    plain(" [");
    plain(time(one.beganEpochNanos()));
    plain("] \"");
    if (one.method() == null) {
      plain("-");
    } else {
      escaped(one.method());
      add(' ');
      escaped(withoutSecrets(one.target()));
      add(' ');
      escaped(one.protocol());
    }
    plain("\" ");
    plain(Integer.toString(one.status()));
    add(' ');
    plain(Long.toString(one.bytes()));
    plain(" \"");
    escaped(one.referer() == null ? "-" : withoutSecrets(one.referer()));
    plain("\" \"");
    escaped(one.userAgent() == null ? "-" : one.userAgent());
    add('"');
  }

  private void json(Response one) {
    plain("{\"time\":\"");
    plain(
        Instant.ofEpochSecond(
                Math.floorDiv(one.beganEpochNanos(), NANOS_IN_SECOND),
                Math.floorMod(one.beganEpochNanos(), NANOS_IN_SECOND)
                    / NANOS_IN_MILLI
                    * NANOS_IN_MILLI)
            .toString());
    field("\",\"client\":", one.client());
    field(",\"user\":", one.user().isEmpty() ? null : one.user());
    field(",\"method\":", one.method());
    field(",\"target\":", one.method() == null ? null : withoutSecrets(one.target()));
    field(",\"protocol\":", one.method() == null ? null : one.protocol());
    plain(",\"status\":");
    plain(Integer.toString(one.status()));
    plain(",\"bytes\":");
    plain(Long.toString(one.bytes()));
    plain(",\"micros\":");
    plain(Long.toString(one.tookNanos() / 1000));
    field(",\"referer\":", one.referer() == null ? null : withoutSecrets(one.referer()));
    field(",\"userAgent\":", one.userAgent());
    add('}');
  }

  private void field(String name, @Nullable String value) {
    plain(name);
    if (value == null) {
      plain("null");
    } else {
      add('"');
      escaped(value);
      add('"');
    }
  }

  private String time(long epochNanos) {
    long now = Math.floorDiv(epochNanos, NANOS_IN_SECOND);
    if (now != second) {
      second = now;
      secondText = COMBINED.format(Instant.ofEpochSecond(now));
    }
    return secondText;
  }

  /** All of a reference but what lets somebody in: a login, the name of an unfinished upload. */
  static String withoutSecrets(String reference) {
    String plain = withoutLogin(reference);
    int query = plain.indexOf('?');
    return query >= 0 && plain.indexOf(UPLOAD, query) > 0 ? withoutUploads(plain, query) : plain;
  }

  private static String withoutUploads(String reference, int query) {
    StringBuilder shown = new StringBuilder(reference.length());
    int from = 0;
    for (int at = reference.indexOf(UPLOAD, query); at > 0; at = reference.indexOf(UPLOAD, from)) {
      int end = at + UPLOAD.length();
      shown.append(reference, from, end);
      from = end;
      char before = reference.charAt(at - 1);
      if (before == '?' || before == '&') {
        while (from < reference.length() && "&#".indexOf(reference.charAt(from)) < 0) {
          from++;
        }
        shown.append(HIDDEN);
      }
    }
    return shown.append(reference, from, reference.length()).toString();
  }

  /** A reference may have a name and a password in front of its host. */
  private static String withoutLogin(String reference) {
    int slashes = reference.indexOf("//");
    if (reference.startsWith("/") || slashes < 0) {
      return reference;
    }
    int from = slashes + 2;
    int end = from;
    while (end < reference.length() && "/?#".indexOf(reference.charAt(end)) < 0) {
      end++;
    }
    int at = reference.lastIndexOf('@', end - 1);
    return at < from ? reference : reference.substring(0, from) + reference.substring(at + 1);
  }

  private void add(char ascii) {
    room(1);
    out[length++] = (byte) ascii;
  }

  private void plain(String ascii) {
    int size = ascii.length();
    room(size);
    for (int i = 0; i < size; i++) {
      out[length + i] = (byte) ascii.charAt(i);
    }
    length += size;
  }

  private void escaped(String text) {
    int size = Math.min(text.length(), MAX_TEXT);
    room(6 * size);
    for (int i = 0; i < size; i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
        out[length++] = (byte) c;
      } else if (format == AccessLog.Format.JSON) {
        hex("\\u00", c);
      } else {
        hex("\\x", c);
      }
    }
  }

  /** Fields come as bytes, one in each character. */
  private void hex(String before, char c) {
    plain(before);
    out[length++] = (byte) HEX.charAt(c >>> 4 & 15);
    out[length++] = (byte) HEX.charAt(c & 15);
  }

  private void room(int more) {
    if (length + more > out.length) {
      out = Arrays.copyOf(out, Math.max(out.length * 2, length + more));
    }
  }
}
