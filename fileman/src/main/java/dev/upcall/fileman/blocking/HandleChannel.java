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
public final class HandleChannel extends PositionedChannel {
  private final Upcall.RandomAccess handle;
  private boolean collects;

  /** Reads and writes through a handle, which it closes with itself. */
  public HandleChannel(Upcall.RandomAccess handle) {
    this.handle = handle;
  }

  @Override
  int readAt(long offset, ByteBuffer into) {
    if (collects) {
      handle.flush();
      collects = false;
    }
    return handle.read(offset, into);
  }

  @Override
  long sizeBytes() {
    return handle.sizeBytes();
  }

  @Override
  void release() {
    handle.close();
  }

  @Override
  public int write(ByteBuffer from) throws ClosedChannelException {
    Objects.requireNonNull(from, "from");
    checkOpen();
    int count = from.remaining();
    if (count > 0) {
      handle.write(position(), from.duplicate());
      collects = true;
      from.position(from.limit());
      position(position() + count);
    }
    return count;
  }

  @Override
  public SeekableByteChannel truncate(long sizeBytes) throws ClosedChannelException {
    notNegative("sizeBytes", sizeBytes);
    checkOpen();
    if (sizeBytes < handle.sizeBytes()) {
      handle.truncate(sizeBytes);
      collects = true;
    }
    position(Math.min(position(), sizeBytes));
    return this;
  }
}
