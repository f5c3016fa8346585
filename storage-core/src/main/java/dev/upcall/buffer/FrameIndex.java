package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.replacement.LongIntMap;

/**
 * Which frame covers a block: one entry for each block. Besides, it counts entries by stretch of
 * the volume, so that a walk over a large extent steps over what has nothing in memory.
 */
final class FrameIndex {
  private static final int STRETCH_SHIFT = 8;

  private final LongIntMap pageOfBlock;
  private final LongIntMap entriesOfStretch = new LongIntMap(64);

  FrameIndex(int capacityBlocks) {
    pageOfBlock = new LongIntMap(capacityBlocks);
  }

  /** The first page of the covering frame, or {@link LongIntMap#ABSENT}. */
  int get(long block) {
    return pageOfBlock.get(block);
  }

  void add(Frame frame) {
    for (long block = frame.firstBlock(); block < frame.end(); block++) {
      int other = pageOfBlock.put(block, frame.page);
      Invariants.check(other == LongIntMap.ABSENT, "two frames for one block", block, other);
      count(block >> STRETCH_SHIFT, 1);
    }
  }

  void remove(Frame frame) {
    for (long block = frame.firstBlock(); block < frame.end(); block++) {
      int page = pageOfBlock.remove(block);
      Invariants.check(page == frame.page, "block indexed to another frame", block, page);
      count(block >> STRETCH_SHIFT, -1);
    }
  }

  /** The first address in [from, limit) in a stretch that has entries, or {@code limit}. */
  long nextCandidate(long from, long limit) {
    long block = from;
    while (block < limit && entriesOfStretch.get(block >> STRETCH_SHIFT) == LongIntMap.ABSENT) {
      block = ((block >> STRETCH_SHIFT) + 1) << STRETCH_SHIFT;
    }
    return Math.min(block, limit);
  }

  int size() {
    return pageOfBlock.size();
  }

  private void count(long stretch, int change) {
    int entries = Math.max(0, entriesOfStretch.get(stretch)) + change;
    if (entries == 0) {
      entriesOfStretch.remove(stretch);
    } else {
      entriesOfStretch.put(stretch, entries);
    }
  }
}
