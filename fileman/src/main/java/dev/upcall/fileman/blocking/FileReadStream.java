package dev.upcall.fileman.blocking;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.content.ContentSlice;
import java.nio.ByteBuffer;
import java.util.Objects;

/** One version of a file as a stream. */
public final class FileReadStream extends Upcall.ReadStream {
  private static final int BUFFER_BYTES = 64 << 10;
  private final Source source;
  private ByteBuffer buffer;
  private long position;
  private boolean closed;

  /** One version of a file, held until it is closed. */
  public interface Source {
    /** Its metadata. */
    FileInfo info();

    /** Reads a range; -1 at or behind the end. */
    int read(long offset, ByteBuffer into);

    /** Leases a range; empty at or behind the end. */
    ContentSlice slice(long offset, int maxBytes);

    /** Lets go of it. */
    void close();
  }

  /** Of a version, which it closes with itself. */
  public FileReadStream(Source source) {
    this(source, ByteBuffer.allocate(0));
  }

  /**
   * Of which the first bytes are known.
   *
   * @param first these; its position moves
   */
  FileReadStream(Source source, ByteBuffer first) {
    this.source = source;
    this.buffer = first;
  }

  @Override
  public FileInfo info() {
    return source.info();
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    if (!buffer.hasRemaining()) {
      if (length >= BUFFER_BYTES) {
        return advance(read(position, ByteBuffer.wrap(bytes, offset, length)));
      }
      refill();
    }
    int count = Math.min(length, buffer.remaining());
    if (count == 0) {
      return -1;
    }
    buffer.get(bytes, offset, count);
    return advance(count);
  }

  @Override
  public int read(long offset, ByteBuffer into) {
    return source.read(offset, Objects.requireNonNull(into, "into"));
  }

  @Override
  public ContentSlice slice(long offset, int maxBytes) {
    return source.slice(offset, maxBytes);
  }

  @Override
  public long skip(long count) {
    long skipped = Math.clamp(count, 0, source.info().sizeBytes() - position);
    if (skipped <= buffer.remaining()) {
      buffer.position(buffer.position() + (int) skipped);
    } else {
      buffer.position(buffer.limit());
    }
    position += skipped;
    return skipped;
  }

  @Override
  public int available() {
    return buffer.remaining();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      source.close();
    }
  }

  private void refill() {
    if (buffer.capacity() == 0) {
      buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, source.info().sizeBytes()));
    }
    buffer.clear();
    if (buffer.hasRemaining()) {
      read(position, buffer);
    }
    buffer.flip();
  }

  private int advance(int count) {
    if (count > 0) {
      position += count;
    }
    return count;
  }
}
