package dev.upcall.journal.entry;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a path is, whatever the store: absolute, well-formed text without NUL, and not too long. */
final class RequestPath {
  private RequestPath() {}

  /** Throws {@link IllegalArgumentException} when it is none. */
  static void check(String path) {
    encode(path);
  }

  /** In UTF-8; throws {@link IllegalArgumentException} when it is none. */
  static byte[] encode(String path) {
    byte[] bytes;
    try {
      ByteBuffer encoded =
          StandardCharsets.UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(path));
      bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
    } catch (CharacterCodingException malformed) {
      throw new IllegalArgumentException("a path that is not well-formed text", malformed);
    }
    if (!isPath(path) || bytes.length > Request.MAX_PATH_BYTES) {
      throw new IllegalArgumentException(
          "a path begins with /, has no NUL and at most " + Request.MAX_PATH_BYTES + " bytes");
    }
    return bytes;
  }

  /** The path that bytes are, or null. */
  static @Nullable String decode(byte[] bytes) {
    try {
      String path =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
      return isPath(path) ? path : null;
    } catch (CharacterCodingException malformed) {
      return null;
    }
  }

  private static boolean isPath(String text) {
    return text.startsWith("/") && text.indexOf('\0') < 0;
  }
}
