package dev.upcall.fileman.blocking;

import dev.upcall.Upcall;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;

/** One version of a file as a channel. One thread at a time. */
final class VersionChannel implements SeekableByteChannel {
  private final Upcall.ReadStream version;
  private long position;
  private boolean open = true;

  /** Reads a version, which it closes with itself. */
  VersionChannel(Upcall.ReadStream version) {
    this.version = version;
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
    int count = version.read(position, into);
    position += Math.max(count, 0);
    return count;
  }

  @Override
  public int write(ByteBuffer from) throws ClosedChannelException {
    check();
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long sizeBytes) throws ClosedChannelException {
    check();
    throw new NonWritableChannelException();
  }

  @Override
  public long position() throws ClosedChannelException {
    check();
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws ClosedChannelException {
    check();
    position = HandleChannel.notNegative("newPosition", newPosition);
    return this;
  }

  @Override
  public long size() throws ClosedChannelException {
    check();
    return version.info().sizeBytes();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      version.close();
    }
  }
}
