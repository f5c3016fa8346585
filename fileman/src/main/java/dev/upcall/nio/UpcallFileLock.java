package dev.upcall.nio;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;

/** A locked region, until it is released or its channel is closed. */
final class UpcallFileLock extends FileLock {
  private final UpcallFileChannel holder;
  private final FileLocks locks;

  /** Of a channel. */
  UpcallFileLock(UpcallFileChannel holder, Region region, FileLocks locks) {
    super(holder, region.position(), region.sizeBytes(), region.shared());
    this.holder = holder;
    this.locks = locks;
  }

  /**
   * Of a channel around one.
   *
   * @param holder with which it ends
   */
  UpcallFileLock(
      AsynchronousFileChannel channel, UpcallFileChannel holder, Region region, FileLocks locks) {
    super(channel, region.position(), region.sizeBytes(), region.shared());
    this.holder = holder;
    this.locks = locks;
  }

  /**
   * What is locked.
   *
   * @param sizeBytes bytes; of 0 it becomes all that a file can have from the position on
   */
  record Region(long position, long sizeBytes, boolean shared) {
    Region {
      sizeBytes = sizeBytes == 0 ? Long.MAX_VALUE - Math.max(0, position) : sizeBytes;
    }
  }

  /** With which it ends. */
  UpcallFileChannel holder() {
    return holder;
  }

  @Override
  public boolean isValid() {
    return holder.isOpen() && locks.has(this);
  }

  @Override
  public void release() throws IOException {
    if (!holder.isOpen()) {
      throw new ClosedChannelException();
    }
    locks.remove(this);
  }
}
