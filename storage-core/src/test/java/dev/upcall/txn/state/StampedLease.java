package dev.upcall.txn.state;

import dev.upcall.buffer.BlockRun;
import dev.upcall.buffer.Lease;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;

/** A block of memory that says which one it is, is nobody's frame, and is never published. */
final class StampedLease implements Lease {
  private final ByteBuffer bytes;

  StampedLease(long stamp) {
    bytes = ByteBuffer.allocate(Disk.BLOCK_BYTES).putLong(0, stamp);
  }

  @Override
  public ByteBuffer buffer() {
    return bytes.duplicate();
  }

  @Override
  public int blocks() {
    return 1;
  }

  @Override
  public long firstBlock() {
    return -1;
  }

  @Override
  public Lease retain() {
    return this;
  }

  @Override
  public void release() {}

  @Override
  public void publish(BlockRun run) {
    throw new AssertionError("published");
  }
}
