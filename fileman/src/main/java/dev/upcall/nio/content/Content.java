package dev.upcall.nio.content;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.concurrent.CompletableFuture;

/** What a channel reads and writes. Any threads; may throw {@link dev.upcall.UpcallException}. */
public interface Content {
  /** Bytes, at this moment. */
  long sizeBytes() throws IOException;

  /** Reads some of what there is from an offset on; -1 at or behind the end. */
  int read(long offset, ByteBuffer into) throws IOException;

  /**
   * As {@link #read}, for a caller that does not wait: complete when this returns, or on a thread
   * that nobody else needs. Cancelled before its turn it is not done.
   */
  CompletableFuture<Integer> readLater(long offset, ByteBuffer into);

  /** Writes all that remains at an offset, or at the end if that is negative; its new position. */
  default long write(long offset, ByteBuffer from) throws IOException {
    throw new ReadOnlyFileSystemException();
  }

  /** As {@link #write} at an offset, and as {@link #readLater}; has how many bytes it was. */
  default CompletableFuture<Integer> writeLater(long offset, ByteBuffer from) {
    return CompletableFuture.failedFuture(new ReadOnlyFileSystemException());
  }

  /** Cuts; a size that is not smaller changes nothing. */
  default void truncate(long sizeBytes) throws IOException {
    throw new ReadOnlyFileSystemException();
  }

  /** Makes it longer, by zeros; a size that is not larger changes nothing. */
  default void grow(long sizeBytes) throws IOException {
    throw new ReadOnlyFileSystemException();
  }

  /** All that was done before is durable when this returns. */
  default void force() throws IOException {}

  /** Regions that are locked. */
  FileLocks locks();

  /** Gives everything back. Once. */
  void close() throws IOException;
}
