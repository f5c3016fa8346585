package dev.upcall.bench.ecommerce.volume;

import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.MergeConfig;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.drive.DriveConfig;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A real store on the paper's modelled drive, in virtual time, with the tables of a workload in
 * files: the same plan gives the same result on every machine. The plan's journal means nothing
 * here.
 */
public final class SimulatedStore {
  /** Memory is a quarter of the tables. */
  private static final int MEMORY_PART = 4;

  /**
   * Changed pages are written after half a minute, as the recipes of the workloads have it. The
   * model's server has other times, turned until its traffic was like the paper's.
   */
  private static final long AGE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A store takes no less. */
  private static final long LEAST_MEMORY_BYTES = 8 << 20;

  /** The volume is so many times as large as the tables: pages are never written over. */
  static final int VOLUME_TIMES = 4;

  private static final double DRIVE_BYTES = 73e9;
  private static final int COMMAND_DEPTH = 4;

  /** The log has a sixteenth of the volume, within bounds, as in volumes that programs make. */
  static final int LOG_PART = 16;

  private static final long LEAST_LOG_BLOCKS = 1024;
  private static final long MOST_LOG_BLOCKS = 16_384;
  private static final int MAP_CHUNK_BLOCKS = 4096;

  private final RunPlan plan;
  private final Workload workload;
  private final SimWorld world;
  private final StoreTraffic traffic;
  private final Store store;
  private final FileManager manager;
  private final TableFiles files;
  private final StoreServer server;
  private final Trouble trouble = new Trouble(what -> {});

  private SimulatedStore(RunPlan plan) {
    this.plan = plan;
    this.workload = plan.kind().load(plan.mix(), plan.length().scale());
    long seed = plan.length().seed();
    long pages = workload.endPage() + TableFiles.LOG_PAGES;
    long blocks = pages * VOLUME_TIMES;
    int logBlocks = (int) Math.clamp(blocks / LOG_PART, LEAST_LOG_BLOCKS, MOST_LOG_BLOCKS);
    long driveBlocks = (long) (DRIVE_BYTES / Disk.BLOCK_BYTES * plan.length().scale());
    VolumeLayout layout = new VolumeLayout(logBlocks, MAP_CHUNK_BLOCKS, blocks);
    SimDiskConfig config =
        SimDiskConfig.ofBlocks(0)
            .withCapacity(blocks)
            .withService(DriveConfig.fast15k(Math.max(driveBlocks, blocks)));
    this.world = new SimWorld(seed, config).closesUnchecked("crashes are looked at elsewhere");
    this.traffic = new StoreTraffic(blocks);
    Disk disk = scheduled();
    world.<Unit>get(
        port ->
            Stores.format(
                world.dispatcher(),
                disk,
                new Stores.Format(seed | 1, layout, blocks, blocks),
                port));
    long memoryBytes = memoryBytes(workload);
    StoreOptions options =
        new StoreOptions(
            StoreConfig.ofMemory(memoryBytes),
            /* capBlocks= */ 0,
            /* treeFanOut= */ 0,
            new SplittableRandom(seed));
    this.store = world.get(port -> Stores.open(world.dispatcher(), disk, options, port));
    this.manager = world.get(port -> FileManager.open(store, FileManagerConfig.DEFAULT, port));
    this.files = world.get(port -> TableFiles.load(manager, workload, logBlocks, port));
    world.<Unit>get(store::checkpoint);
    this.server =
        new StoreServer(
            world.dispatcher(),
            files,
            new StoreServer.Setup(
                workload,
                plan.server(),
                new StoreServer.Tempo(plan.server().times(), AGE_NANOS),
                memoryBytes,
                seed),
            trouble);
  }

  /** What a store has for the tables of a workload: memory of a quarter of their size. */
  static long memoryBytes(Workload workload) {
    return Math.max(LEAST_MEMORY_BYTES, workload.endPage() * PageContent.BYTES / MEMORY_PART);
  }

  private Disk scheduled() {
    Dispatcher dispatcher = world.dispatcher();
    return new IoScheduler(
        new TracedDisk(world.disk(), dispatcher, traffic),
        dispatcher,
        plan.setting().policy().over(dispatcher, COMMAND_DEPTH),
        MergeConfig.DEFAULT);
  }

  /**
   * Runs a plan and reads all pages back.
   *
   * @throws IllegalStateException when a page is not what it should be, or the store refused
   *     something
   */
  public static StoreResult run(RunPlan plan) {
    SimulatedStore run = new SimulatedStore(plan);
    StoreResult result = run.serve();
    run.close();
    return result;
  }

  private StoreResult serve() {
    long from = nowNanos() + plan.length().warmUpNanos();
    long end = from + plan.length().nanos();
    traffic.count(from, end);
    server.clientele().count(from, nanos -> {});
    server.clientele().come(server, plan.clients());
    turnWhile(() -> nowNanos() < from);
    long givenBefore = server.givenBytes();
    turnWhile(() -> nowNanos() < end);
    return new StoreResult(
        plan,
        traffic.profile(),
        traffic.writers(),
        server.givenBytes() - givenBefore,
        server.clientele().answers(plan.length().nanos()),
        server.clientele().selfCheck());
  }

  private void close() {
    boolean[] isRight = {false};
    server.clientele().leave(() -> server.check(() -> isRight[0] = true));
    turnWhile(() -> !isRight[0]);
    world.<Unit>get(files::close);
    world.<Unit>get(manager::close);
    world.<Unit>get(store::close);
  }

  private void turnWhile(BooleanSupplier goesOn) {
    while (goesOn.getAsBoolean()) {
      world.dispatcher().turn(/* mayWait= */ true);
      trouble.check();
    }
  }

  private long nowNanos() {
    return world.clock().monotonicNanos();
  }
}
