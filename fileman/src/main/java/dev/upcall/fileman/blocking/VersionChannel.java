package dev.upcall.fileman.blocking;

import dev.upcall.Upcall;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** One version of a file as a channel. One thread at a time. */
public final class VersionChannel extends PositionedChannel {
  private final Upcall.ReadStream version;

  /** Reads a version, which it closes with itself. */
  public VersionChannel(Upcall.ReadStream version) {
    this.version = version;
  }

  @Override
  int readAt(long offset, ByteBuffer into) {
    return version.read(offset, into);
  }

  @Override
  long sizeBytes() {
    return version.info().sizeBytes();
  }

  @Override
  void release() {
    version.close();
  }

  @Override
  public int write(ByteBuffer from) throws ClosedChannelException {
    checkOpen();
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long sizeBytes) throws ClosedChannelException {
    checkOpen();
    throw new NonWritableChannelException();
  }
}
