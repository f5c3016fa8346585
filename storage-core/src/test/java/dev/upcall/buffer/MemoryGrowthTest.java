package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.upcall.content.LeaseOwner;
import dev.upcall.io.LargePages;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryGrowthTest {
  private static final LeaseOwner OWNER = new LeaseOwner("growth", 0);
  private static final int GROUPS = 64;

  /** An eighth of the budget. */
  private static final int STEP_GROUPS = 8;

  private static final int REGION_GROUPS = 4;

  private final BufferWorld world = new BufferWorld(1, GROUPS, 64);
  private final List<Lease> leases = new ArrayList<>();

  @Test
  void memoryIsThereBeforeItIsNeeded() {
    claim();
    assertEquals(REGION_GROUPS, groups(), "nobody could know before");
    world.world.runUntilIdle();
    assertEquals(REGION_GROUPS + STEP_GROUPS, groups());
    while (leases.size() < GROUPS) {
      int before = groups();
      claim();
      assertEquals(before, groups(), "taken inside the call");
      world.world.runUntilIdle();
    }
    assertEquals(GROUPS, groups());
    end();
  }

  @Test
  void nobodyHelpsSmallFrames() {
    Lease small = world.buffers.tryAllocate(BufferConfig.MAX_FRAME_BLOCKS - 1, OWNER);
    assertNotNull(small);
    leases.add(small);
    world.world.runUntilIdle();
    assertEquals(REGION_GROUPS, groups());
    end();
  }

  @Test
  void whoeverIsFasterTakesItAtOnceAndNobodyMoreThanTheBudget() {
    while (leases.size() < GROUPS) {
      claim();
    }
    assertEquals(GROUPS, groups());
    assertNull(world.buffers.tryAllocate(1, OWNER));
    world.world.runUntilIdle();
    assertEquals(GROUPS, groups(), "what comes too late is not kept");
    assertNull(world.buffers.tryAllocate(1, OWNER));
    end();
  }

  @Test
  void whatComesAfterTheEndIsHarmless() {
    claim();
    end();
    world.world.runUntilIdle();
    assertEquals(REGION_GROUPS + STEP_GROUPS, groups());
  }

  @Test
  void largeStepsAreCutIntoRegionsAndWhatIsTooLateIsGivenBack() {
    int budgetGroups = 8 * 2 * LargePages.PAGE_BYTES / BufferConfig.GROUP_BYTES;
    BufferWorld large = new BufferWorld(1, budgetGroups, 64);
    List<Lease> held = new ArrayList<>();
    held.add(filled(large, 0));
    large.world.runUntilIdle();
    assertEquals(
        REGION_GROUPS * BufferConfig.GROUP_BYTES + 2L * LargePages.PAGE_BYTES,
        large.buffers.counters().allocatedBytes());
    while (held.size() < budgetGroups) {
      held.add(filled(large, held.size()));
    }
    assertNull(large.buffers.tryAllocate(1, OWNER));
    large.world.runUntilIdle();
    assertNull(large.buffers.tryAllocate(1, OWNER), "what comes too late is not kept");
    for (int i = 0; i < held.size(); i++) {
      assertEquals(i, held.get(i).buffer().getInt(BufferConfig.GROUP_BYTES - Integer.BYTES));
    }
    held.forEach(Lease::release);
    large.buffers.close();
  }

  private static Lease filled(BufferWorld world, int number) {
    Lease lease = world.buffers.tryAllocate(BufferConfig.MAX_FRAME_BLOCKS, OWNER);
    assertNotNull(lease);
    lease.buffer().putInt(BufferConfig.GROUP_BYTES - Integer.BYTES, number);
    return lease;
  }

  private void claim() {
    Lease lease = world.buffers.tryAllocate(BufferConfig.MAX_FRAME_BLOCKS, OWNER);
    assertNotNull(lease);
    leases.add(lease);
  }

  private int groups() {
    return (int) (world.buffers.counters().allocatedBytes() / BufferConfig.GROUP_BYTES);
  }

  private void end() {
    leases.forEach(Lease::release);
    world.buffers.close();
  }
}
