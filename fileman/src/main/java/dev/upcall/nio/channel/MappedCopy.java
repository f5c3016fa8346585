package dev.upcall.nio.channel;

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
public final class MappedCopy {
  private MappedCopy() {}

  /** What is mapped. */
  record Range(long offset, long sizeBytes) {}

  /** As a buffer. */
  static MappedByteBuffer buffer(UpcallFileChannel from, MapMode mode, Range range)
      throws IOException {
    try (FileChannel copy = copied(from, range)) {
      return copy.map(mode, 0, range.sizeBytes());
    }
  }

  /** As a segment. */
  static MemorySegment segment(UpcallFileChannel from, MapMode mode, Range range, Arena arena)
      throws IOException {
    try (FileChannel copy = copied(from, range)) {
      return copy.map(mode, 0, range.sizeBytes(), arena);
    }
  }

  /** A file of the host with what is there; zeros behind that are the mapping's to add. */
  private static FileChannel copied(UpcallFileChannel from, Range range) throws IOException {
    long present = from.size();
    long end = range.offset() + range.sizeBytes();
    if (end > present) {
      from.grow(end);
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
      long some = Math.min(end, present) - range.offset();
      long done = 0;
      while (done < some) {
        long count = from.transferTo(range.offset() + done, some - done, copy);
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
