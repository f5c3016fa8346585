package dev.upcall.content;

import dev.upcall.config.Compression;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Turns units of content into fewer bytes and back. Found by {@link java.util.ServiceLoader}. All
 * methods may be called on several threads at once, hold nothing of what they were given behind
 * their end, and need memory that does not depend on what is to be decoded.
 *
 * <p>Of all that {@link #encode} and {@link #decode} may throw, only an {@code OutOfMemoryError}
 * says that it may go better next time: the request fails as {@code Busy}. Anything else is a fault
 * of the codec, and the request fails as {@code Unsupported} with the exception's text.
 */
public interface UnitCodec {
  /** The number that volumes know it by, 1 to 15; 15 is for tests. */
  int number();

  /**
   * Why it can neither encode nor decode in this process, in words for users; empty if it can. The
   * first call may load a library, so it takes its time. Asked on helper threads before the other
   * two are called.
   */
  default Optional<String> refusal() {
    return Optional.empty();
  }

  /**
   * Encodes a unit.
   *
   * @param from direct, position to limit; neither changes
   * @param into direct, filled from its position on, which stays
   * @param degree not {@link Compression#NONE}
   * @return how many bytes it takes; 0 if {@code into} has no room for them
   */
  int encode(ByteBuffer from, ByteBuffer into, Compression degree);

  /**
   * Decodes what {@link #encode} has made, or anything else.
   *
   * @param from direct, position to limit; neither changes
   * @param into direct, filled from its position on, which stays; nothing behind the limit is
   *     written
   * @return whether {@code from} was the form of exactly so many bytes as {@code into} has
   */
  boolean decode(ByteBuffer from, ByteBuffer into);
}
