package dev.upcall.segment.paging;

import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Memory from which tree pages are written, used again by the next write: a fresh buffer for each
 * would cost the upcall that takes it 16 page faults, until a collection gives the old ones back.
 * At most as many are kept as writes are in flight (512 KiB). Dispatcher's thread only.
 */
public final class PageBuffers {
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

  /** None yet. */
  public PageBuffers() {}

  /** A buffer for one write, whatever stands in it. */
  ByteBuffer take() {
    ByteBuffer buffer = free.pollFirst();
    return buffer == null
        ? Disk.newBuffer(PageWriter.PAGES_PER_WRITE * Disk.BLOCK_BYTES)
        : buffer.clear();
  }

  /** No device reads from it any more. */
  void giveBack(ByteBuffer buffer) {
    if (free.size() < PageWriter.RUNS_IN_FLIGHT) {
      free.addFirst(buffer);
    }
  }
}
