package dev.upcall.buffer.replacement;

import java.util.function.IntPredicate;

/**
 * SIEVE (Zhang, Yang, Yue, Vigfusson, Rashmi, NSDI 2024): a hand goes from the oldest frame to the
 * newest and spares once, in its place, what was touched since it last came by; what is new joins
 * behind it. One scan does not drive out what is used, and a hit costs one store.
 */
public final class SievePolicy implements ReplacementPolicy {
  private final FrameQueue queue;
  private final boolean[] touched;
  private final int lookLimit;
  private int hand = NONE;

  /** A policy for frames below {@code capacityBlocks}. */
  public SievePolicy(int capacityBlocks) {
    queue = new FrameQueue(new int[capacityBlocks], new int[capacityBlocks]);
    touched = new boolean[capacityBlocks];
    // Twice round: once to take what spares a frame, once to find one that nothing spares.
    lookLimit = 2 * capacityBlocks;
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
    for (int looked = 0; looked < lookLimit; looked++) {
      int frame = hand == NONE ? queue.first() : hand;
      if (frame == NONE) {
        return NONE;
      }
      hand = queue.after(frame);
      if (!touched[frame] && evictable.test(frame)) {
        queue.remove(frame);
        return frame;
      }
      touched[frame] = false;
    }
    return NONE;
  }

  @Override
  public void remove(int frame) {
    if (hand == frame) {
      hand = queue.after(frame);
    }
    queue.remove(frame);
  }
}
