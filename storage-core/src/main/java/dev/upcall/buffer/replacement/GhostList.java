package dev.upcall.buffer.replacement;

/**
 * The addresses of content that left not long ago, oldest forgotten first: as many as would fill
 * the memory once, and at most half as many as the memory has blocks.
 */
final class GhostList {
  private static final int LEAST_SLOTS = 16;
  private static final long GONE = -1;

  private final long[] ring;
  private final byte[] sizeBlocks;
  private final LongIntMap slotOf;
  private final int limitBlocks;
  private int head;
  private int count;
  private int totalBlocks;

  GhostList(int capacityBlocks) {
    ring = new long[Math.max(LEAST_SLOTS, capacityBlocks / 2)];
    sizeBlocks = new byte[ring.length];
    slotOf = new LongIntMap(ring.length);
    limitBlocks = capacityBlocks;
  }

  void add(long block, byte blocks) {
    remove(block);
    if (count == ring.length) {
      dropOldest();
    }
    int slot = (head + count) % ring.length;
    ring[slot] = block;
    sizeBlocks[slot] = blocks;
    slotOf.put(block, slot);
    count++;
    totalBlocks += blocks;
    while (totalBlocks > limitBlocks) {
      dropOldest();
    }
  }

  /** Forgets an address; whether it was remembered. */
  boolean remove(long block) {
    int slot = slotOf.remove(block);
    if (slot == LongIntMap.ABSENT) {
      return false;
    }
    ring[slot] = GONE;
    totalBlocks -= sizeBlocks[slot];
    return true;
  }

  private void dropOldest() {
    if (ring[head] != GONE) {
      remove(ring[head]);
    }
    head = (head + 1) % ring.length;
    count--;
  }
}
