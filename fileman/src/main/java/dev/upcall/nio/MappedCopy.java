package dev.upcall.nio;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Mappings of what was in a range when it was mapped. A program cannot make a {@link
 * MappedByteBuffer} of its own, but it may map a file of the host: the range is copied into a
 * temporary one without a name, whose space comes back with the last mapping.
 */
final class MappedCopy {
  private MappedCopy() {}

  /** What is mapped. */
  record Range(long offset, long sizeBytes) {}

  /** As a buffer. */
  static MappedByteBuffer buffer(FileChannel from, MapMode mode, long offset, long sizeBytes)
      throws IOException {
    try (FileChannel copy = copied(from, new Range(offset, sizeBytes))) {
      return copy.map(mode, 0, sizeBytes);
    }
  }

  /** As a segment. */
  static MemorySegment segment(FileChannel from, MapMode mode, Range range, Arena arena)
      throws IOException {
    try (FileChannel copy = copied(from, range)) {
      return copy.map(mode, 0, range.sizeBytes(), arena);
    }
  }

  private static FileChannel copied(FileChannel from, Range range) throws IOException {
    if (range.offset() + range.sizeBytes() > from.size()) {
      throw new IOException("Channel not open for writing - cannot extend file to required size");
    }
    Path temporary = Files.createTempFile("upcall-map", null);
    FileChannel copy =
        FileChannel.open(
            temporary,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    boolean whole = false;
    try {
      long done = 0;
      while (done < range.sizeBytes()) {
        long count = from.transferTo(range.offset() + done, range.sizeBytes() - done, copy);
        if (count == 0) {
          throw new EOFException("the file became shorter while it was mapped");
        }
        done += count;
      }
      whole = true;
      return copy;
    } finally {
      if (!whole) {
        copy.close();
      }
    }
  }
}
