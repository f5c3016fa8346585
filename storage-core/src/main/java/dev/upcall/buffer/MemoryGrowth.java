package dev.upcall.buffer;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.LargePages;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Takes memory from the JVM ahead of need, many regions at once, on a helper thread, for large
 * contents: zeroing it brings the operating system's pages in, and on the dispatcher that would be
 * most of what their first minutes cost. Steps of at least one large page are asked for as such
 * ({@link LargePages}). Whoever is faster than that takes a region at once, as long as the budget
 * allows; nobody waits for this.
 *
 * <p>Small contents take region after region so: for them a helper that zeroes for 40 ms is in the
 * way of their own requests where all processors are busy.
 */
final class MemoryGrowth {
  /** The most that is taken at once. */
  private static final long MAX_STEP_BYTES = 16L << 20;

  /** Of a small budget, a step is this part. */
  private static final int STEP_PART = 8;

  private final Dispatcher dispatcher;
  private final SlabMemory memory;
  private final int regionGroups;
  private final int stepGroups;
  private final boolean large;
  private boolean asked;
  private boolean exhausted;

  /**
   * Growth of a memory.
   *
   * @param jvmLimitBytes how much direct memory the JVM may give: without room for what aligning
   *     takes of that, there are no large pages
   */
  MemoryGrowth(Dispatcher dispatcher, SlabMemory memory, BufferConfig config, long jvmLimitBytes) {
    this.dispatcher = dispatcher;
    this.memory = memory;
    this.regionGroups = config.regionBytes() / BufferConfig.GROUP_BYTES;
    long stepBytes = Math.min(MAX_STEP_BYTES, config.budgetBytes() / STEP_PART);
    if (stepBytes >= LargePages.PAGE_BYTES) {
      stepBytes -= stepBytes % LargePages.PAGE_BYTES;
    }
    int regions = Math.max(1, (int) (stepBytes / config.regionBytes()));
    this.stepGroups = regions * regionGroups;
    long alignedBytes = LargePages.PAGE_BYTES * (1 + config.budgetBytes() / Math.max(1, stepBytes));
    this.large =
        stepBytes >= LargePages.PAGE_BYTES && config.budgetBytes() + alignedBytes <= jvmLimitBytes;
  }

  /** A frame was claimed: if it is a whole group, asks for more when less than a step is left. */
  void claimed(int blocks) {
    int leastBlocks = stepGroups * SlabMemory.GROUP_BLOCKS;
    if (blocks == SlabMemory.GROUP_BLOCKS
        && !asked
        && !exhausted
        && memory.spareBlocks() < leastBlocks
        && memory.missingGroups() > 0) {
      int groups = Math.min(stepGroups, memory.missingGroups());
      int each = regionGroups;
      Supplier<List<ByteBuffer>> taking =
          large ? () -> takeLarge(groups, each) : () -> take(groups, each);
      asked = dispatcher.help("buffer memory", taking, this::arrived);
    }
  }

  /** All at once, cut into regions. */
  private static List<ByteBuffer> takeLarge(int groups, int each) {
    List<ByteBuffer> regions = new ArrayList<>();
    try {
      ByteBuffer all = LargePages.newBuffer(groups * BufferConfig.GROUP_BYTES);
      for (int taken = 0; taken < groups; taken += each) {
        int regionBytes = Math.min(each, groups - taken) * BufferConfig.GROUP_BYTES;
        regions.add(
            all.slice(taken * BufferConfig.GROUP_BYTES, regionBytes)
                .order(ByteOrder.LITTLE_ENDIAN));
      }
      return regions;
    } catch (OutOfMemoryError full) {
      // Somebody else has used up the JVM's direct memory: perhaps there is some of it left.
      return take(groups, each);
    }
  }

  private static List<ByteBuffer> take(int groups, int each) {
    List<ByteBuffer> regions = new ArrayList<>();
    for (int taken = 0; taken < groups; taken += each) {
      ByteBuffer region =
          Disk.newJvmBuffer(Math.min(each, groups - taken) * BufferConfig.GROUP_BYTES);
      if (region == null) {
        // The JVM has no more direct memory to give: what there is so far is of use.
        return regions;
      }
      regions.add(region);
    }
    return regions;
  }

  private void arrived(List<ByteBuffer> regions) {
    asked = false;
    exhausted = regions.isEmpty();
    List<ByteBuffer> surplus = new ArrayList<>();
    for (ByteBuffer region : regions) {
      if (!memory.add(region)) {
        surplus.add(region);
      }
    }
    if (large && !surplus.isEmpty()) {
      // Somebody was faster, and the collector takes nothing of a step while the rest is used.
      // Without a thread it stays with the process, where it hinders nobody.
      dispatcher.help("surplus buffer memory", () -> giveBack(surplus), regionsGiven -> {});
    }
  }

  private static int giveBack(List<ByteBuffer> regions) {
    regions.forEach(LargePages::giveBack);
    return regions.size();
  }
}
