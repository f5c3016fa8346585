package dev.upcall.feed;

import dev.upcall.fileman.FileVersion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What came of a producer's last request. A property of the store: version (1), sequence (8), file
 * (8), its version (8), little-endian, then the failure as text.
 *
 * @param sequence which request
 * @param file what it made or changed last; zeros if nothing is left of it
 * @param failure why it was not done and never will be; empty when it was done
 */
record Outcome(long sequence, FileVersion file, String failure) {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 1 + 3 * Long.BYTES;
  private static final int MAX_FAILURE_CHARS = 200;

  /** Cuts the failure, which must fit a property. */
  Outcome {
    failure = failure.substring(0, Math.min(failure.length(), MAX_FAILURE_CHARS));
  }

  byte[] encode() {
    byte[] text = failure.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(HEAD_BYTES + text.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(VERSION)
        .putLong(sequence)
        .putLong(file.id())
        .putLong(file.version())
        .put(text)
        .array();
  }

  /** Null for what {@link #encode} cannot have given. */
  static @Nullable Outcome decode(byte[] bytes) {
    if (bytes.length < HEAD_BYTES || bytes[0] != VERSION) {
      return null;
    }
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(1);
    long sequence = from.getLong();
    FileVersion file = new FileVersion(from.getLong(), from.getLong());
    String failure =
        new String(bytes, HEAD_BYTES, bytes.length - HEAD_BYTES, StandardCharsets.UTF_8);
    return new Outcome(sequence, file, failure);
  }
}
