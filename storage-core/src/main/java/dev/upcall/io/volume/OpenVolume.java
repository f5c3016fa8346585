package dev.upcall.io.volume;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRules;
import dev.upcall.io.Errno;
import dev.upcall.io.LibC;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open and locked volume: its descriptors and what was found out about it. All operations block:
 * helper threads only. Those that return an int return 0 or an errno, unless they move bytes.
 *
 * @param libC the foreign calls
 * @param name the path, for messages
 * @param fd the descriptor for I/O
 * @param lock what holds the lock
 * @param sizeBytes the size when it was opened
 * @param access what the descriptor can do
 */
record OpenVolume(LibC libC, String name, int fd, Lock lock, long sizeBytes, Access access)
    implements AutoCloseable {

  /**
   * What the descriptor can do, and on what.
   *
   * @param readOnly whether nothing can be written through it
   * @param direct whether it bypasses the page cache
   * @param rotating whether the device below has heads, as far as that is known
   */
  record Access(boolean readOnly, boolean direct, boolean rotating) {}

  /** What holds the lock; it dies with the process. */
  sealed interface Lock {
    /** A lock of an open file description of its own. */
    record Description(int fd) implements Lock {}

    /** A lock on a file beside the volume. */
    record Sidecar(FileLock fileLock) implements Lock {}

    /** Nothing: the volume is only read, where nothing can be locked. */
    record None() implements Lock {}
  }

  /** The size when it was opened, in whole blocks. */
  long sizeBlocks() {
    return sizeBytes / Disk.BLOCK_BYTES;
  }

  /**
   * Gives room to blocks, growing the file if need be; where the file system cannot allocate it
   * only grows.
   */
  int allocate(long block, long blocks) {
    long offset = block * Disk.BLOCK_BYTES;
    long bytes = blocks * Disk.BLOCK_BYTES;
    int errno = libC.fallocate(fd, 0, offset, bytes);
    return Errno.isUnsupported(errno) ? grow(offset + bytes) : errno;
  }

  /** Grows the file without allocating; a block device is as large as it is. */
  int grow(long bytes) {
    long size = libC.size(fd);
    if (size < 0) {
      return (int) -size;
    }
    if (size >= bytes) {
      return 0;
    }
    int errno = libC.truncate(fd, bytes);
    return errno == Errno.EINVAL ? Errno.ENOSPC : errno;
  }

  /** Punches a hole; success where the file system cannot. */
  int punch(long block, long blocks) {
    int mode = LibC.FALLOC_FL_PUNCH_HOLE | LibC.FALLOC_FL_KEEP_SIZE;
    int errno = libC.fallocate(fd, mode, block * Disk.BLOCK_BYTES, blocks * Disk.BLOCK_BYTES);
    return Errno.isUnsupported(errno) ? 0 : errno;
  }

  /** Reads at a byte, as {@link LibC#read}. */
  int read(List<ByteBuffer> into, int skipBytes, long offset) {
    return libC.read(fd, into, skipBytes, offset);
  }

  /** Writes at a byte, as {@link LibC#write}; not durable until a later sync. */
  int write(List<ByteBuffer> from, int skipBytes, long offset) {
    return libC.write(fd, from, skipBytes, offset);
  }

  /** Makes durable what was written, as {@code fdatasync} does. */
  int sync() {
    return libC.dataSync(fd);
  }

  /**
   * How long it is now, or that it has no name any more; {@code Long.MAX_VALUE} where the kernel
   * does not say. A block device is asked for its size only.
   */
  Completion<Long> presentBytes() {
    LibC.Status now = libC.status(fd);
    if (Errno.isUnsupported(now.errno()) || now.errno() == Errno.EPERM) {
      return Completion.done(Long.MAX_VALUE);
    }
    if (now.errno() != 0) {
      return Completion.failed(
          new Failure.Device("stat of volume " + name, Errno.message(now.errno())));
    }
    if ((now.mode() & VolumeOpener.TYPE_MASK) == VolumeOpener.TYPE_BLOCK_DEVICE) {
      return Completion.done(libC.size(fd));
    }
    return now.links() == 0
        ? Completion.failed(DiskRules.removed(name))
        : Completion.done(now.sizeBytes());
  }

  /** Cuts the file; a block device keeps its size. */
  int truncate(long blocks) {
    int errno = libC.truncate(fd, blocks * Disk.BLOCK_BYTES);
    return errno == Errno.EINVAL ? 0 : errno;
  }

  /** Closes the descriptors, the lock's last. */
  @Override
  public void close() {
    libC.close(fd);
    release(libC, lock);
  }

  static void release(LibC libC, @Nullable Lock lock) {
    switch (lock) {
      case null -> {}
      case Lock.None() -> {}
      case Lock.Description description -> libC.close(description.fd());
      case Lock.Sidecar sidecar -> {
        try {
          sidecar.fileLock().acquiredBy().close();
        } catch (java.io.IOException error) {
          System.getLogger(OpenVolume.class.getName())
              .log(System.Logger.Level.WARNING, "a lock file did not close", error);
        }
      }
    }
  }
}
