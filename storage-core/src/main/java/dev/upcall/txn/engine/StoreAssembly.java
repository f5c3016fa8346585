package dev.upcall.txn.engine;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.BufferConfig;
import dev.upcall.buffer.BufferManager;
import dev.upcall.buffer.PageImages;
import dev.upcall.buffer.replacement.ReplacementPolicy;
import dev.upcall.buffer.replacement.S3FifoPolicy;
import dev.upcall.buffer.replacement.SievePolicy;
import dev.upcall.coding.Coding;
import dev.upcall.coding.Workers;
import dev.upcall.completion.CompletionPort;
import dev.upcall.config.Compression;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.io.ReadOnlyDisk;
import dev.upcall.io.schedule.IoPolicyConfig;
import dev.upcall.io.schedule.SharePolicyConfig;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.pressure.PlaceQueue;
import dev.upcall.pressure.Pressure;
import dev.upcall.pressure.Scarce;
import dev.upcall.pressure.Thresholds;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.StagerParts;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.segment.paging.PageLoader;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.store.VerifyReport;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.TreeConfig;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.WriterLimit;
import dev.upcall.txn.change.AsyncCommits;
import dev.upcall.txn.change.StagingLimit;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.checkpoint.MakesRoom;
import dev.upcall.txn.checkpoint.SlotChanges;
import dev.upcall.txn.checkpoint.VolumeWatch;
import dev.upcall.txn.checkpoint.WriteBack;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.LogEnvironment;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.log.LogWriter;
import dev.upcall.txn.reclaim.DeferredFree;
import dev.upcall.txn.reclaim.Reclaim;
import dev.upcall.txn.reclaim.Trimmer;
import dev.upcall.txn.recovery.Recovery;
import dev.upcall.txn.snapshot.LiveReading;
import dev.upcall.txn.snapshot.SnapshotCatalogue;
import dev.upcall.txn.snapshot.SnapshotManager;
import dev.upcall.txn.state.RecordBuffer;
import dev.upcall.txn.state.SharedEngine;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreEntrance;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoreMeters;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.transaction.TransactionManager;
import dev.upcall.txn.verify.StoreCheck;
import dev.upcall.txn.volume.EpochGuard;
import dev.upcall.txn.volume.Superblock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a store is made of, and what is chosen where there is a choice: the one place to change a
 * replacement policy, the scheduler, or who gets how much of the memory. Every limit is a number of
 * {@link StoreConfig}.
 *
 * <p>A store is put together in two steps: what recovery fills and everybody shares, then, when the
 * state is what was acknowledged, its machines ({@link StoreMachines}).
 */
public final class StoreAssembly {
  private final Dispatcher dispatcher;
  private final Disk disk;
  private final StoreOptions options;
  private final @Nullable SharedEngine sharedEngine;
  private final Faults faults;

  /**
   * A store that is to be opened.
   *
   * @param sharedEngine an engine of threads that shares the state, or null
   * @param faults in which ways it is broken on purpose
   */
  StoreAssembly(
      Dispatcher dispatcher,
      Disk disk,
      StoreOptions options,
      @Nullable SharedEngine sharedEngine,
      Faults faults) {
    this.dispatcher = dispatcher;
    this.disk = options.readOnly() ? new ReadOnlyDisk(disk, dispatcher) : disk;
    this.options = options;
    this.sharedEngine = sharedEngine;
    this.faults = faults;
  }

  // ------------------------------------------------------------------ what is chosen

  /** Which clean content leaves the memory of the machines first. */
  private static ReplacementPolicy replacement(BufferConfig memory) {
    return new S3FifoPolicy(memory.capacityBlocks());
  }

  /**
   * Which leaves that of an engine of threads. There hits take no lock and are told to nobody: the
   * policy is only asked for a victim, and told that what was used meanwhile cannot be one. That is
   * all that SIEVE and CLOCK need.
   */
  public static ReplacementPolicy replacementOfThreads(BufferConfig memory) {
    return new SievePolicy(memory.capacityBlocks());
  }

  /** Memory for content that the machines read and write. */
  private BufferConfig memory() {
    BufferConfig whole = options.config().buffers();
    return sharedEngine == null ? whole : whole.machinesPart();
  }

  /** Memory for content that an engine of threads reads and writes. */
  public static BufferConfig memoryOfThreads(StoreConfig config) {
    return config.buffers().threadsPart();
  }

  /**
   * A device behind the scheduler that decides which of its requests goes next, as {@link
   * Stores#open} is to be given it. In between stands the guard, so that it sees a request when
   * that goes to the device, however long it has waited.
   */
  public static Disk scheduled(Disk device, Dispatcher dispatcher) {
    return scheduled(device, dispatcher, SharePolicyConfig.FAIR);
  }

  /** The same with another scheduler. */
  public static Disk scheduled(Disk device, Dispatcher dispatcher, IoPolicyConfig policy) {
    return policy.over(new EpochGuard(device, dispatcher, Faults.NONE), dispatcher);
  }

  // ------------------------------------------------------------------ the store

  /** What is kept of the requests to the device. */
  BlockTraffic traffic() {
    return options.traffic();
  }

  /** Recovers what is on the volume. */
  void recover(CompletionPort<Recovery.Recovered> port) {
    Recovery.Parts parts =
        new Recovery.Parts() {
          @Override
          public StoreContext over(Superblock superblock, FreeMap map, long capBlocks) {
            return shared(superblock, map, capBlocks);
          }

          @Override
          public void findOwners(
              StoreContext context,
              Superblock superblock,
              LongConsumer disputed,
              CompletionPort<VerifyReport> whenDone) {
            StoreCheck.ofCheckpoint(context, superblock, disputed, whenDone);
          }
        };
    Recovery.run(dispatcher, disk, options, parts, port);
  }

  /** What recovery fills and all machines share; the state is empty. */
  private StoreContext shared(Superblock superblock, FreeMap map, long capBlocks) {
    StoreConfig config = options.config();
    TreeConfig treeConfig = options.treeConfig(superblock.volumeId());
    BufferConfig memory = memory();
    BufferManager buffers =
        new BufferManager(
            memory,
            dispatcher,
            new BufferManager.Parts(
                disk, replacement(memory), new Coding(options.codecs(), new Workers(dispatcher))),
            faults);
    PageImages images = buffers.pageImages();
    StoreState[] late = new StoreState[1];
    PageCache pages =
        new PageCache(
            config.pageCacheBytes(),
            () -> late[0].dirtyPages() * treeConfig.pageBytes(),
            images::copyElsewhere,
            page -> late[0].replaced(page));
    StoreState state = new StoreState(treeConfig, pages, map, faults);
    late[0] = state;
    PageLoader loader =
        new PageLoader(
            dispatcher, disk, new PageLoader.Memory(pages, images), faults, state::lossOf);
    SpaceManager.Limits limits =
        new SpaceManager.Limits(superblock.layout(), capBlocks, config.growthBlocks());
    Pressure pressure = new Pressure(dispatcher);
    SpaceManager space = new SpaceManager(dispatcher, disk, map, limits, pressure);
    watch(pressure, state, buffers, space);
    LayoutTrees layouts = new LayoutTrees(treeConfig, pages, config.pageCacheBytes());
    // Before recovery loads the first content: that too is to lie in the sharedEngine's memory.
    if (sharedEngine != null) {
      shareWith(sharedEngine, state);
    }
    buffers.onForget(extent -> forget(extent, loader));
    return new StoreContext(
        config,
        dispatcher,
        disk,
        buffers,
        state,
        loader,
        space,
        layouts,
        ContentReader.over(dispatcher, buffers, loader, layouts),
        new ContentPlacer(disk, space),
        pressure,
        new StoreMeters(),
        new RecordBuffer());
  }

  /** What can be scarce, but for the log, which is not there yet. */
  private void watch(
      Pressure pressure, StoreState state, BufferManager buffers, SpaceManager space) {
    StoreConfig config = options.config();
    int frames = config.buffers().capacityBlocks();
    TreeConfig trees = state.treeConfig();
    pressure.watch(
        Scarce.UNPLACED, state.segments()::unplacedBlocks, Thresholds.ofUnplaced(frames));
    Thresholds ofPages = Thresholds.ofDirtyPages(state.pages().budgetBytes() / trees.pageBytes());
    pressure.watch(
        Scarce.PAGES,
        state::dirtyPages,
        faults.has(StoreFault.PAGES_WITHOUT_LIMIT) ? ofPages.withoutLimit() : ofPages);
    pressure.watch(Scarce.SPACE, space::shortagePercent, Thresholds.ofSpace());
    pressure.watch(Scarce.COPIES, state::snapshotCopyBlocks, Thresholds.ofCopies(frames));
    pressure.watch(Scarce.FRAMES, () -> buffers.isWaitedFor() ? 1 : 0, Thresholds.ofWaiters());
  }

  /** The parts that an engine of threads keeps, and holds back. */
  private static void shareWith(SharedEngine sharedEngine, StoreState state) {
    state.segments().keepIn(sharedEngine::adopt);
    state.pins().alsoHeldBy(sharedEngine::horizon);
  }

  /** Forgets the content of blocks that nothing needs any more. */
  private void forget(Extent extent, PageLoader loader) {
    loader.damage().freed(extent.block() * Disk.BLOCK_BYTES, extent.end() * Disk.BLOCK_BYTES);
    if (sharedEngine != null) {
      sharedEngine.forget(extent);
    }
  }

  /**
   * The machines of a store.
   *
   * @param recovered what they work on
   * @param owner whose they will be; it is not called in here
   */
  StoreMachines machines(Recovery.Recovered recovered, StoreMachines.Owner owner) {
    StoreContext context = recovered.context();
    StoreConfig config = context.config();
    Superblock superblock = recovered.base().superblock();
    long scn = context.state().scn();
    Invariants.check(scn >= superblock.scn(), "older than its superblock", scn, superblock.scn());
    long end = recovered.log().next().position();
    long start = superblock.log().position();
    Invariants.check(end >= start, "log ends before it starts", end, start);
    StoreEntrance entrance =
        new StoreEntrance(config.maxRequests(), dispatcher.heap(), owner::drained);
    LiveReading reading = new LiveReading(context, entrance);
    disk.whenLost(owner::volumeLost);
    CommitLog log = log(recovered, owner);
    context.space().growAfter(log::whenWhole);
    context
        .pressure()
        .watch(Scarce.LOG, log::usedBlocks, Thresholds.ofLog(log.counters().capacityBlocks()));
    Disk synced = new SyncGuard(disk, owner::syncFailed);
    LayoutBuilder.Parts layouts =
        new LayoutBuilder.Parts(
            dispatcher, synced, context.space(), context.layouts(), context.state().pages());
    StagerParts stagers =
        new StagerParts(
            dispatcher,
            context.buffers(),
            context.placer(),
            layouts,
            config.stager().withinRecord(log.maxRecordBytes()),
            Compression.NONE,
            new StagerParts.Lately());
    WriteBack writeBack = new WriteBack(context, layouts, owner);
    Checkpoint checkpoint = new Checkpoint(context, writeBack, log, recovered.base(), owner);
    context.pressure().relieveBy(new MakesRoom(writeBack, checkpoint, disk));
    Reclaim reclaim = new Reclaim(context, owner);
    Trimmer trimmer = new Trimmer(context, checkpoint, entrance);
    DeferredFree release = new DeferredFree(context, trimmer::released);
    SnapshotManager snapshots =
        new SnapshotManager(
            context, entrance, new SnapshotManager.Parts(reading, checkpoint, release));
    SnapshotCatalogue named =
        new SnapshotCatalogue(
            context,
            entrance,
            snapshots,
            new SnapshotCatalogue.Engine(owner, checkpoint, synced, trimmer),
            recovered.snapshots());
    return new StoreMachines(
        entrance,
        reading,
        log,
        staging(stagers, owner),
        new WriterLimit(
            config.buffers().capacityBlocks(),
            context.buffers().capacityBlocks(),
            dispatcher,
            config.places()),
        new AsyncCommits(config.loss(), faults),
        writeBack,
        checkpoint,
        new SlotChanges(dispatcher, entrance, checkpoint, options.seal()),
        new VolumeWatch(context, owner::volumeLost),
        reclaim,
        release,
        trimmer,
        snapshots,
        named,
        new TransactionManager(context, owner, owner, snapshots));
  }

  private StagingLimit staging(StagerParts stagers, StoreMachines.Owner owner) {
    StoreConfig config = options.config();
    int places = config.maxStagers();
    return new StagingLimit(
        stagers,
        new PlaceQueue(dispatcher, "new content on its way", places, config.places()),
        new StagingLimit.Limits(places + config.places().maxWaiting(), config.maxSmallStagers()),
        owner::drained);
  }

  /** The log goes on where recovery has found its end. */
  private CommitLog log(Recovery.Recovered recovered, LogListener listener) {
    Superblock superblock = recovered.base().superblock();
    long incarnation = options.random().nextLong();
    return sharedEngine == null
        ? new LogWriter(
            options.config().log(),
            new LogEnvironment(
                dispatcher, disk, superblock.layout(), superblock.volumeId(), faults),
            recovered.log(),
            incarnation,
            listener)
        : sharedEngine.log(
            new SharedEngine.LogStart(
                recovered.log(),
                options.config().log(),
                superblock.layout(),
                superblock.volumeId(),
                incarnation),
            listener);
  }
}
