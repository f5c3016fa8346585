package dev.upcall.buffer.replacement;

import java.util.function.IntPredicate;

/**
 * Decides which clean content leaves memory when room is needed. The one thing to replace in order
 * to change the replacement policy.
 *
 * <p>Frames are small numbers, below the {@code capacityBlocks} for which the policy was made, and
 * are used again for other content after they have left. A policy owns no memory and sees no bytes;
 * it keeps an order. Called by one thread at a time (the dispatcher's, or who has the lock of an
 * engine of threads), in constant time (amortised), on the hottest path of the store: {@link
 * #touch} must not allocate.
 */
public interface ReplacementPolicy {
  /** What {@link #victim} returns when it found no frame. */
  int NONE = -1;

  /**
   * A frame has got content; the policy did not hold it before.
   *
   * @param frame its number
   * @param block the content's first address, the name under which it may come again
   * @param blocks its size, 1 to 16
   */
  void admit(int frame, long block, int blocks);

  /** A frame that the policy holds was asked for and found. */
  void touch(int frame);

  /**
   * Chooses the frame to evict and stops holding it.
   *
   * @param evictable whether a frame can be evicted now (a pinned one cannot) and whether that
   *     would help; where it says no, the frame is to be passed over but kept, and the first for
   *     which it says yes is the victim
   * @return the frame, or {@link #NONE} when there is none, or none among as many candidates as the
   *     policy is willing to look at (the manager then searches by itself)
   */
  int victim(IntPredicate evictable);

  /**
   * A frame left for another reason than {@link #victim}: its content was freed, or it stood in the
   * way of a larger frame. The policy held it and does so no more.
   */
  void remove(int frame);
}
