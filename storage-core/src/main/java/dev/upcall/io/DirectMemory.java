package dev.upcall.io;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Where direct buffers come from: the JVM, which has a limit for all who ask it
 * (-XX:MaxDirectMemorySize), or the C library when others have used that up. The store budgets what
 * is large, and asks only the JVM for it; the blocks that it needs to go on it must always have.
 */
final class DirectMemory {
  /** The JVM looks for half a second whether the collector frees some: once is enough. */
  private static final AtomicBoolean USED_UP = new AtomicBoolean();

  private DirectMemory() {}

  /** A zeroed buffer of the JVM's, or null when it has none to give. */
  static @Nullable ByteBuffer ofJvm(int sizeBytes) {
    try {
      ByteBuffer buffer = ByteBuffer.allocateDirect(sizeBytes);
      USED_UP.setPlain(false);
      return buffer;
    } catch (OutOfMemoryError full) {
      USED_UP.setPlain(true);
      return null;
    }
  }

  /**
   * A zeroed buffer of the JVM's or the process's.
   *
   * @throws OutOfMemoryError if the operating system refuses, too
   */
  static ByteBuffer anyhow(int sizeBytes) {
    ByteBuffer buffer = USED_UP.getPlain() ? null : ofJvm(sizeBytes);
    return buffer != null ? buffer : ofProcess(sizeBytes);
  }

  @SuppressWarnings("restricted") // NativeAccess.missing was asked before there was a volume
  static ByteBuffer ofProcess(int sizeBytes) {
    long address = LargePages.calls().allocate(sizeBytes);
    if (address == 0) {
      throw new OutOfMemoryError("the operating system has no %d bytes".formatted(sizeBytes));
    }
    return MemorySegment.ofAddress(address)
        .reinterpret(sizeBytes, Arena.ofAuto(), LargePages.calls()::free)
        .asByteBuffer();
  }
}
