package dev.upcall.space;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Freed extents that may not be handed out yet, in ascending order of the SCN that freed them. They
 * usually come in that order; one that does not is moved to its place.
 */
final class PendingFrees {
  private static final int FIELDS = 3;

  /** What was due and is still in use, in the order in which it was found so. */
  private final ArrayDeque<Used> aside = new ArrayDeque<>();

  private long[] ring = new long[FIELDS * 16];
  private int head;
  private int count;
  private long blocks;

  /** What comes back with the image that is not durable yet. */
  private final ArrayDeque<Extent> retired = new ArrayDeque<>();

  private record Used(Extent extent, long scn) {}

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
    put(index, extent, scn);
    count++;
    blocks += extent.blocks();
  }

  /** Counts at once, and is found once {@link #retiredAt} has said of which SCN it is. */
  void retire(Extent extent) {
    retired.add(extent);
    blocks += extent.blocks();
  }

  /** All that was retired was freed at that SCN. */
  void retiredAt(long scn) {
    for (Extent extent = retired.poll(); extent != null; extent = retired.poll()) {
      blocks -= extent.blocks();
      add(extent, scn);
    }
  }

  /** As {@link #add}, looking for its place from the front on. */
  private void addFirst(Extent extent, long scn) {
    if (FIELDS * count == ring.length) {
      grow();
    }
    head = (head == 0 ? ring.length / FIELDS : head) - 1;
    int index = 0;
    while (index < count && ring[at(index + 1)] < scn) {
      System.arraycopy(ring, at(index + 1), ring, at(index), FIELDS);
      index++;
    }
    put(index, extent, scn);
    count++;
  }

  private void put(int index, Extent extent, long scn) {
    int slot = at(index);
    ring[slot] = scn;
    ring[slot + 1] = extent.block();
    ring[slot + 2] = extent.blocks();
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
    for (Used used : aside) {
      if (used.scn() > afterScn && used.scn() <= upToScn) {
        sum += used.extent().blocks();
      }
    }
    return sum;
  }

  /** Whether the first one was freed at or before an SCN. */
  boolean hasUpTo(long scn) {
    return count > 0 && ring[at(0)] <= scn;
  }

  /** Takes the first one, or so much of it. */
  Extent poll(long mostBlocks) {
    int slot = at(0);
    Extent extent = new Extent(ring[slot + 1], Math.min(ring[slot + 2], mostBlocks));
    blocks -= extent.blocks();
    if (extent.blocks() < ring[slot + 2]) {
      ring[slot + 1] += extent.blocks();
      ring[slot + 2] -= extent.blocks();
    } else {
      head = at(1) / FIELDS;
      count--;
    }
    return extent;
  }

  /** One that was taken is in use: it counts as before, and is not found until {@link #putBack}. */
  void setAside(Extent extent, long scn) {
    aside.add(new Used(extent, scn));
    blocks += extent.blocks();
  }

  /** Those that were set aside are found again. They are older than the others. */
  void putBack() {
    for (Used used = aside.pollLast(); used != null; used = aside.pollLast()) {
      addFirst(used.extent(), used.scn());
    }
  }
}
