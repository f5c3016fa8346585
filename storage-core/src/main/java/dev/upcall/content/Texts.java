package dev.upcall.content;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/** Content that is text, in UTF-8. Nothing is replaced: what is no such text is refused. */
public final class Texts {
  private Texts() {}

  /**
   * The text of a content; {@code Invalid} when it is not UTF-8.
   *
   * @param what whose content it is, for that message
   */
  public static Completion<String> decode(Object what, byte[] content) {
    Objects.requireNonNull(what, "what");
    Objects.requireNonNull(content, "content");
    try {
      return Completion.done(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString());
    } catch (CharacterCodingException other) {
      return invalid("the content of " + what + " is not text in UTF-8");
    }
  }

  /**
   * The content of a text; {@code Invalid} when that has half a character (an unpaired surrogate).
   *
   * @param what whose content it will be, for that message
   */
  public static Completion<byte[]> encode(Object what, CharSequence text) {
    Objects.requireNonNull(what, "what");
    Objects.requireNonNull(text, "text");
    try {
      return Completion.done(bytes(text));
    } catch (CharacterCodingException other) {
      return invalid("the text for " + what + " has an unpaired surrogate");
    }
  }

  /** A text in UTF-8, if it is well-formed. Quick where it is ASCII, as names are. */
  public static Optional<byte[]> utf8(String text) {
    Objects.requireNonNull(text, "text");
    if (isAscii(text)) {
      return Optional.of(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    try {
      return Optional.of(bytes(text));
    } catch (CharacterCodingException malformed) {
      return Optional.empty();
    }
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static byte[] bytes(CharSequence text) throws CharacterCodingException {
    ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    byte[] content = new byte[encoded.remaining()];
    encoded.get(content);
    return content;
  }

  private static <T> Completion<T> invalid(String message) {
    return Completion.failed(new Failure.Invalid(message));
  }
}
