package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The state of imports, kept in an attribute of each imported entry: from where it came and what it
 * was then. It tells what an import may remove, and what somebody changed in the store since.
 *
 * @param source which directory, see {@link #sourceId}
 * @param modifiedNanos the source's time of change; 0 for a directory
 * @param sizeBytes the source's size; 0 for a directory
 */
record ImportMark(long source, long modifiedNanos, long sizeBytes) {
  /** The attribute's name. */
  static final String ATTRIBUTE = "upcall.import";

  private static final int BYTES = 3 * Long.BYTES;

  /** A number for a directory of the host and the place it is imported to. */
  static long sourceId(Path realDirectory, StorePath into) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      String text = realDirectory + "\0" + into;
      return ByteBuffer.wrap(digest.digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The store's property that names a source. */
  static String propertyName(long source) {
    return "upcall.import/" + HexFormat.of().toHexDigits(source);
  }

  /** The mark of an entry; null when it was not imported. */
  static @Nullable ImportMark of(FileInfo info) {
    byte[] value = info.attributes().get(ATTRIBUTE);
    if (value == null || value.length != BYTES) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    return new ImportMark(bytes.getLong(), bytes.getLong(), bytes.getLong());
  }

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(source)
        .putLong(modifiedNanos)
        .putLong(sizeBytes)
        .array();
  }

  /** Whether the entry is still what was imported. */
  boolean describes(FileInfo info) {
    return info.isDirectory()
        || (info.times().modifiedNanos() == modifiedNanos && info.sizeBytes() == sizeBytes);
  }
}
