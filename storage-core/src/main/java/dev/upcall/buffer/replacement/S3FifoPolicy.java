package dev.upcall.buffer.replacement;

import java.util.function.IntPredicate;

/**
 * The default: S3-FIFO (Yang, Zhang, Qiu, Yue, Vinayak: "FIFO queues are all you need for cache
 * eviction", SOSP 2023). New content enters a small queue, a tenth of the memory; what is not asked
 * for again there leaves at its end, and only its address is remembered for a while. What is asked
 * for again, or comes back while it is remembered, enters the main queue, where each touch buys one
 * more round. So a scan passes through the small queue and the main queue does not notice.
 *
 * <p>One thing is added. A sequential reader of 4 KiB asks 16 times in a row for one frame of 64
 * KiB, which says nothing about the future. As in LRU-K (O'Neil, O'Neil, Weikum, SIGMOD 1993)
 * touches within a correlated reference period count as one: a touch counts only when a quarter of
 * the small queue has been admitted since the frame came, or since the last touch that counted.
 */
public final class S3FifoPolicy implements ReplacementPolicy {
  private static final int LOOK_LIMIT = 1024;
  private static final int SMALL_FRACTION = 10;
  private static final int CORRELATED_FRACTION = 4;
  private static final byte MAX_FREQUENCY = 3;

  private final FrameQueue small;
  private final FrameQueue main;
  private final boolean[] inMain;
  private final byte[] frequency;
  private final byte[] sizeBlocks;
  private final long[] address;
  private final int[] countedAt;
  private final GhostList ghosts;
  private final int smallTarget;
  private final int correlatedBlocks;
  private int smallBlocks;
  private int smallFrames;
  private int mainFrames;
  private int admittedBlocks;

  /** A policy for frames below {@code capacityBlocks}, which is also the memory's size. */
  public S3FifoPolicy(int capacityBlocks) {
    int[] next = new int[capacityBlocks];
    int[] previous = new int[capacityBlocks];
    small = new FrameQueue(next, previous);
    main = new FrameQueue(next, previous);
    inMain = new boolean[capacityBlocks];
    frequency = new byte[capacityBlocks];
    sizeBlocks = new byte[capacityBlocks];
    address = new long[capacityBlocks];
    countedAt = new int[capacityBlocks];
    ghosts = new GhostList(capacityBlocks);
    smallTarget = capacityBlocks / SMALL_FRACTION;
    correlatedBlocks = smallTarget / CORRELATED_FRACTION;
  }

  @Override
  public void admit(int frame, long block, int blocks) {
    admittedBlocks += blocks;
    countedAt[frame] = admittedBlocks;
    frequency[frame] = 0;
    sizeBlocks[frame] = (byte) blocks;
    address[frame] = block;
    inMain[frame] = ghosts.remove(block);
    if (inMain[frame]) {
      addToMain(frame);
    } else {
      smallBlocks += blocks;
      smallFrames++;
      small.addLast(frame);
    }
  }

  @Override
  public void touch(int frame) {
    // The difference is right also when the counter has gone round.
    if (frequency[frame] < MAX_FREQUENCY && admittedBlocks - countedAt[frame] >= correlatedBlocks) {
      frequency[frame]++;
      countedAt[frame] = admittedBlocks;
    }
  }

  @Override
  public int victim(IntPredicate evictable) {
    // A queue full of pinned frames must not hide the other one: each gets as many looks as it can
    // need, and what is left over goes to the other.
    int smallLooks = smallFrames;
    int mainLooks = mainFrames * (MAX_FREQUENCY + 1);
    for (int looked = 0; looked < LOOK_LIMIT; looked++) {
      boolean fromSmall = smallLooks > 0 && (smallBlocks > smallTarget || mainLooks <= 0);
      if (fromSmall) {
        smallLooks--;
        int frame = small.first();
        if (passSmall(frame, evictable)) {
          return frame;
        }
        mainLooks += inMain[frame] ? MAX_FREQUENCY + 1 : 0;
      } else if (mainLooks > 0) {
        mainLooks--;
        int frame = main.first();
        if (passMain(frame, evictable)) {
          return frame;
        }
      } else {
        return NONE;
      }
    }
    return NONE;
  }

  @Override
  public void remove(int frame) {
    if (inMain[frame]) {
      main.remove(frame);
      mainFrames--;
    } else {
      small.remove(frame);
      smallBlocks -= sizeBlocks[frame];
      smallFrames--;
    }
  }

  private void addToMain(int frame) {
    inMain[frame] = true;
    mainFrames++;
    main.addLast(frame);
  }

  /** Deals with the head of the small queue; whether it is the victim. */
  private boolean passSmall(int frame, IntPredicate evictable) {
    if (frequency[frame] > 0) {
      remove(frame);
      frequency[frame] = 0;
      addToMain(frame);
      return false;
    }
    if (!evictable.test(frame)) {
      small.moveToEnd(frame);
      return false;
    }
    remove(frame);
    ghosts.add(address[frame], sizeBlocks[frame]);
    return true;
  }

  /** Deals with the head of the main queue; whether it is the victim. */
  private boolean passMain(int frame, IntPredicate evictable) {
    if (frequency[frame] > 0) {
      frequency[frame]--;
      main.moveToEnd(frame);
      return false;
    }
    if (!evictable.test(frame)) {
      main.moveToEnd(frame);
      return false;
    }
    remove(frame);
    return true;
  }
}
