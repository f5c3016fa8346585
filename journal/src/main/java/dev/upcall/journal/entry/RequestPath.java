package dev.upcall.journal.entry;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a path is, whatever the store: absolute, well-formed text without NUL, and not too long. */
final class RequestPath {
  private RequestPath() {}

  /** Throws {@link IllegalArgumentException} when it is none. */
  static void check(String path) {
    byte[] bytes = encode(path);
    // What has no encoding becomes something else, which is then not what it was.
    if (!new String(bytes, UTF_8).equals(path)) {
      throw new IllegalArgumentException("a path that is not well-formed text");
    }
    if (!isPath(path) || bytes.length > Request.MAX_PATH_BYTES) {
      throw new IllegalArgumentException(
          "a path begins with /, has no NUL and at most " + Request.MAX_PATH_BYTES + " bytes");
    }
  }

  /** One that was checked, in UTF-8. */
  static byte[] encode(String path) {
    return path.getBytes(UTF_8);
  }

  /** The path that bytes are, or null. */
  static @Nullable String decode(byte[] bytes) {
    String path = new String(bytes, UTF_8);
    return isPath(path) && Arrays.equals(encode(path), bytes) ? path : null;
  }

  private static boolean isPath(String text) {
    return text.startsWith("/") && text.indexOf('\0') < 0;
  }
}
