package dev.upcall.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What snapshots hold of a map, against a model that has one set of blocks for each. */
class HeldBlocksTest {
  private static final int FIRST = 10;
  private static final int BLOCKS = 1000;

  private final FreeMapConfig config = new FreeMapConfig(0x1122334455667788L, 4096, FIRST, 64, 0);
  private final FreeMap map = new FreeMap(config, BLOCKS);
  private final List<SnapshotBlocks> snapshots = new ArrayList<>();
  private final List<BitSet> expected = new ArrayList<>();
  private final BitSet committed = new BitSet();
  private long scn;

  @Test
  void formOfTheBitsIsFixed() {
    map.markCommitted(new Extent(70, 60));
    MapCapture capture = map.capture();
    assertTrue(capture.step(1000));
    byte[] block = capture.blocks().encode(1, 42).image();
    Golden.check("snapshot-bits", block);
    SnapshotBlocks read = SnapshotBlocks.unheld(config, BLOCKS);
    assertNull(read.accept(2, 42, ByteBuffer.wrap(block)), "another chunk");
    assertNull(read.accept(1, 43, ByteBuffer.wrap(block)), "another image");
    assertNotNull(read.accept(1, 42, ByteBuffer.wrap(block)));
    assertTrue(read.contains(70) && !read.contains(69) && !read.contains(130));
    MapChunk chunk = MapImages.chunks(map.image(42)).get(1);
    assertNull(read.accept(1, 42, ByteBuffer.wrap(chunk.image())), "a chunk of the map itself");
  }

  /** However much a snapshot held, others run in between; and what it held is not held any more. */
  @Test
  void whatComesBackComesInBoundedSteps() {
    int blocks = 8 * HeldBlocks.STEP_BLOCKS;
    FreeMap large =
        new FreeMap(new FreeMapConfig(1, 4096, FIRST, 2 * HeldBlocks.STEP_BLOCKS, 0), blocks);
    Extent all = large.allocatePieces(blocks - FIRST, 1).getFirst();
    large.commit(all);
    MapCapture capture = large.capture();
    while (!capture.step(1)) {
      assertEquals(all.blocks(), large.committedBlocks());
    }
    large.free(all, 1);
    large.release(1);
    assertEquals(all.blocks(), large.held().keptBlocks());
    large.held().remove(capture.blocks());
    long kept = all.blocks();
    for (long at = 0; at != HeldBlocks.END; kept = large.held().keptBlocks()) {
      long[] asked = {0};
      at = large.held().sweep(at, extent -> (asked[0] += extent.blocks()) >= 0);
      assertTrue(asked[0] <= HeldBlocks.STEP_BLOCKS, "asked for " + asked[0]);
      assertTrue(kept - large.held().keptBlocks() <= HeldBlocks.STEP_BLOCKS);
    }
    assertEquals(0, large.held().keptBlocks());
    large.commit(large.allocatePieces(blocks - FIRST, 1).getFirst());
    large.free(all, 2);
    large.release(2);
    assertEquals(0, large.held().keptBlocks(), "nobody holds anything");
  }

  @Test
  void nothingHeldIsEverHandedOut() {
    for (long seed = 1; seed <= 60; seed++) {
      HeldBlocksTest run = new HeldBlocksTest();
      run.live(new SplittableRandom(seed), "seed " + seed);
    }
  }

  private void live(SplittableRandom random, String what) {
    committed.set(0, FIRST);
    for (int step = 0; step < 400; step++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> allocate(1 + random.nextInt(40), what);
        case 4, 5, 6 -> free(random);
        case 7, 8 -> map.release(scn - random.nextInt(3));
        case 9 -> take(random);
        case 10 -> drop(random);
        default -> map.grow(map.totalBlocks() + random.nextInt(3) * 30L);
      }
      check(what + ", step " + step);
    }
    while (!snapshots.isEmpty()) {
      drop(random);
    }
    map.release(scn);
    check(what);
    assertEquals(0, map.held().keptBlocks(), what);
    assertEquals(map.totalBlocks() - committed.cardinality(), map.freeBlocks(), what);
  }

  private void allocate(int blocks, String what) {
    for (Extent extent : map.allocatePieces(blocks, 1)) {
      for (int block = (int) extent.block(); block < extent.end(); block++) {
        int at = block;
        assertTrue(
            !committed.get(at) && expected.stream().noneMatch(held -> held.get(at)),
            what + ": block " + block + " is handed out");
      }
      scn++;
      map.commit(extent);
      committed.set((int) extent.block(), (int) extent.end());
    }
  }

  private void free(SplittableRandom random) {
    int from = committed.nextSetBit(FIRST + random.nextInt(BLOCKS));
    if (from >= FIRST) {
      int to = Math.min(committed.nextClearBit(from), from + 1 + random.nextInt(50));
      scn++;
      map.free(new Extent(from, to - from), scn);
      committed.clear(from, to);
    }
  }

  /** What changes while the copy is made does not show in it. */
  private void take(SplittableRandom random) {
    if (snapshots.size() == 5) {
      return;
    }
    MapCapture capture = map.capture();
    expected.add((BitSet) committed.clone());
    snapshots.add(capture.blocks());
    while (!capture.step(1 + random.nextInt(3))) {
      free(random);
      map.release(scn);
      allocate(1 + random.nextInt(20), "while a copy is made");
    }
  }

  private void drop(SplittableRandom random) {
    if (snapshots.isEmpty()) {
      return;
    }
    int which = random.nextInt(snapshots.size());
    map.held().remove(snapshots.remove(which));
    expected.remove(which);
    int refusals = random.nextInt(3);
    for (int sweep = 0; sweep <= refusals; sweep++) {
      boolean last = sweep == refusals;
      long at = 0;
      while (at != HeldBlocks.END) {
        at = map.held().sweep(at, extent -> last || random.nextBoolean());
      }
    }
  }

  private void check(String what) {
    BitSet union = new BitSet();
    expected.forEach(union::or);
    for (int i = 0; i < snapshots.size(); i++) {
      assertEquals(expected.get(i).cardinality() - FIRST, snapshots.get(i).blocks(), what);
    }
    BitSet unneeded = (BitSet) union.clone();
    unneeded.andNot(committed);
    long[] exclusive = new long[snapshots.size()];
    long all = 0;
    for (int chunk = 0; chunk < map.held().chunks(); chunk++) {
      all += map.held().count(chunk, snapshots, exclusive);
    }
    assertEquals(unneeded.cardinality(), all, what);
    for (int i = 0; i < exclusive.length; i++) {
      BitSet others = new BitSet();
      for (int other = 0; other < exclusive.length; other++) {
        if (other != i) {
          others.or(expected.get(other));
        }
      }
      BitSet only = (BitSet) expected.get(i).clone();
      only.andNot(others);
      only.andNot(committed);
      assertEquals(only.cardinality(), exclusive[i], what);
    }
    assertTrue(map.held().keptBlocks() <= all, what);
    assertEquals(committed.cardinality() - FIRST, map.committedBlocks(), what);
  }
}
