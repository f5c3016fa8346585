package dev.upcall.fileman.blocking;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;

/** What is read at any offset, as a channel: its position, and whether it is open. */
abstract class PositionedChannel implements SeekableByteChannel {
  private long position;
  private boolean open = true;

  /** Reads at an offset as much as there is and fits, or less; -1 at the end. */
  abstract int readAt(long offset, ByteBuffer into);

  /** How much there is. */
  abstract long sizeBytes();

  /** Closes what is behind; once. */
  abstract void release();

  final void checkOpen() throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }

  static long notNegative(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(what + " " + value + " is negative");
    }
    return value;
  }

  @Override
  public final int read(ByteBuffer into) throws ClosedChannelException {
    Objects.requireNonNull(into, "into");
    checkOpen();
    if (!into.hasRemaining()) {
      return 0;
    }
    int count = readAt(position, into);
    position += Math.max(count, 0);
    return count;
  }

  @Override
  public final long position() throws ClosedChannelException {
    checkOpen();
    return position;
  }

  @Override
  public final SeekableByteChannel position(long newPosition) throws ClosedChannelException {
    checkOpen();
    position = notNegative("newPosition", newPosition);
    return this;
  }

  @Override
  public final long size() throws ClosedChannelException {
    checkOpen();
    return sizeBytes();
  }

  @Override
  public final boolean isOpen() {
    return open;
  }

  @Override
  public final void close() {
    if (open) {
      open = false;
      release();
    }
  }
}
