package dev.upcall.base;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * CRC32C (Castagnoli), the checksum of everything on a volume. Pure; any thread. The result is the
 * 32-bit value as an {@code int}, as it is written to the disk.
 */
public final class Checksums {
  private Checksums() {}

  /** The checksum of a whole array. */
  public static int crc32c(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return crc32c(bytes, 0, bytes.length);
  }

  /** The checksum of {@code sizeBytes} bytes from {@code offset}. */
  public static int crc32c(byte[] bytes, int offset, int sizeBytes) {
    Objects.requireNonNull(bytes, "bytes");
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, sizeBytes);
    return (int) crc.getValue();
  }

  /** The checksum of a buffer from its position to its limit; both stay as they are. */
  public static int crc32c(ByteBuffer buffer) {
    Objects.requireNonNull(buffer, "buffer");
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate());
    return (int) crc.getValue();
  }

  /**
   * The checksum of {@code sizeBytes} bytes from the absolute index {@code offset}; position and
   * limit stay as they are. The range must lie below the limit.
   */
  public static int crc32c(ByteBuffer buffer, int offset, int sizeBytes) {
    Objects.requireNonNull(buffer, "buffer");
    CRC32C crc = new CRC32C();
    crc.update(buffer.slice(offset, sizeBytes));
    return (int) crc.getValue();
  }
}
