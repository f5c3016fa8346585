package dev.upcall.threads;

import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** A few large aligned buffers for content on its way to its place; whoever wants one waits. */
final class TransferBuffers {
  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final Semaphore places;
  private final int sizeBytes;

  TransferBuffers(int count, int sizeBytes) {
    this.places = new Semaphore(count);
    this.sizeBytes = sizeBytes;
  }

  ByteBuffer take() {
    places.acquireUninterruptibly();
    ByteBuffer buffer = free.poll();
    return buffer != null ? buffer.clear() : Disk.newBuffer(sizeBytes);
  }

  void giveBack(ByteBuffer buffer) {
    free.add(buffer);
    places.release();
  }
}
