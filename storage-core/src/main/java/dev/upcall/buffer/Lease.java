package dev.upcall.buffer;

import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The right to use the bytes of a frame, or of a part of it, until {@link #release}. As long as a
 * lease is out the memory stays where it is and its content stays as it is, whatever happens to the
 * blocks on disk.
 *
 * <p>The holder of a lease from {@link BufferManager#allocate} may write until it publishes; every
 * other holder may only read. Leases of a {@link BufferManager} belong to its dispatcher; an engine
 * with memory of its own has leases of its own.
 */
public interface Lease {
  /**
   * The bytes: a new direct little-endian buffer over them, position 0, limit {@link #sizeBytes},
   * aligned to a block. Any thread.
   */
  ByteBuffer buffer();

  /** A part of the bytes, as a new direct buffer of its own in Java's order. Any thread. */
  default ByteBuffer buffer(int fromBytes, int lengthBytes) {
    return buffer().slice(fromBytes, lengthBytes);
  }

  /**
   * Copies a part of the bytes where no thread keeps the lease from being given back. They must be
   * such as never change any more. False, and any bytes, where it was given back before they were
   * all there, or where the memory cannot be read like that. Any thread.
   */
  default boolean copy(int fromBytes, ByteBuffer into, int at, int lengthBytes) {
    return false;
  }

  /**
   * The bytes for {@link #copy}, for who remembers them without the lease; null where they cannot
   * be read like that. Any thread.
   */
  default @Nullable UnpinnedBytes unpinned() {
    return null;
  }

  /** How many blocks. */
  int blocks();

  /** How many bytes: whole blocks. */
  default int sizeBytes() {
    return blocks() * Disk.BLOCK_BYTES;
  }

  /** The address of the first block, or -1 as long as the content has none. Owner's thread. */
  long firstBlock();

  /** One more {@link #release} will be needed. The owner's thread only. */
  Lease retain();

  /**
   * Gives it back. From any thread: from another than the dispatcher's it is a message that joins
   * others of its kind, and the sender must not touch the bytes any more. Once too often is a
   * programmer's error and stops the store.
   */
  void release();

  /**
   * The whole of this private frame is now the clean content of these blocks on disk: readers may
   * find it there. Nobody may write to it any more. Owner's thread only.
   *
   * @param run as long as the frame, with the checksums of what is in it
   */
  void publish(BlockRun run);
}
