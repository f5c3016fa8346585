package dev.upcall.buffer.replacement;

import java.util.function.IntPredicate;

/** Evicts what was not asked for the longest time. One large scan empties it. */
public final class LruPolicy implements ReplacementPolicy {
  private static final int LOOK_LIMIT = 512;

  private final FrameQueue queue;

  /** A policy for frames below {@code capacityBlocks}. */
  public LruPolicy(int capacityBlocks) {
    queue = new FrameQueue(new int[capacityBlocks], new int[capacityBlocks]);
  }

  @Override
  public void admit(int frame, long block, int blocks) {
    queue.addLast(frame);
  }

  @Override
  public void touch(int frame) {
    queue.moveToEnd(frame);
  }

  @Override
  public int victim(IntPredicate evictable) {
    int frame = queue.first();
    for (int looked = 0; looked < LOOK_LIMIT && frame != NONE; looked++) {
      if (evictable.test(frame)) {
        queue.remove(frame);
        return frame;
      }
      frame = queue.after(frame);
    }
    return NONE;
  }

  @Override
  public void remove(int frame) {
    queue.remove(frame);
  }
}
