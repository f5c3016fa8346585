package dev.upcall.segment.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.buffer.BufferConfig;
import dev.upcall.buffer.BufferManager;
import dev.upcall.buffer.replacement.S3FifoPolicy;
import dev.upcall.coding.Codecs;
import dev.upcall.coding.Coding;
import dev.upcall.coding.Workers;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.sim.SimWorld;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageLoad;
import dev.upcall.tree.PageRef;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The keys that are lost with a page are looked for once, however often somebody asks for it. */
class PageLossTest {
  private static final long BLOCK = 7;
  private static final PageRef LEAF = PageRef.of(BLOCK, 0, 1, 0, 1);
  private static final BufferConfig MEMORY = BufferConfig.ofBudget(1 << 20);

  private final SimWorld world = SimWorld.ofBlocks(1, 64);
  private final List<PageRef> asked = new ArrayList<>();
  private final PageLoader loader =
      new PageLoader(
          world.dispatcher(),
          world.disk(),
          new PageLoader.Memory(
              new PageCache(1 << 20, page -> {}),
              new BufferManager(
                      MEMORY,
                      world.dispatcher(),
                      new BufferManager.Parts(
                          world.disk(),
                          new S3FifoPolicy(MEMORY.capacityBlocks()),
                          new Coding(Codecs.NONE, new Workers(world.dispatcher()))),
                      Faults.NONE)
                  .pageImages()),
          Faults.NONE,
          page -> {
            asked.add(page);
            return "entries " + asked.size();
          });

  private Failure lost() {
    PageLoad.Mismatch mismatch = new PageLoad.Mismatch("magic", 1, 2);
    return loader.lost(LEAF, PageLoader.corrupt("v", BLOCK, mismatch));
  }

  @Test
  void aLostLeaf_isLookedForOnceUntilItsPlaceIsFree() {
    Failure first = lost();
    assertTrue(first.message().contains("with entries 1"), first::message);
    assertSame(first, lost());
    assertEquals(List.of(LEAF), asked);
    assertEquals(2, loader.damage().report().reads());
    loader.damage().freed(BLOCK * Disk.BLOCK_BYTES, (BLOCK + 1) * Disk.BLOCK_BYTES);
    assertTrue(lost().message().contains("with entries 2"), "another leaf came to its place");
  }
}
