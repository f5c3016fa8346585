package dev.upcall.txn.reclaim;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.buffer.BufferConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.seal.KeyMaterial;
import dev.upcall.io.seal.VolumeKey;
import dev.upcall.segment.Stager;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.space.Room;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.SealedFixture;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.change.ChangeRun;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.checkpoint.WriteBack;
import dev.upcall.txn.engine.RefusedVolumeTest;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.engine.UnreadableMapTest;
import dev.upcall.txn.recovery.Recovery;
import dev.upcall.txn.snapshot.SnapshotCreation;
import dev.upcall.txn.snapshot.SnapshotSweep;
import dev.upcall.txn.verify.StoreCheck;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every declared transition of the machines of store and segments happens in some run. */
class StoreTransitionsTest {
  private static final Transitions<?>[] OF_THE_STORE = {
    ChangeRun.TRANSITIONS,
    Checkpoint.TRANSITIONS,
    Recovery.TRANSITIONS,
    Reclaim.TRANSITIONS,
    SnapshotCreation.TRANSITIONS,
    SnapshotSweep.TRANSITIONS,
    DeferredFree.TRANSITIONS,
    StoreCheck.TRANSITIONS,
    Trimmer.TRANSITIONS,
    WriteBack.TRANSITIONS
  };
  private static final Transitions<?>[] OF_SEGMENTS = {
    Stager.TRANSITIONS, LayoutEditor.TRANSITIONS, Room.TRANSITIONS
  };

  static final long LARGE = 300;

  private final TransitionCoverage coverage = new TransitionCoverage();

  @Test
  void pagesAreFresh() {
    StateMachineDocs.check(OF_THE_STORE);
  }

  @Test
  void allHappen() {
    DiskImage empty = formatted();
    withEveryFailure(empty, 6, StoreTransitionsTest::life);
    DiskImage used = after(empty, StoreTransitionsTest::life);
    withEveryFailure(used, 3, StoreTransitionsTest::laterLife);
    withEveryFailure(after(used, StoreTransitionsTest::busyCheckpoint), 1, StoreFixture::tryOpen);
    withEveryFailure(used, 2, StoreTransitionsTest::busyCheckpoint);
    withEveryFailure(used, 1, StoreTransitionsTest::patchIsPlaced);
    withEveryFailure(used, 3, StoreTransitionsTest::verificationAfterOpening);
    once(used, StoreTransitionsTest::verificationOfAClosingStore);
    withEveryFailure(new DiskImage(64), 1, StoreFixture::tryOpen);
    once(used, StoreTransitionsTest::unreadable);
    once(used, UnreadableMapTest::refusedWithoutMap);
    once(used, world -> verification(UnreadableMapTest.openAndLoseMap(world)));
    once(empty, SpaceLives::fullVolume);
    once(empty, StoreTransitionsTest::noMemory);
    once(used, StoreTransitionsTest::locked);
    withEveryFailure(empty, 3, SpaceLives::givingBack);
    once(after(empty, SpaceLives::freeInTheMiddle), SpaceLives::givingBack);
    once(used, SpaceLives::givingBackAtTheClose);
    withEveryFailure(used, 2, SnapshotLives::madeReadAndDropped);
    once(
        after(used, SnapshotLives::madeReadAndDropped),
        StoreTransitionsTest::verificationAfterOpening);
    once(used, SnapshotLives::onAFullVolume);
    once(after(used, SnapshotLives::damaged), StoreFixture::tryOpen);
    once(used, StoreTransitionsTest::toReadOnly);
    once(used, StoreTransitionsTest::missingWhatIsLookedFor);
    once(new DiskImage(0), StoreTransitionsTest::withItsKeyAndWithAnother);
    for (StoreTree tree : StoreTree.FROZEN) {
      DiskImage damaged =
          RefusedVolumeTest.withoutRoot(after(used, StoreTransitionsTest::checkpointed), tree);
      if (damaged != null) {
        once(damaged, StoreFixture::tryOpen);
      }
    }
    DiskImage oneStale = used.fork();
    oneStale.flipBit(0, 8 * 100);
    withEveryFailure(oneStale, 1, StoreFixture::tryOpen);
    once(used, world -> verification(SnapshotLives.damaged(world)));
    coverage.assertAllTaken(OF_THE_STORE);
    coverage.assertAllTaken(OF_SEGMENTS);
  }

  private static void checkpointed(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    world.<Unit>get(store.store()::checkpoint);
  }

  private static void toReadOnly(SimWorld world) {
    StoreFixture.tryOpen(world, StoreFixture.tinyOptions(world.seed()).asReadOnly());
  }

  private static void withItsKeyAndWithAnother(SimWorld world) {
    world.closesUnchecked("its blocks are encrypted");
    byte[] volumeKey = StoreFixture.bytes(1, VolumeKey.BYTES);
    SealedFixture.format(world, KeyMaterial.ofKey(StoreFixture.bytes(2, 32)), volumeKey);
    SealedFixture.open(world, KeyMaterial.ofKey(StoreFixture.bytes(3, 32)), Faults.NONE);
    SealedFixture.open(world, KeyMaterial.ofKey(StoreFixture.bytes(2, 32)), Faults.NONE);
  }

  private static void missingWhatIsLookedFor(SimWorld world) {
    StoreOptions options = StoreFixture.tinyOptions(world.seed());
    StoreFixture.tryOpen(
        world,
        options.withFirstLook(view -> Completion.failed(new Failure.NotFound("what is missing"))));
  }

  private static DiskImage formatted() {
    SimWorld world = new SimWorld(5, SimDiskConfig.ofBlocks(0).withCapacity(8192));
    StoreFixture.format(world);
    return world.disk().contents().fork();
  }

  private SimWorld world(DiskImage start) {
    return new SimWorld(5, SimDiskConfig.ofBlocks(0).withCapacity(8192)).reopen(start);
  }

  private DiskImage after(DiskImage start, Consumer<SimWorld> run) {
    SimWorld world = world(start);
    run.accept(world);
    return world.disk().contents().fork();
  }

  /** Runs something without a fault, and again with a failure at every n-th step. */
  private void withEveryFailure(DiskImage start, int each, Consumer<SimWorld> run) {
    long steps = Long.MAX_VALUE;
    for (long step = 0; step <= steps; step += step == 0 ? 1 : each) {
      SimWorld world = world(start);
      world.disk().setFaults(FaultPlan.NONE.withFailAt(step));
      run.accept(world);
      coverage.add(world.dispatcher().recorder());
      if (step == 0) {
        steps = world.disk().steps();
      }
    }
  }

  private void once(DiskImage start, Consumer<SimWorld> run) {
    SimWorld world = world(start);
    run.accept(world);
    coverage.add(world.dispatcher().recorder());
  }

  private static void life(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world);
    if (store == null) {
      return;
    }
    store.put(100, StoreFixture.bytes(1, 3000));
    store.put(LARGE, StoreFixture.bytes(2, 900_000));
    patch(store, LARGE, 500_000, 5000);
    discards(store);
    together(store, 40, 6000);
    world.await(store.store()::checkpoint);
    store.remove(100);
    patch(store, LARGE, 100_000, 100);
    world.await(store.store()::checkpoint);
    store.put(101, StoreFixture.bytes(1, 3000));
    world.runUntilIdle();
  }

  private static void verificationAfterOpening(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world);
    if (store != null) {
      verification(store);
    }
  }

  private static void verification(StoreFixture store) {
    VerifyOptions all = new VerifyOptions(/* readContent= */ true);
    store.world().<VerifyReport>await(port -> store.store().verify(all, (at, of) -> true, port));
    store.world().runUntilIdle();
  }

  private static void verificationOfAClosingStore(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    VerifyOptions all = new VerifyOptions(/* readContent= */ true);
    store.store().verify(all, (at, of) -> true, report -> {});
    store.close();
  }

  private static void laterLife(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world);
    if (store == null) {
      return;
    }
    patch(store, LARGE, 800_000, 100);
    change(store, LARGE, (handle, port) -> handle.truncate(0, port));
    change(store, 1002, (handle, port) -> handle.truncate(10, port));
    store.put(LARGE, StoreFixture.bytes(3, 900_000));
    store.put(1001, StoreFixture.bytes(4, 10_000));
    store.remove(LARGE);
    world.runUntilIdle();
    store.close();
  }

  /** Something is written while a checkpoint places the rest, so that its image is not empty. */
  private static void busyCheckpoint(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world);
    if (store == null) {
      return;
    }
    List<StagedContent> staged = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      StagedContent content = store.stage(StoreFixture.bytes(i, 9000));
      if (content != null) {
        staged.add(content);
      }
    }
    store.put(400, StoreFixture.bytes(1, 9000));
    boolean[] over = new boolean[1];
    store.store().checkpoint(completion -> over[0] = true);
    for (int i = 0; i < staged.size(); i++) {
      store.put(401 + i, staged.get(i), completion -> {});
      world.dispatcher().turn(true);
    }
    world.runUntil(() -> over[0]);
  }

  /** A checkpoint edits a large layout. */
  private static void patchIsPlaced(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world);
    if (store != null) {
      patch(store, LARGE, 500_000, 5000);
      world.<Unit>await(store.store()::checkpoint);
    }
  }

  /** From some moment on nothing can be read. */
  private static void unreadable(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    SegmentHandle handle = handle(store, LARGE);
    world.<Unit>await(port -> handle.write(0, ByteBuffer.wrap(new byte[204_800]), port));
    world.disk().setFaults(FaultPlan.NONE.withErrors(1_000_000, 0, 0));
    world.await(handle::close);
    handle.abandon();
    for (long id = 1000; id < 1040; id++) {
      store.remove(id);
    }
  }

  /** A transaction has locked what changes want: they wait, one of them too long. */
  private static void locked(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    StagedContent staged = store.stage(StoreFixture.bytes(1, 100));
    Transaction transaction = world.get(store.store()::begin);
    world.<Unit>get(
        port ->
            transaction.change(
                new TransactionStep<Unit>(
                    "put",
                    (view, out) -> {
                      out.putInode(StoreFixture.file(700), staged);
                      return Completion.done();
                    },
                    List.of(staged)),
                port));
    StagedContent next = store.stage(StoreFixture.bytes(2, 100));
    store.put(700, StoreFixture.bytes(3, 100));
    store.put(700, next, completion -> next.discard());
    world.dispatcher().turn(false);
    transaction.rollback();
    world.runUntilIdle();
  }

  private static void noMemory(SimWorld world) {
    StoreOptions usual = StoreFixture.tinyOptions(world.seed());
    StoreConfig config = usual.config();
    StoreOptions options =
        new StoreOptions(
            new StoreConfig(
                BufferConfig.ofBudget(1 << 20).tracingOrigins().withMaxWaiting(1),
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
                config.places()),
            0,
            4,
            usual.random());
    Store store = world.get(port -> Stores.open(world.dispatcher(), world.disk(), options, port));
    List<ContentStager> stagers = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      ContentStager stager = store.stage(StoreFixture.OWNER);
      stagers.add(stager);
      stager.append(ByteBuffer.wrap(new byte[60_000]), completion -> {});
    }
    world.runUntilIdle();
    stagers.forEach(ContentStager::discard);
    world.runUntilIdle();
  }

  /** Many changes at once: more than the log has room for. */
  private static void together(StoreFixture store, int changes, int bytes) {
    List<StagedContent> staged = new ArrayList<>();
    for (int i = 0; i < changes; i++) {
      StagedContent content = store.stage(StoreFixture.bytes(i, bytes));
      if (content != null) {
        staged.add(content);
      }
    }
    for (int i = 0; i < staged.size(); i++) {
      store.put(1000 + i, staged.get(i), completion -> {});
    }
    store.world().runUntilIdle();
    staged.forEach(StagedContent::discard);
  }

  private static void discards(StoreFixture store) {
    for (int bytes : new int[] {0, 200_000}) {
      discard(store, bytes);
    }
    ContentStager stager = discardable(store, 200_000);
    stager.finish(completion -> {});
    stager.discard();
    store.world().runUntilIdle();
  }

  private static void discard(StoreFixture store, int bytes) {
    discardable(store, bytes).discard();
  }

  private static ContentStager discardable(StoreFixture store, int bytes) {
    ContentStager stager = store.store().stage(StoreFixture.OWNER);
    if (bytes > 0) {
      store.world().<Unit>await(port -> stager.append(ByteBuffer.wrap(new byte[bytes]), port));
    }
    return stager;
  }

  static void patch(StoreFixture store, long id, long offset, int bytes) {
    ByteBuffer content = ByteBuffer.wrap(StoreFixture.bytes(offset, bytes));
    change(store, id, (handle, port) -> handle.write(offset, content, port));
  }

  static void change(
      StoreFixture store, long id, BiConsumer<SegmentHandle, CompletionPort<Unit>> change) {
    SegmentHandle handle = handle(store, id);
    if (handle == null) {
      return;
    }
    store.world().<Unit>await(port -> change.accept(handle, port));
    if (store.world().await(handle::close) instanceof Completion.Failed<Unit>) {
      handle.abandon();
    }
  }

  private static @Nullable SegmentHandle handle(StoreFixture store, long id) {
    Completion<SegmentHandle> opened =
        store
            .world()
            .await(
                port ->
                    Segments.open(store.store(), Segments.Target.of(id), StoreFixture.OWNER, port));
    return opened instanceof Completion.Done<SegmentHandle> done ? done.value() : null;
  }
}
