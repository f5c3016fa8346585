package dev.upcall.httpd.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Percent-coding of URIs (RFC 3986) over strict UTF-8. */
public final class PercentCoding {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
  private static final boolean[] UNRESERVED = new boolean[128];

  static {
    for (char c = 0; c < 128; c++) {
      UNRESERVED[c] =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '.'
              || c == '_'
              || c == '~';
    }
  }

  private PercentCoding() {}

  /**
   * Decodes one path segment or query value, given as characters that stand for bytes (ISO 8859-1,
   * as they come off the wire). Raw bytes above 127 count as they are, since common clients send
   * them.
   *
   * @return null for a broken escape, for what is not UTF-8, and for an escaped slash or NUL, which
   *     no name can hold
   */
  static @Nullable String decode(String text, int from, int to) {
    boolean plain = true;
    for (int i = from; i < to && plain; i++) {
      char c = text.charAt(i);
      plain = c != '%' && c < 128;
    }
    if (plain) {
      return text.substring(from, to);
    }
    byte[] bytes = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int value = i + 2 < to ? escaped(text, i + 1) : -1;
        if (value <= 0 || value == '/') {
          return null;
        }
        bytes[length++] = (byte) value;
        i += 2;
      } else if (c > 255) {
        return null;
      } else {
        bytes[length++] = (byte) c;
      }
    }
    return strictUtf8(bytes, length);
  }

  private static int escaped(String text, int at) {
    int high = Character.digit(text.charAt(at), 16);
    int low = Character.digit(text.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static @Nullable String strictUtf8(byte[] bytes, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }

  /** Encodes a path; slashes stay, all else but unreserved characters is escaped. */
  public static String encodePath(String path) {
    return encode(path, true);
  }

  /** Encodes one name or query value; slashes are escaped too. */
  public static String encodeName(String name) {
    return encode(name, false);
  }

  private static String encode(String text, boolean keepSlash) {
    int i = 0;
    while (i < text.length() && stays(text.charAt(i), keepSlash)) {
      i++;
    }
    if (i == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b >= 0 && stays((char) b, keepSlash)) {
        out.append((char) b);
      } else {
        out.append('%').append((char) HEX[(b >> 4) & 15]).append((char) HEX[b & 15]);
      }
    }
    return out.toString();
  }

  private static boolean stays(char c, boolean keepSlash) {
    return c < 128 && (UNRESERVED[c] || (keepSlash && c == '/'));
  }
}
