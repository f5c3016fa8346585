package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.Disk;
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.OneCopyDisk;
import dev.upcall.sim.store.SimDecay;
import dev.upcall.sim.store.SimWorkload;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every block of a volume in the midst of its work is damaged in turn. Wrong bytes are never
 * returned: a second copy heals the damage, or it is said what is corrupt.
 */
class StoreDamageTest {
  /** The workloads of so many seeds at most are looked at until all was seen that is expected. */
  private static final int MAX_SEEDS = 300;

  /** All that is expected is seen in its volume, even a checkpoint's image of unplaced content. */
  private static final long FIRST_SEED = 944;

  private static final Set<SimDecay.Verdict> HEALED = EnumSet.of(SimDecay.Verdict.HEALED);

  /** What must be seen of these kinds of blocks, and nothing else; any other kind is healed. */
  private static final Map<String, Set<SimDecay.Verdict>> EXPECTED = expected();

  /** How a block is damaged. */
  enum Damage {
    /** A bit decayed. */
    FLIPPED,
    /** A write that was meant for another block has landed here. */
    MISDIRECTED,
    /** What was written here never arrived. */
    LOST
  }

  @ParameterizedTest
  @EnumSource
  void everyBlock(Damage damage) {
    Map<String, Set<SimDecay.Verdict>> seen = new TreeMap<>();
    PrimitiveIterator.OfLong seeds =
        LongStream.concat(LongStream.of(FIRST_SEED), LongStream.range(0, MAX_SEEDS)).iterator();
    while (seeds.hasNext() && !seen.equals(EXPECTED)) {
      SimWorkload workload = new SimWorkload(seeds.nextLong());
      workload.run(FaultPlan.NONE);
      // Some volumes are too small for a large file. A few have blocks of all kinds.
      if (workload.putLarge() && kinds(workload).containsAll(EXPECTED.keySet())) {
        damageEachBlock(workload, damage, seen);
      }
    }
    assertEquals(EXPECTED, seen);
  }

  /** A copy of the map that is damaged is whole again after a checkpoint: the other may go then. */
  @Test
  void theMapIsHealedInItsPlace() {
    SimWorkload workload = new SimWorkload(FIRST_SEED);
    workload.run(FaultPlan.NONE);
    SimWorkload healed = workload.on(withoutFirstChunk(workload, 0), "the first copy is gone");
    assertEquals(SimDecay.Verdict.HEALED, healed.openDamaged(0));
    SimWorkload again = healed.on(withoutFirstChunk(healed, 1), "the second copy is gone");
    assertEquals(SimDecay.Verdict.HEALED, again.openDamaged(0));
  }

  @Test
  void withoutItsMapAVolumeIsStillRead() {
    SimWorkload workload = new SimWorkload(FIRST_SEED);
    workload.run(FaultPlan.NONE);
    SimWorkload damaged = workload.on(withoutFirstChunk(workload, 0), "the first copy is gone");
    SimWorkload without = damaged.on(withoutFirstChunk(damaged, 1), "and the second");
    assertEquals(SimDecay.Verdict.VOLUME_CORRUPT, without.openWithoutMap());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void open_firstTwoBlocksOverwritten_findsTheOtherCopies(boolean zeros) {
    SimWorkload workload = new SimWorkload(FIRST_SEED);
    workload.run(FaultPlan.NONE);
    SimWorkload damaged = workload.on(workload.image(), "all is whole");
    assertEquals(SimDecay.Verdict.HEALED, damaged.openWithoutFront(zeros));
  }

  private static DiskImage withoutFirstChunk(SimWorkload workload, int copy) {
    DiskImage image = workload.image();
    long home = workload.plan().layout().mapStart(copy);
    image.put(home, null);
    image.put(home + 1, null);
    return image;
  }

  private static Map<String, Set<SimDecay.Verdict>> expected() {
    Map<String, Set<SimDecay.Verdict>> expected = new TreeMap<>();
    expected.put("superblock", HEALED);
    // The content of the checkpoint's image is content, too, and the log cannot do without it.
    expected.put("content", EnumSet.allOf(SimDecay.Verdict.class));
    expected.put("log", EnumSet.of(SimDecay.Verdict.HEALED, SimDecay.Verdict.VOLUME_CORRUPT));
    expected.put("map", HEALED);
    expected.put("tree " + LayoutTrees.TREE_ID, HEALED);
    // A leaf of entries has one copy, but for one that is the root.
    expected.put("entries", EnumSet.of(SimDecay.Verdict.HEALED, SimDecay.Verdict.FILE_CORRUPT));
    // The workload has no orphans at its end, no files that expire, no known contents, and few
    // entries.
    Set<StoreTree> without =
        EnumSet.of(StoreTree.ORPHANS, StoreTree.EXPIRY, StoreTree.ENTRIES, StoreTree.CONTENTS);
    for (StoreTree tree : EnumSet.complementOf(EnumSet.copyOf(without))) {
      expected.put("tree " + tree.number(), HEALED);
    }
    return expected;
  }

  private static void damageEachBlock(
      SimWorkload workload, Damage damage, Map<String, Set<SimDecay.Verdict>> seen) {
    DiskImage image = workload.image();
    List<Long> blocks = new ArrayList<>();
    image.forEachWritten(blocks::add);
    SplittableRandom random = new SplittableRandom(blocks.size());
    VolumeLayout layout = workload.plan().layout();
    for (long block : blocks) {
      String kind = kind(image, block, layout);
      DiskImage damaged = image.fork();
      damage(damaged, block, damage, blocks, random);
      if (!Arrays.equals(damaged.read(block), image.read(block))) {
        String what = kind + " block " + block + " " + damage;
        SimDecay.Verdict verdict = workload.on(damaged, what).openDamaged(block);
        Set<SimDecay.Verdict> expected = EXPECTED.getOrDefault(kind, HEALED);
        assertTrue(expected.contains(verdict), () -> what + ": " + verdict);
        if (EXPECTED.containsKey(kind)) {
          seen.computeIfAbsent(kind, key -> EnumSet.noneOf(SimDecay.Verdict.class)).add(verdict);
        }
      }
    }
  }

  private static void damage(
      DiskImage image, long block, Damage damage, List<Long> blocks, SplittableRandom random) {
    switch (damage) {
      case FLIPPED -> image.flipBit(block, random.nextInt(8 * Disk.BLOCK_BYTES));
      case MISDIRECTED -> image.put(block, image.read(blocks.get(random.nextInt(blocks.size()))));
      case LOST -> image.put(block, null);
    }
  }

  private static Set<String> kinds(SimWorkload workload) {
    DiskImage image = workload.image();
    Set<String> kinds = new HashSet<>();
    image.forEachWritten(block -> kinds.add(kind(image, block, workload.plan().layout())));
    return kinds;
  }

  private static String kind(DiskImage image, long block, VolumeLayout layout) {
    for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
      if (layout.superblock(copy) == block) {
        return "superblock";
      }
    }
    if (block < layout.mapStart()) {
      return block < layout.logStart() ? "reserved" : "log";
    }
    if (block < layout.dataStart()) {
      return "map";
    }
    ByteBuffer bytes = ByteBuffer.wrap(image.read(block)).order(ByteOrder.LITTLE_ENDIAN);
    if (SimDecay.isLeafOfEntries(image, block)) {
      return "entries";
    }
    return bytes.getInt(0) == OneCopyDisk.TREE_PAGE ? "tree " + bytes.getInt(24) : "content";
  }
}
