package dev.upcall.nio.channel;

import dev.upcall.nio.collected.FilesById;
import dev.upcall.nio.content.Content;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A position in a file's content, and whole buffers read and written there and elsewhere. A thread
 * that uses the position holds the channel's lock for it; the others are any threads.
 */
final class Cursor {
  private static final int MAX_GATHERED_BYTES = 1 << 20;

  private final Content content;
  private final boolean appends;
  private long position;

  /**
   * At the beginning.
   *
   * @param appends whether all that is written goes to the end
   */
  Cursor(Content content, boolean appends) {
    this.content = content;
    this.appends = appends;
  }

  // ------------------------------------------------------------------ the position

  long position() throws IOException {
    return appends ? content.sizeBytes() : position;
  }

  /** No file has anything behind its largest size; as the kernel says it. */
  long moveTo(long newPosition) throws IOException {
    if (newPosition > FilesById.MAX_BYTES) {
      throw new IOException("Invalid argument");
    }
    position = newPosition;
    return newPosition;
  }

  /** Cuts the content, and stays within it. */
  long truncate(long sizeBytes) throws IOException {
    content.truncate(sizeBytes);
    position = Math.min(position, sizeBytes);
    return position;
  }

  /** Makes the content longer, and stays where it is. */
  long grow(long sizeBytes) throws IOException {
    content.grow(sizeBytes);
    return position;
  }

  // ------------------------------------------------------------------ reading

  long read(ByteBuffer destination) throws IOException {
    return advance(readAt(position, destination));
  }

  /** Into one after the other. */
  long read(List<ByteBuffer> destinations) throws IOException {
    long total = 0;
    for (ByteBuffer destination : destinations) {
      if (destination.hasRemaining()) {
        int count = readAt(position + total, destination);
        if (count < 0) {
          return advance(total == 0 ? -1 : total);
        }
        total += count;
      }
    }
    return advance(total);
  }

  private long advance(long count) {
    position += Math.max(0, count);
    return count;
  }

  /** Reads until the buffer is full or the file ends: what is there is not left for later. */
  int readAt(long offset, ByteBuffer destination) throws IOException {
    if (!destination.hasRemaining()) {
      return 0;
    }
    int total = 0;
    while (destination.hasRemaining()) {
      int count = content.read(offset + total, destination);
      if (count < 0) {
        return total == 0 ? -1 : total;
      }
      total += count;
    }
    return total;
  }

  // ------------------------------------------------------------------ writing

  long write(ByteBuffer source) throws IOException {
    int count = source.remaining();
    if (count > 0) {
      position = content.write(appends ? -1 : position, source);
    }
    return count;
  }

  int writeAt(long offset, ByteBuffer source) throws IOException {
    int count = source.remaining();
    if (count > 0) {
      content.write(appends ? -1 : offset, source);
    }
    return count;
  }

  /** Many small ones become one commit; the first that would be too much for that waits. */
  long write(List<ByteBuffer> sources) throws IOException {
    long total = 0;
    for (ByteBuffer source : sources) {
      total += source.remaining();
    }
    if (total > MAX_GATHERED_BYTES) {
      long written = 0;
      for (ByteBuffer source : sources) {
        written += write(source);
      }
      return written;
    }
    ByteBuffer all = ByteBuffer.allocate((int) total);
    for (ByteBuffer source : sources) {
      all.put(source.duplicate());
    }
    long written = write(all.flip());
    for (ByteBuffer source : sources) {
      source.position(source.limit());
    }
    return written;
  }
}
