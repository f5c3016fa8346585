package dev.upcall.buffer;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes memory from the JVM ahead of need, many regions at once, on a helper thread: the JVM zeroes
 * it, which brings the operating system's pages in, and on the dispatcher that would be most of
 * what a store's first minutes cost. Whoever is faster than that takes a region at once, as long as
 * the budget allows; nobody waits for this.
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
  private boolean asked;
  private boolean exhausted;

  MemoryGrowth(Dispatcher dispatcher, SlabMemory memory, BufferConfig config) {
    this.dispatcher = dispatcher;
    this.memory = memory;
    this.regionGroups = config.regionBytes() / BufferConfig.GROUP_BYTES;
    long stepBytes = Math.min(MAX_STEP_BYTES, config.budgetBytes() / STEP_PART);
    int regions = Math.max(1, (int) (stepBytes / config.regionBytes()));
    this.stepGroups = regions * regionGroups;
  }

  /** Memory was claimed: asks for more when less than half a step is left. */
  void claimed() {
    int leastBlocks = stepGroups / 2 * SlabMemory.GROUP_BLOCKS;
    if (!asked && !exhausted && memory.spareBlocks() < leastBlocks && memory.missingGroups() > 0) {
      asked = true;
      int groups = Math.min(stepGroups, memory.missingGroups());
      int each = regionGroups;
      dispatcher.help("buffer memory", () -> take(groups, each), this::arrived);
    }
  }

  private static List<ByteBuffer> take(int groups, int each) {
    List<ByteBuffer> regions = new ArrayList<>();
    try {
      for (int taken = 0; taken < groups; taken += each) {
        regions.add(Disk.newBuffer(Math.min(each, groups - taken) * BufferConfig.GROUP_BYTES));
      }
    } catch (OutOfMemoryError full) {
      // The JVM has no more direct memory to give: what there is so far is of use.
      return regions;
    }
    return regions;
  }

  private void arrived(List<ByteBuffer> regions) {
    asked = false;
    exhausted = regions.isEmpty();
    regions.forEach(memory::add);
  }
}
