package dev.upcall.fileman.blocking;

import dev.upcall.Upcall;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;

/**
 * A file opened for reading and writing as a channel. It reads what it has written: what is
 * collected is committed before a read. One thread at a time.
 */
final class HandleChannel implements SeekableByteChannel {
  private final Upcall.RandomAccess handle;
  private long position;
  private boolean collects;
  private boolean open = true;

  /** Reads and writes through a handle, which it closes with itself. */
  HandleChannel(Upcall.RandomAccess handle) {
    this.handle = handle;
  }

  static long notNegative(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(what + " " + value + " is negative");
    }
    return value;
  }

  private void check() throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public int read(ByteBuffer into) throws ClosedChannelException {
    Objects.requireNonNull(into, "into");
    check();
    if (!into.hasRemaining()) {
      return 0;
    }
    if (collects) {
      handle.flush();
      collects = false;
    }
    int count = handle.read(position, into);
    position += Math.max(count, 0);
    return count;
  }

  @Override
  public int write(ByteBuffer from) throws ClosedChannelException {
    Objects.requireNonNull(from, "from");
    check();
    int count = from.remaining();
    if (count > 0) {
      handle.write(position, from.duplicate());
      collects = true;
      from.position(from.limit());
      position += count;
    }
    return count;
  }

  @Override
  public SeekableByteChannel truncate(long sizeBytes) throws ClosedChannelException {
    notNegative("sizeBytes", sizeBytes);
    check();
    if (sizeBytes < handle.sizeBytes()) {
      handle.truncate(sizeBytes);
      collects = true;
    }
    position = Math.min(position, sizeBytes);
    return this;
  }

  @Override
  public long position() throws ClosedChannelException {
    check();
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws ClosedChannelException {
    check();
    position = notNegative("newPosition", newPosition);
    return this;
  }

  @Override
  public long size() throws ClosedChannelException {
    check();
    return handle.sizeBytes();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      handle.close();
    }
  }
}
