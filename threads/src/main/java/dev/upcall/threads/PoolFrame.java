package dev.upcall.threads;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.BlockRun;
import dev.upcall.buffer.Lease;
import dev.upcall.completion.Failure;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A frame of the {@link FramePool}, and the right to use it: any thread may retain and release.
 *
 * <p>The number of pins says whose it is: above 0 somebody's, 0 nobody's (clean content that may be
 * evicted), -1 gone. Who changes it to -1 frees the memory, and nobody pins it any more.
 */
final class PoolFrame implements Lease {
  /** The page of a frame outside of the pool's memory. */
  static final int UNPOOLED = -1;

  private static final int GONE = -1;

  private final FramePool pool;
  private final int page;
  private final ByteBuffer bytes;
  private final int blocks;
  private final AtomicInteger pins = new AtomicInteger(1);
  private final CountDownLatch loaded = new CountDownLatch(1);
  private volatile boolean findable;
  private volatile long firstBlock = -1;
  private volatile @Nullable Failure failure;

  /** Used since the eviction's hand came by; races between those who set it do no harm. */
  private boolean touched;

  /** Whether the replacement policy holds it; guarded by the pool's lock. */
  boolean listed;

  PoolFrame(FramePool pool, int page, int blocks, ByteBuffer bytes) {
    this.pool = pool;
    this.page = page;
    this.blocks = blocks;
    this.bytes = bytes;
  }

  @Override
  public ByteBuffer buffer() {
    return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public int blocks() {
    return blocks;
  }

  @Override
  public long firstBlock() {
    return firstBlock;
  }

  @Override
  public PoolFrame retain() {
    Invariants.check(tryPin(), "retain of a frame that is gone");
    return this;
  }

  @Override
  public void release() {
    int left = pins.decrementAndGet();
    Invariants.check(left >= 0, "frame released once too often", left);
    if (left == 0 && !findable && kill()) {
      pool.free(this);
    }
  }

  @Override
  public void publish(BlockRun run) {
    pool.publish(this, run.firstBlock());
  }

  int page() {
    return page;
  }

  /** One more pin, unless the frame is gone. */
  boolean tryPin() {
    for (int now = pins.get(); now != GONE; now = pins.get()) {
      if (pins.compareAndSet(now, now + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Makes the frame nobody's for good, if it is nobody's; then the caller frees it. */
  boolean kill() {
    return pins.compareAndSet(0, GONE);
  }

  /** The frame can be found under an address, from before its content is there. */
  void place(long block) {
    firstBlock = block;
    findable = true;
  }

  /** It cannot be found any more; true if the caller has to free it. */
  boolean hide() {
    findable = false;
    return kill();
  }

  boolean isFindable() {
    return findable;
  }

  /** Ends the load; with a failure there is no content. */
  void settle(@Nullable Failure why) {
    failure = why;
    loaded.countDown();
  }

  /** Waits until the content is there; why it is not, or null. */
  @Nullable Failure awaitLoaded() {
    if (loaded.getCount() > 0) {
      boolean interrupted = false;
      while (true) {
        try {
          loaded.await();
          break;
        } catch (InterruptedException during) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return failure;
  }

  /** Whether the load has ended, well or not. */
  boolean isLoaded() {
    return loaded.getCount() == 0;
  }

  void touch() {
    if (!touched) {
      touched = true;
    }
  }

  boolean takeTouched() {
    boolean was = touched;
    touched = false;
    return was;
  }
}
