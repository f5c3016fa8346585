package dev.upcall.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.Disk;
import dev.upcall.segment.LayoutTrees;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.txn.log.VolumeLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every block of a volume in the midst of its work is damaged in turn. Wrong bytes are never
 * returned: a second copy heals the damage, or it is said what is corrupt.
 */
class StoreDamageTest {
  private static final int PAGE_MAGIC = 0x50525455;

  /** Of content one block in so many is damaged: it is most of the volume, and all alike. */
  private static final int CONTENT_STEP = 4;

  /** So many workloads after which every kind of block is on the volume. */
  private static final int WORKLOADS = 4;

  /** They are looked for among these seeds: many volumes are too small, or lack a tree. */
  private static final long FIRST_SEED = 49;

  private static final long LAST_SEED = 200;

  private static final List<String> KINDS =
      IntStream.of(
              Trees.INODES, Trees.UNPLACED, Trees.PROPERTIES, Trees.SNAPSHOTS, LayoutTrees.TREE_ID)
          .mapToObj(tree -> "tree " + tree)
          .toList();

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
    TreeMap<String, Set<SimDecay.Verdict>> verdicts = new TreeMap<>();
    int left = WORKLOADS;
    for (long seed = FIRST_SEED; left > 0; seed++) {
      assertTrue(seed <= LAST_SEED, "too few workloads that have every kind of block");
      SimWorkload workload = new SimWorkload(seed);
      workload.run(FaultPlan.NONE);
      if (workload.putLarge() && hasEveryKind(workload)) {
        damageEachBlock(workload, damage, verdicts);
        left--;
      }
    }
    assertEquals(EnumSet.of(SimDecay.Verdict.HEALED), verdicts.get("superblock"));
    // Now and then also VOLUME_CORRUPT: the log cannot do without the image of unplaced content.
    Set<SimDecay.Verdict> content = verdicts.get("content");
    assertTrue(
        content.containsAll(EnumSet.of(SimDecay.Verdict.HEALED, SimDecay.Verdict.FILE_CORRUPT)),
        () -> "content " + content);
    for (String kind : List.of("log", "map")) {
      Set<SimDecay.Verdict> allowed =
          EnumSet.of(SimDecay.Verdict.HEALED, SimDecay.Verdict.VOLUME_CORRUPT);
      assertTrue(allowed.containsAll(verdicts.get(kind)), () -> kind + " " + verdicts.get(kind));
    }
    for (String tree : KINDS) {
      assertEquals(EnumSet.of(SimDecay.Verdict.HEALED), verdicts.get(tree), tree);
    }
  }

  private static boolean hasEveryKind(SimWorkload workload) {
    DiskImage image = workload.image();
    Set<String> kinds = new TreeSet<>();
    image.forEachWritten(block -> kinds.add(kind(image, block, workload.plan().layout())));
    return kinds.containsAll(KINDS);
  }

  private static void damageEachBlock(
      SimWorkload workload, Damage damage, TreeMap<String, Set<SimDecay.Verdict>> verdicts) {
    DiskImage image = workload.image();
    List<Long> blocks = new ArrayList<>();
    image.forEachWritten(blocks::add);
    SplittableRandom random = new SplittableRandom(blocks.size());
    VolumeLayout layout = workload.plan().layout();
    for (long block : blocks) {
      String kind = kind(image, block, layout);
      if (kind.equals("content") && block % CONTENT_STEP != 0) {
        continue;
      }
      DiskImage damaged = image.fork();
      damage(damaged, block, damage, blocks, random);
      if (!Arrays.equals(damaged.read(block), image.read(block))) {
        SimDecay.Verdict verdict =
            workload.on(damaged, kind + " block " + block + " " + damage).openDamaged(block);
        verdicts.computeIfAbsent(kind, key -> EnumSet.noneOf(SimDecay.Verdict.class)).add(verdict);
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
    return bytes.getInt(0) == PAGE_MAGIC ? "tree " + bytes.getInt(24) : "content";
  }
}
