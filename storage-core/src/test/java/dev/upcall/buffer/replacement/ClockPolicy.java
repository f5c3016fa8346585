package dev.upcall.buffer.replacement;

import java.util.function.IntPredicate;

/**
 * CLOCK (Corbato, 1969): a queue in which a frame that was touched since the hand passed gets
 * another round. Nearly LRU, and a hit costs one store.
 */
public final class ClockPolicy implements ReplacementPolicy {
  private static final int LOOK_LIMIT = 1024;

  private final FrameQueue queue;
  private final boolean[] touched;

  /** A policy for frames below {@code capacityBlocks}. */
  public ClockPolicy(int capacityBlocks) {
    queue = new FrameQueue(new int[capacityBlocks], new int[capacityBlocks]);
    touched = new boolean[capacityBlocks];
  }

  @Override
  public void admit(int frame, long block, int blocks) {
    touched[frame] = false;
    queue.addLast(frame);
  }

  @Override
  public void touch(int frame) {
    touched[frame] = true;
  }

  @Override
  public int victim(IntPredicate evictable) {
    for (int looked = 0; looked < LOOK_LIMIT; looked++) {
      int frame = queue.first();
      if (frame == NONE) {
        return NONE;
      }
      if (!touched[frame] && evictable.test(frame)) {
        queue.remove(frame);
        return frame;
      }
      touched[frame] = false;
      queue.moveToEnd(frame);
    }
    return NONE;
  }

  @Override
  public void remove(int frame) {
    queue.remove(frame);
  }
}
