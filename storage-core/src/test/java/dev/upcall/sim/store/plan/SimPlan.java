package dev.upcall.sim.store.plan;

import dev.upcall.buffer.BufferConfig;
import dev.upcall.config.Compression;
import dev.upcall.config.LockConfig;
import dev.upcall.config.PlaceConfig;
import dev.upcall.config.RetryConfig;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.segment.StagerConfig;
import dev.upcall.sim.EvenTime;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.LossBound;
import dev.upcall.store.SnapshotConfig;
import dev.upcall.store.TransactionConfig;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.TrimConfig;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.log.LogConfig;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.SplittableRandom;

/**
 * What is drawn once for a simulated lifetime: geometry, limits, device and what its clients like
 * to do. Tiny, so that rare paths are common.
 *
 * @param layout the volume's fixed structures
 * @param config the store's limits
 * @param treeFanOut entries of a tree page
 * @param initialBlocks size at format
 * @param capBlocks the most it may grow to
 * @param disk the device
 * @param scheduling what stands before it
 * @param habits what clients do, and how often
 * @param mix what goes wrong, and how often
 */
public record SimPlan(
    VolumeLayout layout,
    StoreConfig config,
    int treeFanOut,
    long initialBlocks,
    long capBlocks,
    SimDiskConfig disk,
    SimScheduling scheduling,
    SimHabits habits,
    SimMix mix) {

  /** No transaction is forgotten sooner. */
  public static final int LEAST_IDLE_NANOS = 1_000_000;

  /** Draws a plan. */
  public static SimPlan draw(SimChance chances) {
    SplittableRandom random = chances.first();
    VolumeLayout layout =
        new VolumeLayout(
            pick(random, 16, 24, 32, 64, 128),
            pick(random, 64, 128, 256),
            pick(random, 2048, 6000));
    long room = pick(random, 192, 320, 700, 1500);
    long cap = Math.min(layout.maxBlocks(), layout.dataStart() + room);
    long initial = Math.min(cap, layout.dataStart() + pick(random, 16, 64, 180));
    int inline = pick(random, 0, 64, 512);
    int unplaced = Math.max(inline, pick(random, 600, 4096, 16384, 65536));
    int groups = drawMemory(random);
    StoreConfig config =
        new StoreConfig(
            memory(groups).withPageImages(chances.images().nextBoolean()),
            1 << 16,
            new StagerConfig(
                inline,
                unplaced,
                pick(random, 16, 64),
                pick(random, 1, 3),
                SimHabits.DEDUP,
                Compression.NONE),
            new LogConfig(
                pick(random, 4096, 16384, 1 << 20),
                pick(random, 65536, 16 << 20),
                pick(random, 0, 32768, 8 << 20),
                pick(random, 100_000, 5_000_000)),
            new LossBound(
                pick(random, 0, 5_000, 60_000, 32 << 20), pick(random, 0, 1_000_000, 500_000_000)),
            pick(random, 4, 64, 1024),
            pick(random, 8, 64, 512),
            pick(chances.latest(), 1, 2, 4, StoreConfig.DEFAULT_RELEASE_EXTENTS),
            drawTrim(random),
            new SnapshotConfig(4, pick(chances.latest(), 1, 3, 1000)),
            drawTransactions(random),
            PlaceConfig.DEFAULT);
    long capacity = random.nextInt(5) == 0 ? initial + (cap - initial) / 2 : cap + 64;
    long slow = pick(random, 20_000, 400_000, 5_000_000);
    SimDiskConfig disk =
        new SimDiskConfig("sim", 0, capacity, new EvenTime(10_000, slow), pick(random, 512, 4096));
    int fanOut = pick(random, 4, 5, 8, 40);
    SimHabits habits = SimHabits.draw(chances);
    SimMix mix = SimMix.draw(chances);
    StoreConfig whole = config.withPlaces(drawPlaces(chances.latest()));
    SimScheduling scheduling = SimScheduling.draw(chances.scheduling());
    return new SimPlan(layout, whole, fanOut, initial, cap, disk, scheduling, habits, mix);
  }

  /** Every third store gives nothing back; the others are quick to. */
  private static TrimConfig drawTrim(SplittableRandom random) {
    if (random.nextInt(3) == 0) {
      return TrimConfig.DEFAULT;
    }
    int least = pick(random, 1, 4, 16);
    int most = least * pick(random, 1, 4, 64);
    int pool = pick(random, 1, 8, 40);
    int settleNanos = pick(random, 0, 100_000, 10_000_000);
    return new TrimConfig(
        least,
        most,
        pool,
        settleNanos,
        /* keepNanos= */ 4L * settleNanos,
        pick(random, 0, 50_000, 2_000_000),
        pick(random, 0, 2, 64));
  }

  private static TransactionConfig drawTransactions(SplittableRandom random) {
    return new TransactionConfig(
        pick(random, 1, 4, 1000),
        pick(random, LEAST_IDLE_NANOS, 60_000_000, 2_000_000_000),
        new LockConfig(
            pick(random, 100_000, 20_000_000, 1_000_000_000),
            pick(random, 2, 8, 1000),
            pick(random, 3, 30, 1000)),
        RetryConfig.DEFAULT);
  }

  private static PlaceConfig drawPlaces(SplittableRandom random) {
    return new PlaceConfig(
        pick(random, 0, 2, 8, 1000), pick(random, 100_000, 20_000_000, 1_000_000_000));
  }

  /** How the store is opened in a life. */
  public StoreOptions options(SplittableRandom random) {
    return new StoreOptions(config, 0, treeFanOut, random).withCodecs(habits.codecs());
  }

  /** The same plan with other memory. */
  public SimPlan withMemory(int groups) {
    StoreConfig other =
        new StoreConfig(
            memory(groups).withPageImages(config.buffers().pageImages()),
            config.pageCacheBytes(),
            config.stager(),
            config.log(),
            config.loss(),
            config.maxRequests(),
            config.growthBlocks(),
            config.releaseExtents(),
            config.trim(),
            config.snapshots(),
            config.transactions(),
            config.places());
    return new SimPlan(
        layout, other, treeFanOut, initialBlocks, capBlocks, disk, scheduling, habits, mix);
  }

  private static BufferConfig memory(int groups) {
    return BufferConfig.ofBudget((long) groups * BufferConfig.GROUP_BYTES).tracingOrigins();
  }

  /** How much memory a store may have; some have less than in the life before. */
  public static int drawMemory(SplittableRandom random) {
    return pick(random, 8, 12, 24, 64);
  }

  /** Whether a store has more memory for content than with another plan. */
  public boolean hasMoreMemory(SimPlan other) {
    return config.buffers().budgetBytes() > other.config.buffers().budgetBytes();
  }

  /**
   * Formats a world's volume.
   *
   * @param disk the world's, or one before it
   * @param keySlots what opens it, if it is encrypted
   */
  public void format(SimWorld world, Disk disk, KeySlots keySlots) {
    world.<dev.upcall.completion.Unit>get(
        port ->
            Stores.format(
                world.dispatcher(),
                disk,
                new Stores.Format(world.seed() | 1, layout, initialBlocks, capBlocks)
                    .withKeySlots(keySlots),
                port));
  }

  static int pick(SplittableRandom random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
