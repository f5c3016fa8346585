package dev.upcall.io;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The disk seam: the one narrow way from the store to a volume. Implementations: ring (io_uring),
 * channel (thread pool over {@code FileChannel}) and simulated; no manager can tell which it has.
 *
 * <p>All methods are called on the owning dispatcher's thread; completions come back through its
 * FIFO, never inside the call, in any order. A disk either transfers the whole request or fails it:
 * short transfers, EINTR and EAGAIN are its own business. Buffers belong to the disk from {@code
 * submit} to the completion.
 */
public interface Disk {
  /** Bytes in a block: the unit of addresses, of alignment and of checksums. */
  int BLOCK_BYTES = 4096;

  /** The largest transfer of one request, in bytes. */
  int MAX_TRANSFER_BYTES = 1 << 20;

  /**
   * Starts one request. Refused ({@code Failure.Closed}, through the port) once {@link #close} was
   * called.
   */
  void submit(DiskRequest request);

  /**
   * Somebody waits for what the background has asked for: what of it has not gone to the device
   * goes on as {@link IoClass#FOREGROUND_WRITE}. A disk that holds nothing back has nothing to do.
   */
  default void lift() {}

  /**
   * Who hears, once, that the disk has found that it must change nothing any more, before those
   * hear of it whose requests fail for that. A disk that never finds such a thing tells nobody.
   */
  default void whenLost(Consumer<Failure> listener) {}

  /**
   * The present size in blocks, as of the last completed {@link DiskRequest.Allocate} or {@link
   * DiskRequest.Shrink}.
   */
  long sizeBlocks();

  /** A name for messages: the volume's path. */
  String name();

  /**
   * Whether it has heads that must move from one place to another, as far as it says. Does not
   * change.
   */
  default boolean isRotating() {
    return false;
  }

  /** Who transfers: {@code RING} is io_uring, {@code CHANNEL} all others. Does not change. */
  default DiskKind kind() {
    return DiskKind.CHANNEL;
  }

  /** What the device has done so far. */
  DiskCounters counters();

  /**
   * Refuses new work, waits for what is in flight, releases the lock and the descriptors, then
   * completes.
   */
  void close(CompletionPort<Unit> port);

  /**
   * A zeroed direct little-endian buffer, aligned to {@link #BLOCK_BYTES}: the JVM's, or the
   * process's own when others have used up the JVM's direct memory.
   *
   * @throws OutOfMemoryError if the operating system has no memory
   */
  static ByteBuffer newBuffer(int sizeBytes) {
    return aligned(DirectMemory.anyhow(sizeBytes + BLOCK_BYTES), sizeBytes);
  }

  /** The same of the JVM's direct memory; null when that is used up. */
  static @Nullable ByteBuffer newJvmBuffer(int sizeBytes) {
    ByteBuffer given = DirectMemory.ofJvm(sizeBytes + BLOCK_BYTES);
    return given == null ? null : aligned(given, sizeBytes);
  }

  private static ByteBuffer aligned(ByteBuffer buffer, int sizeBytes) {
    return buffer
        .alignedSlice(BLOCK_BYTES)
        .slice(0, sizeBytes)
        .order(java.nio.ByteOrder.LITTLE_ENDIAN);
  }
}
