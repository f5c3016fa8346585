package dev.upcall.buffer;

import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Images of tree pages in the memory that content leaves: a page that has left the heap is found
 * here before the disk is asked. Pages compete with content under the same replacement policy; none
 * waits for memory.
 *
 * <p>A page is named by the block of its first copy, in a range of names of its own, so no content
 * is ever taken for a page or the other way round. Nobody tells when a block is freed and used for
 * another page: the caller compares an image with the pointer to the page, as if it came from the
 * disk.
 */
public final class PageImages {
  /** Above the addresses of blocks and of decoded blocks. */
  private static final long FIRST_NAME = 1L << 61;

  private final BufferManager manager;
  private final SharedFrames shared;

  PageImages(BufferManager manager, SharedFrames shared) {
    this.manager = manager;
    this.shared = shared;
  }

  /**
   * Copies the image that was kept last for a block to the begin of the buffer; false if there is
   * none. Dispatcher's thread only.
   */
  public boolean copy(long block, ByteBuffer to) {
    FrameCache cache = manager.cache();
    Frame frame = cache.find(FIRST_NAME + block);
    if (frame == null) {
      return false;
    }
    cache.touch(frame);
    to.put(0, regionOf(frame), offsetOf(frame), Disk.BLOCK_BYTES);
    return true;
  }

  /**
   * A copy of the image for any other thread, once frames are {@linkplain SharedFrames#wanted
   * shared}; null if there is none, or on the dispatcher's thread.
   */
  public byte @Nullable [] copyElsewhere(long block) {
    return manager.dispatcher().isOwner() ? null : shared.copy(FIRST_NAME + block);
  }

  /**
   * Keeps what the buffer begins with instead of what was kept for the block; or nothing, when
   * others wait for memory or too much of it is held. Dispatcher's thread only.
   */
  public void keep(long block, ByteBuffer image) {
    if (!manager.keepsPageImages() || manager.isWaitedFor()) {
      return;
    }
    FrameCache cache = manager.cache();
    Frame frame = cache.claim(1);
    if (frame == null) {
      return;
    }
    cache.makePrivate(frame);
    regionOf(frame).put(offsetOf(frame), image, 0, Disk.BLOCK_BYTES);
    cache.publish(frame, FIRST_NAME + block, 1);
    cache.share(frame);
    cache.unpin(frame);
  }

  private ByteBuffer regionOf(Frame frame) {
    return manager.memory().regionOf(frame.page);
  }

  private int offsetOf(Frame frame) {
    return manager.memory().offsetOf(frame.page);
  }
}
