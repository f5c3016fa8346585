package dev.upcall.threads;

import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.DamageLog;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.locks.LockRank;
import dev.upcall.locks.LockWait;
import dev.upcall.locks.MeteredLock;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.StagerConfig;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.space.Extent;
import dev.upcall.store.Durability;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.Query;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.SharedState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store for threads that wait: the caller's thread looks, reads, plans, applies and commits under
 * locks and does its own I/O, holding no lock meanwhile. Any number of platform and virtual
 * threads. The volume is that of the state machines, which keep it in order in the background
 * ({@link Keeper}).
 *
 * <p>Results are completions; nothing is thrown for an expected outcome. An interrupt ends no call
 * and stays pending.
 */
public final class ThreadStore {
  private static final int TRANSFER_BUFFERS = 16;

  private final BlockDevice device;
  private final StateLocks locks;
  private final Keeper keeper;
  private final ThreadEngine engine;
  private final SharedState shared;
  private final PageFetcher fetcher;
  private final Changes changes;
  private final MeteredLock layouts;
  private final TransferBuffers buffers;
  private final StagerConfig limits;
  private final WriterPlaces writers;

  private ThreadStore(Parts parts, SharedState shared) {
    this.device = parts.device();
    this.locks = parts.locks();
    this.keeper = parts.keeper();
    this.engine = parts.engine();
    this.shared = shared;
    Clock clock = keeper.dispatcher().clock();
    this.fetcher = new PageFetcher(device, locks, shared.pages(), shared.reader().loader());
    this.layouts = new MeteredLock(LockRank.LAYOUTS, clock);
    this.limits = shared.stager().withinRecord(engine.commitLog().maxRecordBytes());
    this.buffers = new TransferBuffers(TRANSFER_BUFFERS, limits.gatherBlocks() * Disk.BLOCK_BYTES);
    this.writers = new WriterPlaces(shared.maxStagers(), shared.places(), clock);
    this.changes = new Changes(shared, locks, keeper, engine, fetcher);
  }

  private record Parts(BlockDevice device, StateLocks locks, Keeper keeper, ThreadEngine engine) {}

  /**
   * Opens the store on a device, recovering it first. The device is the store's from then on, and
   * closed when this fails. Failures: as those of {@code Stores.open}.
   */
  public static Completion<ThreadStore> open(BlockDevice whole, StoreOptions options, Clock clock) {
    StateLocks locks = new StateLocks(clock);
    ThreadEngine engine = new ThreadEngine(options, whole, clock);
    BlockDevice device = engine.device();
    Keeper keeper = new Keeper(device, locks, clock, engine::machinesEnded);
    engine.runsOn(keeper.dispatcher());
    Completion<SharedState> opened;
    try {
      opened =
          keeper.await(
              port ->
                  dev.upcall.txn.engine.Stores.openShared(
                      keeper.dispatcher(), keeper.disk(), options, engine, port));
    } catch (DispatcherStoppedException died) {
      keeper.stop();
      device.close();
      throw died;
    }
    switch (opened) {
      case Completion.Failed<SharedState> failed -> {
        keeper.<Unit>await(keeper.disk()::close);
        keeper.stop();
        return failed.cast();
      }
      case Completion.Done<SharedState>(SharedState shared) -> {
        engine.commitLog().start();
        return Completion.done(new ThreadStore(new Parts(device, locks, keeper, engine), shared));
      }
    }
  }

  // ------------------------------------------------------------------ looking and reading

  /**
   * The answer to a query of the present state. Failures: the query's, {@code Corrupt}, {@code
   * Device}.
   */
  public <T> Completion<T> look(Query<T> query) {
    return looking(() -> query.run(shared.view()));
  }

  /**
   * Holds the present version of the content that a query finds.
   *
   * @param name how failures name it
   */
  public Completion<SharedContent> open(Query<Inode> which, String name) {
    return looking(
        () ->
            switch (which.run(shared.view())) {
              case Completion.Failed<Inode> failed -> failed.cast();
              case Completion.Done<Inode>(Inode inode) -> Completion.done(hold(inode, name));
            });
  }

  private SharedContent hold(Inode inode, String name) {
    Runnable unpin = engine.pins().pin(shared.view().scn());
    return new SharedContent(this, name, inode, shared.overlay(inode.id()).pin(), unpin);
  }

  /** What could not be read. */
  DamageLog damage() {
    return shared.reader().loader().damage();
  }

  /** Where a piece of held content is. */
  Completion<ContentReader.Place> locate(Overlay overlay, Layout layout, long block, long blocks) {
    if (!(layout.space() instanceof Layout.Indexed)) {
      return Completion.done(shared.reader().locate(overlay, layout, block, blocks));
    }
    return lookingIntoTrees(() -> shared.reader().locate(overlay, layout, block, blocks));
  }

  /** Where a byte of held content is in its block space. */
  Completion<PieceMap.Spot> find(PieceMap map, long offset) {
    PieceMap.Spot spot = map.find(offset);
    return map.isInTree(spot.at())
        ? lookingIntoTrees(() -> shared.reader().trees().maps().find(map, offset))
        : Completion.done(spot);
  }

  private <T> Completion<T> lookingIntoTrees(Supplier<T> look) {
    return looking(
        () -> {
          layouts.lock();
          try {
            return Completion.done(look.get());
          } finally {
            layouts.unlock();
          }
        });
  }

  private <T> Completion<T> looking(Supplier<Completion<T>> look) {
    while (true) {
      PageRef missing;
      long stamp = locks.state().read();
      try {
        return look.get();
      } catch (PageMissing page) {
        missing = page.page();
      } finally {
        locks.state().endRead(stamp);
      }
      Failure failure = fetcher.fetch(missing);
      if (failure != null) {
        return Completion.failed(failure);
      }
    }
  }

  // ------------------------------------------------------------------ changing

  /**
   * Plans a change, applies and commits it; with {@code SYNC}, and beyond what may be lost, it is
   * durable when this returns. Failures: the planner's, {@code VolumeFull}, {@code TooLarge},
   * {@code ReadOnly}, {@code Corrupt}, {@code Device}.
   */
  public <T> Completion<T> change(SegmentChange<T> change, Durability durability) {
    return changes.run(change, durability);
  }

  /** Begins new content; how much of it may be under way at once is the writer's business. */
  public Completion<ContentWriter> newContent() {
    Failure readOnly = engine.readOnly();
    return readOnly == null
        ? Completion.done(new ContentWriter(this))
        : Completion.failed(readOnly);
  }

  /**
   * Threads that wait for a place, for new content or a handle's writes, get {@code Closed}; all
   * else goes on. For who is about to close, once.
   */
  public void stopWaiting() {
    writers.stopWaiting();
    laterAmongMachines(shared.store()::stopWaiting);
  }

  /** Returns when everything applied before is durable; why it is not, or null. */
  public @Nullable Failure flush() {
    return engine.commitLog().awaitAll();
  }

  // ------------------------------------------------------------------ beside the machines

  /** The store of the machines, for {@link #amongMachines}. */
  public Store machines() {
    return shared.store();
  }

  /**
   * Runs a request on the thread of the machines, inside an upcall, and waits for its completion:
   * for what is rare, or theirs.
   */
  public <T> Completion<T> amongMachines(Consumer<? super CompletionPort<T>> request) {
    return keeper.await(request);
  }

  /** As {@link #amongMachines} for callers that do not wait. */
  public void laterAmongMachines(Runnable upcall) {
    // With the machines the space is gone that was to be given back; the volume has it as free.
    keeper.dispatcher().offer(upcall);
  }

  /** The waiting for machines. */
  public dev.upcall.fsm.door.Blocking blocking() {
    return keeper.blocking();
  }

  /** How much was waited for each lock. */
  public List<LockWait> lockWaits() {
    List<LockWait> waits = new ArrayList<>(locks.waited());
    waits.add(layouts.waited());
    waits.add(engine.pool().waited());
    waits.add(engine.commitLog().waited());
    return List.copyOf(waits);
  }

  /** Where calls spend their time; off until it is asked for. */
  public CallStages stages() {
    return engine.pool().stages();
  }

  /**
   * Writes a checkpoint and closes the volume. No call may be under way and no content held.
   * Failures: what kept the checkpoint from being written; the volume is closed all the same.
   *
   * @throws DispatcherStoppedException when the machines have died; the volume is closed then, too
   */
  public Completion<Unit> close() {
    try {
      return keeper.await(shared.store()::close);
    } catch (DispatcherStoppedException died) {
      device.close();
      throw died;
    } finally {
      keeper.stop();
    }
  }

  // ------------------------------------------------------------------ for content

  SharedState shared() {
    return shared;
  }

  FramePool pool() {
    return engine.pool();
  }

  BlockDevice device() {
    return device;
  }

  TransferBuffers buffers() {
    return buffers;
  }

  StagerConfig limits() {
    return limits;
  }

  @Nullable Failure takeWriterPlace() {
    return writers.take();
  }

  void leaveWriterPlace() {
    writers.leave();
  }

  /** Reserves space; waits for more if there is not enough. */
  Completion<List<Extent>> allocate(long blocks) {
    locks.space().lock();
    try {
      List<Extent> extents = shared.map().allocatePieces(blocks, MAX_PIECES);
      if (!extents.isEmpty()) {
        return Completion.done(extents);
      }
    } finally {
      locks.space().unlock();
    }
    return keeper.await(port -> shared.space().allocate(blocks, port));
  }

  private static final int MAX_PIECES = 64;

  /** Gives reserved space back. */
  void giveBack(List<Extent> extents) {
    if (!extents.isEmpty()) {
      laterAmongMachines(() -> shared.space().giveBack(extents));
    }
  }
}
