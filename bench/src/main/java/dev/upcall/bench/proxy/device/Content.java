package dev.upcall.bench.proxy.device;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** Content that no device can make smaller, and that begins with a stamp. Used by one thread. */
final class Content {
  private final ByteBuffer written;
  private final ByteBuffer found;

  /** For files of at most so many bytes. */
  Content(int mostBytes) {
    byte[] random = new byte[mostBytes];
    new Random(1).nextBytes(random);
    this.written = ByteBuffer.allocateDirect(mostBytes).order(ByteOrder.LITTLE_ENDIAN);
    this.written.put(random);
    this.found = ByteBuffer.allocateDirect(mostBytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** So many bytes to be written, a stamp of eight included. */
  ByteBuffer stamped(long stamp, int bytes) {
    return written.putLong(0, stamp).limit(bytes).position(0);
  }

  /** Room to read so many bytes. */
  ByteBuffer room(int bytes) {
    return found.limit(bytes).position(0);
  }

  /** Fails unless the room was filled with what has this stamp. */
  void check(long stamp) {
    if (found.hasRemaining() || found.getLong(0) != stamp) {
      throw new IllegalStateException(
          "%d bytes lack, stamp %d instead of %d"
              .formatted(found.remaining(), found.getLong(0), stamp));
    }
  }
}
