package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlabMemoryTest {
  private static final int GROUPS = 11;

  private final SlabMemory memory =
      new SlabMemory(
          new BufferConfig((long) GROUPS * BufferConfig.GROUP_BYTES, 4 << 16, 1, 0, false, false),
          Long.MAX_VALUE);

  private record Range(int page, int blocks) {}

  @Test
  void claimsAndFreesLikeABitmap() {
    SplittableRandom random = new SplittableRandom(7);
    boolean[] used = new boolean[GROUPS * 16];
    List<Range> claimed = new ArrayList<>();
    for (int step = 0; step < 100_000; step++) {
      int blocks = 1 + random.nextInt(16);
      if (random.nextInt(claimed.size() + 40) >= 40) {
        Range range = claimed.remove(random.nextInt(claimed.size()));
        memory.free(range.page(), range.blocks());
        Arrays.fill(used, range.page(), range.page() + range.blocks(), false);
      } else {
        int page = memory.claimHole(blocks);
        assertEquals(hasHole(used, blocks), page != SlabMemory.NONE, "hole of " + blocks);
        if (page != SlabMemory.NONE) {
          assertEquals(page / 16, (page + blocks - 1) / 16, "inside one group");
          for (int i = page; i < page + blocks; i++) {
            assertFalse(used[i], "claimed twice");
            used[i] = true;
          }
          claimed.add(new Range(page, blocks));
        }
      }
      int inUse = claimed.stream().mapToInt(Range::blocks).sum();
      assertEquals(inUse, memory.usedBlocks());
      assertEquals(inUse, memory.busyBlocks());
    }
  }

  @Test
  void takesMemoryWhenNeededAndNeverAboveTheBudget() {
    assertEquals(0, memory.allocatedBytes());
    memory.claimHole(1);
    assertEquals(4 << 16, memory.allocatedBytes());
    int count = 1;
    while (memory.claimHole(9) != SlabMemory.NONE) {
      count++;
    }
    assertEquals(1 + GROUPS, count);
    assertEquals((long) GROUPS << 16, memory.allocatedBytes());
  }

  @Test
  void memoryIsAlignedToBlocksAndDistinct() {
    int first = memory.claimHole(3);
    int second = memory.claimHole(16);
    assertEquals(0, memory.bytesOf(first, 3).alignmentOffset(0, Disk.BLOCK_BYTES));
    assertEquals(3 * Disk.BLOCK_BYTES, memory.bytesOf(first, 3).remaining());
    memory.bytesOf(first, 3).putLong(8, 1);
    memory.bytesOf(second, 16).putLong(8, 2);
    assertEquals(1, memory.bytesOf(first, 3).getLong(8));
  }

  @Test
  void findsThePlaceThatEvictsTheLeast() {
    int whole = memory.claimHole(16);
    memory.free(whole, 16);
    int[] pages = new int[16];
    for (int i = 0; i < 16; i++) {
      pages[i] = memory.claimHole(1);
      assertEquals(whole / 16, pages[i] / 16);
    }
    for (int i = 0; i < 16; i++) {
      memory.clearBusy(pages[i], 1);
    }
    memory.setBusy(whole + 4, 1);
    memory.free(whole + 10, 1);
    assertTrue(memory.hasPlaceNear(whole, 11));
    assertFalse(memory.hasPlaceNear(whole, 12));
    int place = memory.placeNear(whole, 2);
    assertTrue(place == whole + 9 || place == whole + 10, "uses the hole: " + (place - whole));
    assertEquals(whole + 5, memory.placeNear(whole, 11));
  }

  @Test
  void freeingWhatIsFreeIsAnError() {
    int page = memory.claimHole(4);
    memory.free(page, 4);
    assertThrows(Invariants.Violation.class, () -> memory.free(page, 4));
  }

  private static boolean hasHole(boolean[] used, int blocks) {
    for (int group = 0; group < GROUPS; group++) {
      int run = 0;
      for (int i = group * 16; i < group * 16 + 16; i++) {
        run = used[i] ? 0 : run + 1;
        if (run >= blocks) {
          return true;
        }
      }
    }
    return false;
  }
}
