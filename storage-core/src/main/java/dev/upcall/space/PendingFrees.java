package dev.upcall.space;

import java.util.Arrays;

/**
 * Freed extents that may not be handed out yet, in ascending order of the SCN that freed them. They
 * usually come in that order; one that does not is moved to its place.
 */
final class PendingFrees {
  private static final int FIELDS = 3;

  private long[] ring = new long[FIELDS * 16];
  private int head;
  private int count;
  private long blocks;

  /** How many blocks they have together. */
  long blocks() {
    return blocks;
  }

  private int at(int index) {
    int slot = head + index;
    int slots = ring.length / FIELDS;
    return FIELDS * (slot < slots ? slot : slot - slots);
  }

  void add(Extent extent, long scn) {
    if (FIELDS * count == ring.length) {
      grow();
    }
    int index = count;
    while (index > 0 && ring[at(index - 1)] > scn) {
      System.arraycopy(ring, at(index - 1), ring, at(index), FIELDS);
      index--;
    }
    int slot = at(index);
    ring[slot] = scn;
    ring[slot + 1] = extent.block();
    ring[slot + 2] = extent.blocks();
    count++;
    blocks += extent.blocks();
  }

  private void grow() {
    long[] larger = Arrays.copyOfRange(ring, FIELDS * head, FIELDS * head + 2 * ring.length);
    System.arraycopy(ring, 0, larger, ring.length - FIELDS * head, FIELDS * head);
    ring = larger;
    head = 0;
  }

  /** How many of the blocks were freed after one SCN and not after another. */
  long blocks(long afterScn, long upToScn) {
    long sum = 0;
    for (int i = 0; i < count && ring[at(i)] <= upToScn; i++) {
      if (ring[at(i)] > afterScn) {
        sum += ring[at(i) + 2];
      }
    }
    return sum;
  }

  /** Whether the first one was freed at or before an SCN. */
  boolean hasUpTo(long scn) {
    return count > 0 && ring[at(0)] <= scn;
  }

  /** Takes the first one. */
  Extent poll() {
    int slot = at(0);
    Extent extent = new Extent(ring[slot + 1], ring[slot + 2]);
    head = at(1) / FIELDS;
    count--;
    blocks -= extent.blocks();
    return extent;
  }
}
