package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The off-heap memory: regions from the JVM, cut into groups of 16 blocks. A group serves frames of
 * any size from 1 to 16 blocks side by side; two bits per block say whether it is used and whether
 * it is busy (used by somebody who cannot be evicted). Groups are listed by the size of their
 * largest hole, which takes the place of fixed size classes: an empty group is a hole of 16, so
 * memory follows the mix of sizes by itself and never stays with a size that nobody needs any more.
 *
 * <p>A block of memory is named by its <em>page</em>: its number, counted over all groups.
 */
public final class SlabMemory {
  /** Blocks of a group: the largest frame. */
  public static final int GROUP_BLOCKS = BufferConfig.MAX_FRAME_BLOCKS;

  /** What the claiming methods return when there is no room. */
  public static final int NONE = -1;

  private static final int ALL = 0xFFFF;

  private final int groupsPerRegion;
  private final List<ByteBuffer> regions = new ArrayList<>();
  private final char[] used;
  private final char[] busy;

  // Groups by largest hole: heads of doubly linked lists, and a bit per list that is not empty.
  private final byte[] hole;
  private final int[] nextGroup;
  private final int[] previousGroup;
  private final int[] heads = new int[GROUP_BLOCKS + 1];
  private int holesPresent;

  private int groupLimit;
  private int groupsReady;
  private int usedBlocks;
  private int busyBlocks;
  private int hand;

  /**
   * Memory that takes its first region when first needed.
   *
   * @throws IllegalArgumentException when the budget is larger than the JVM's direct memory
   */
  public SlabMemory(BufferConfig config) {
    this(config, JvmMemory.directLimitBytes());
  }

  /**
   * Memory that takes its first region when first needed.
   *
   * @param jvmLimitBytes how much direct memory the JVM may give
   * @throws IllegalArgumentException when the budget is larger than that
   */
  SlabMemory(BufferConfig config, long jvmLimitBytes) {
    checkLimit(config, jvmLimitBytes);
    groupsPerRegion = config.regionBytes() / BufferConfig.GROUP_BYTES;
    groupLimit = config.groups();
    used = new char[groupLimit];
    busy = new char[groupLimit];
    hole = new byte[groupLimit];
    nextGroup = new int[groupLimit];
    previousGroup = new int[groupLimit];
    Arrays.fill(heads, NONE);
  }

  /** The region that holds a page. */
  ByteBuffer regionOf(int page) {
    return regions.get(page / GROUP_BLOCKS / groupsPerRegion);
  }

  /** Where in its region a page begins, in bytes. */
  int offsetOf(int page) {
    return page % (GROUP_BLOCKS * groupsPerRegion) * Disk.BLOCK_BYTES;
  }

  /** The memory of some pages of one group: a new little-endian buffer. */
  public ByteBuffer bytesOf(int page, int blocks) {
    return regionOf(page)
        .slice(offsetOf(page), blocks * Disk.BLOCK_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Claims a hole: blocks used by nobody, as used and busy. Takes another region from the JVM at
   * once when there is none and the budget allows; {@link MemoryGrowth} sees to it that this is
   * rare.
   *
   * @return the first page, or {@link #NONE}
   */
  public int claimHole(int blocks) {
    int fitting = holesPresent & -(1 << blocks);
    if (fitting == 0) {
      if (!takeRegion()) {
        return NONE;
      }
      fitting = holesPresent & -(1 << blocks);
    }
    int group = heads[Integer.numberOfTrailingZeros(fitting)];
    int start = Integer.numberOfTrailingZeros(runStarts(~used[group] & ALL, blocks));
    return claim(group, start, blocks);
  }

  /** Claims pages that are known to be used by nobody, as used and busy. */
  public int claimAt(int page, int blocks) {
    return claim(page / GROUP_BLOCKS, page % GROUP_BLOCKS, blocks);
  }

  /**
   * Where in the group of a page a frame of some size could be placed when the clean frames in its
   * way were evicted; of several places the one with the fewest used blocks.
   *
   * @return the first page, or {@link #NONE}
   */
  public int placeNear(int page, int blocks) {
    return placeIn(page / GROUP_BLOCKS, blocks);
  }

  /** Whether {@link #placeNear} would find a place. */
  boolean hasPlaceNear(int page, int blocks) {
    return runStarts(~busy[page / GROUP_BLOCKS] & ALL, blocks) != 0;
  }

  /**
   * As {@link #placeNear}, in any group: the search of last resort. It visits every group, a
   * nanosecond or two each, and begins where the last one ended.
   */
  public int placeAnywhere(int blocks) {
    for (int i = 0; i < groupsReady; i++) {
      hand = hand + 1 < groupsReady ? hand + 1 : 0;
      if (runStarts(~busy[hand] & ALL, blocks) != 0) {
        return placeIn(hand, blocks);
      }
    }
    return NONE;
  }

  /** Gives used pages back. */
  public void free(int page, int blocks) {
    int group = page / GROUP_BLOCKS;
    int mask = mask(page % GROUP_BLOCKS, blocks);
    Invariants.check((used[group] & mask) == mask, "freeing unused memory", page, blocks);
    busyBlocks -= Integer.bitCount(busy[group] & mask);
    usedBlocks -= blocks;
    used[group] &= (char) ~mask;
    busy[group] &= (char) ~mask;
    relist(group);
  }

  /** Marks used pages as held by somebody. */
  void setBusy(int page, int blocks) {
    busy[page / GROUP_BLOCKS] |= (char) mask(page % GROUP_BLOCKS, blocks);
    busyBlocks += blocks;
  }

  /** Marks used pages as held by nobody. */
  public void clearBusy(int page, int blocks) {
    busy[page / GROUP_BLOCKS] &= (char) ~mask(page % GROUP_BLOCKS, blocks);
    busyBlocks -= blocks;
  }

  boolean isUsed(int page) {
    return (used[page / GROUP_BLOCKS] >> page % GROUP_BLOCKS & 1) != 0;
  }

  boolean isBusy(int page) {
    return (busy[page / GROUP_BLOCKS] >> page % GROUP_BLOCKS & 1) != 0;
  }

  /** Blocks used by anybody. */
  int usedBlocks() {
    return usedBlocks;
  }

  int busyBlocks() {
    return busyBlocks;
  }

  /** The budget in blocks: less than configured when the JVM had no more memory to give. */
  public int capacityBlocks() {
    return groupLimit * GROUP_BLOCKS;
  }

  long allocatedBytes() {
    return (long) groupsReady * BufferConfig.GROUP_BYTES;
  }

  /** Blocks taken from the JVM and used by nobody. */
  int spareBlocks() {
    return groupsReady * GROUP_BLOCKS - usedBlocks;
  }

  /** Groups that the budget allows and that were not taken from the JVM yet. */
  int missingGroups() {
    return groupLimit - groupsReady;
  }

  /** How large a region to take next; only the last one may be smaller than the others. */
  private int nextRegionBytes() {
    return Math.min(groupsPerRegion, missingGroups()) * BufferConfig.GROUP_BYTES;
  }

  /**
   * Adds a region that was taken from the JVM. One that is not needed any more is left to the
   * collector.
   *
   * @return whether there is more memory now
   */
  boolean add(ByteBuffer region) {
    int groups = nextRegionBytes() / BufferConfig.GROUP_BYTES;
    if (groups == 0 || region.capacity() < groups * BufferConfig.GROUP_BYTES) {
      return false;
    }
    regions.add(region);
    for (int i = 0; i < groups; i++) {
      hole[groupsReady] = GROUP_BLOCKS;
      link(groupsReady);
      groupsReady++;
    }
    return true;
  }

  private static void checkLimit(BufferConfig config, long jvmLimitBytes) {
    long regionCount = (config.budgetBytes() + config.regionBytes() - 1) / config.regionBytes();
    long neededBytes = config.budgetBytes() + regionCount * Disk.BLOCK_BYTES;
    if (neededBytes > jvmLimitBytes) {
      throw new IllegalArgumentException(
          ("buffer memory of %d bytes needs %d bytes of direct memory, but this JVM may use only %d;"
                  + " lower the budget or start Java with -XX:MaxDirectMemorySize=%dm or more")
              .formatted(
                  config.budgetBytes(), neededBytes, jvmLimitBytes, (neededBytes >> 20) + 64));
    }
  }

  private int claim(int group, int start, int blocks) {
    int mask = mask(start, blocks);
    Invariants.check((used[group] & mask) == 0, "claiming used memory", group, start);
    used[group] |= (char) mask;
    busy[group] |= (char) mask;
    usedBlocks += blocks;
    busyBlocks += blocks;
    relist(group);
    return group * GROUP_BLOCKS + start;
  }

  private int placeIn(int group, int blocks) {
    int best = NONE;
    int leastUsed = Integer.MAX_VALUE;
    for (int starts = runStarts(~busy[group] & ALL, blocks); starts != 0; starts &= starts - 1) {
      int start = Integer.numberOfTrailingZeros(starts);
      int inTheWay = Integer.bitCount(used[group] & mask(start, blocks));
      if (inTheWay < leastUsed) {
        leastUsed = inTheWay;
        best = start;
      }
    }
    return best == NONE ? NONE : group * GROUP_BLOCKS + best;
  }

  private boolean takeRegion() {
    if (missingGroups() == 0) {
      return false;
    }
    // Without any the store could not go on; else it goes on with what there is when somebody else
    // has used up the JVM's direct memory.
    int bytes = nextRegionBytes();
    ByteBuffer region = groupsReady == 0 ? Disk.newBuffer(bytes) : Disk.newJvmBuffer(bytes);
    if (region == null) {
      groupLimit = groupsReady;
      return false;
    }
    return add(region);
  }

  private void relist(int group) {
    byte largest = (byte) longestRun(~used[group] & ALL);
    if (largest != hole[group]) {
      unlink(group);
      hole[group] = largest;
      link(group);
    }
  }

  private void link(int group) {
    int size = hole[group];
    int head = heads[size];
    nextGroup[group] = head;
    previousGroup[group] = NONE;
    if (head != NONE) {
      previousGroup[head] = group;
    }
    heads[size] = group;
    holesPresent |= 1 << size;
  }

  private void unlink(int group) {
    int size = hole[group];
    int before = previousGroup[group];
    int after = nextGroup[group];
    if (before == NONE) {
      heads[size] = after;
      if (after == NONE) {
        holesPresent &= ~(1 << size);
      }
    } else {
      nextGroup[before] = after;
    }
    if (after != NONE) {
      previousGroup[after] = before;
    }
  }

  private static int mask(int start, int blocks) {
    return ((1 << blocks) - 1) << start;
  }

  /** The bits at which a run of {@code length} set bits begins. */
  private static int runStarts(int bits, int length) {
    int starts = bits;
    for (int have = 1; have < length; ) {
      int step = Math.min(have, length - have);
      starts &= starts >>> step;
      have += step;
    }
    return starts;
  }

  private static int longestRun(int bits) {
    int length = 0;
    for (int left = bits; left != 0; left &= left >>> 1) {
      length++;
    }
    return length;
  }
}
