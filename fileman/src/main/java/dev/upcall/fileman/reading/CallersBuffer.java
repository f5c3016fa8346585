package dev.upcall.fileman.reading;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Buffers that callers give to the store's thread, to be read or filled there. One that only the
 * caller's thread may touch ({@link java.lang.foreign.Arena#ofConfined}), that may not be written,
 * or whose memory is gone would end that thread: it is found out on the caller's.
 */
public final class CallersBuffer {
  /** Stands for any thread but the caller's. */
  private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

  private CallersBuffer() {}

  /**
   * A buffer for the store to read: as it was given, or a copy of one that only the caller may
   * touch, which then counts as read.
   *
   * @param name the argument's, should it be missing
   * @throws IllegalStateException if its memory was given back
   */
  public static ByteBuffer toRead(String name, ByteBuffer given) {
    if (isAnybodys(Objects.requireNonNull(given, name))) {
      return given;
    }
    ByteBuffer copy = ByteBuffer.allocate(given.remaining());
    return copy.put(given).flip();
  }

  /**
   * Looks at a buffer that the store is to fill.
   *
   * @throws IllegalArgumentException if it is read-only, or only the caller may touch it
   * @throws IllegalStateException if its memory was given back
   */
  public static void checkFillable(ByteBuffer given) {
    if (given.isReadOnly()) {
      throw new IllegalArgumentException("the buffer is read-only");
    }
    if (!isAnybodys(given)) {
      throw new IllegalArgumentException(
          "only the calling thread may touch the buffer's memory; give one of a shared arena");
    }
  }

  private static boolean isAnybodys(ByteBuffer given) {
    if (!given.isDirect()) {
      return true;
    }
    MemorySegment memory = MemorySegment.ofBuffer(given);
    if (!memory.scope().isAlive()) {
      throw new IllegalStateException("the buffer's memory was given back");
    }
    return memory.isAccessibleBy(ANOTHER);
  }
}
