package dev.upcall.fileman.blocking;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.Upcall;
import java.nio.ByteBuffer;
import java.util.Objects;

/** One version of a file as a stream. */
final class FileReadStream extends Upcall.ReadStream {
  private static final int BUFFER_BYTES = 64 << 10;
  private final Calls calls;
  private final ReadSide side;
  private ByteBuffer buffer = ByteBuffer.allocate(0);
  private long position;
  private boolean closed;

  FileReadStream(Calls calls, ReadSide side) {
    this.calls = calls;
    this.side = side;
  }

  @Override
  public FileInfo info() {
    return side.info();
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
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
    return Slices.read(calls, side::read, offset, into);
  }

  @Override
  public long skip(long count) {
    long skipped = Math.clamp(count, 0, side.info().sizeBytes() - position);
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
      if (!calls.isClosing()) {
        calls.call(side::close);
      }
    }
  }

  private void refill() {
    if (buffer.capacity() == 0) {
      buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, side.info().sizeBytes()));
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
