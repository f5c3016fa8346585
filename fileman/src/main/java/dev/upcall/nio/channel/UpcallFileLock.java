package dev.upcall.nio.channel;

import dev.upcall.nio.content.FileLocks;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;

/** A locked region, until it is released or its channel is closed. */
public final class UpcallFileLock extends FileLock {
  private final UpcallFileChannel holder;
  private final FileLocks.Region region;
  private final FileLocks locks;

  /** Of a channel. */
  UpcallFileLock(UpcallFileChannel holder, FileLocks.Region region, FileLocks locks) {
    super(holder, region.position(), region.sizeBytes(), region.isShared());
    this.holder = holder;
    this.region = region;
    this.locks = locks;
  }

  /**
   * Of a channel around one.
   *
   * @param holder with which it ends
   */
  UpcallFileLock(
      AsynchronousFileChannel channel,
      UpcallFileChannel holder,
      FileLocks.Region region,
      FileLocks locks) {
    super(channel, region.position(), region.sizeBytes(), region.isShared());
    this.holder = holder;
    this.region = region;
    this.locks = locks;
  }

  @Override
  public boolean isValid() {
    return holder.isOpen() && locks.has(region);
  }

  @Override
  public void release() throws IOException {
    if (!holder.isOpen()) {
      throw new ClosedChannelException();
    }
    locks.remove(region);
  }
}
