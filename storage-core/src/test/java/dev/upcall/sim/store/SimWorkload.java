package dev.upcall.sim.store;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimFileNames;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.sim.store.plan.Canary;
import dev.upcall.sim.store.plan.SimHabits;
import dev.upcall.sim.store.plan.SimPlan;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Store;
import dev.upcall.txn.TableEntries;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A life of all kinds of requests on a new volume, the same each time, for tests that cut it off,
 * or let the device fail, at each of its steps.
 */
public final class SimWorkload {
  private static final int REQUESTS = 70;

  /** An idle log has written its mark by then. */
  private static final long MARKED_NANOS = 20_000_000;

  private static final long EXTRA_ID = 99;
  private static final long EXTRA_CONTENT = 17;
  private static final int SMALL_BYTES = 5000;
  private static final int LARGE_BYTES = 170 * Disk.BLOCK_BYTES + 5;

  private static final SimHabits ALL_KINDS =
      new SimHabits(
          List.of(30, 8, 12, 10, 6, 10, 4, 4, 4, 12, 4, 8, 6, 8, 0, 50),
          4,
          8,
          120_000,
          /* large= */ false,
          /* ranges= */ false,
          /* churn= */ false,
          /* drops= */ false,
          /* edits= */ true,
          /* tables= */ true,
          /* duplicates= */ 0,
          /* coded= */ 0,
          /* edges= */ false,
          /* mixed= */ false,
          /* loans= */ false,
          30,
          1000);

  private final SimMachine machine;
  private final SimModel model;
  private @Nullable Store store;

  /** Of the file that is put besides: 0 before it is there. */
  private long extraVersion;

  /** A workload on a freshly formatted volume. */
  public SimWorkload(long seed) {
    machine = new SimMachine(SimRun.of(seed, Canary.SOUND), new SimCounts());
    machine.format();
    model = new SimModel(machine.plan().config().loss());
  }

  private SimWorkload(SimMachine machine, SimModel model) {
    this.machine = machine;
    this.model = model;
  }

  public SimWorld world() {
    return machine.world();
  }

  SimModel model() {
    return model;
  }

  /** Runs it to its end, or to the crash that the plan brings. How many steps it took. */
  public long run(FaultPlan faults) {
    SimWorld world = machine.world();
    world.disk().setFaults(faults);
    long before = world.disk().steps();
    Completion<Store> opened = machine.open();
    if (opened instanceof Completion.Failed<Store>(Failure failure)) {
      SimInspection.checkThat(faults.strikes().failAtSync() != 0, "not opened: " + failure);
    }
    if (opened instanceof Completion.Done<Store> done) {
      store = done.value();
      SimClients clients =
          new SimClients(
              world,
              done.value(),
              model,
              ALL_KINDS,
              machine.random().split(),
              new SimClients.SimStamps(),
              /* faulty= */ faults.strikes().failAtSync() != 0);
      clients.start(REQUESTS);
      world.runUntil(clients::isIdle);
      awaitMark();
    }
    return world.disk().steps() - before;
  }

  private void awaitMark() {
    boolean[] marked = new boolean[1];
    machine.world().reactor().after(MARKED_NANOS, () -> marked[0] = true);
    machine.world().runUntil(() -> marked[0]);
  }

  /** Adds a file so large that its layout is a tree of its own. Whether there was room. */
  public boolean putLarge() {
    return put(LARGE_BYTES);
  }

  /** Adds a small file. Whether there was room. */
  public boolean putSmall() {
    return put(SMALL_BYTES);
  }

  private boolean put(int size) {
    StoreFixture files = StoreFixture.of(machine.world(), store());
    SimModel.FileState state = new SimModel.FileState(extraVersion + 1, EXTRA_CONTENT, size);
    StagedContent staged = files.stage(state.bytes());
    if (staged == null) {
      return false;
    }
    Completion<Unit> done = machine.world().await(port -> putNamed(staged, port));
    staged.discard();
    if (!(done instanceof Completion.Done<Unit>)) {
      return false;
    }
    extraVersion++;
    SimModel.Step step = new SimModel.Step(machine.world().clock().monotonicNanos());
    step.content(EXTRA_ID, state);
    model.require(model.apply(step));
    awaitMark();
    return true;
  }

  private void putNamed(StagedContent staged, CompletionPort<Unit> port) {
    store()
        .change(
            (view, out) -> {
              Inode old = view.inode(EXTRA_ID);
              out.putInode(
                  old == null ? SimFileNames.made(out, EXTRA_ID, 1) : old.touched(1), staged);
              return Completion.done();
            },
            Durability.SYNC,
            port);
  }

  /** The workload, dying at a step of it. */
  public SimWorkload cutAt(long step) {
    run(FaultPlan.crashAt(machine.world().disk().steps() + step));
    return this;
  }

  /** How many entries of tables have content of their own at the end of a run. */
  public long largeValues() {
    return model.live().tables().values().stream()
        .flatMap(table -> table.entries().values().stream())
        .filter(stamp -> SimTables.value(stamp).length > TableEntries.MAX_VALUE_BYTES)
        .count();
  }

  /** The store, after a run that was not cut off before it was open. */
  public Store store() {
    return Invariants.present(store, "the store of a workload that has run");
  }

  /** The volume as it is, after the process died and the machine did not. */
  public DiskImage image() {
    return machine.world().disk().contents().fork();
  }

  /** The plan that the workload's seed gave. */
  public SimPlan plan() {
    return machine.plan();
  }

  /** Opens the volume, one block of which is not what was written last, and judges. */
  public SimDecay.Verdict openDamaged(long block) {
    return judging(decay -> decay.open(block));
  }

  /** Opens the volume, of whose map a chunk is gone with all copies, and judges. */
  public SimDecay.Verdict openWithoutMap() {
    return judging(SimDecay::openWithoutMap);
  }

  /** Opens the volume, over whose first two blocks zeros or other bytes were written. */
  public SimDecay.Verdict openWithoutFront(boolean zeros) {
    return judging(decay -> decay.openWithoutFront(zeros));
  }

  private <T> T judging(Function<SimDecay, T> open) {
    try {
      return open.apply(new SimDecay(machine, model));
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(e + "\n" + machine.plan() + "\n" + machine.story(), e);
    }
  }

  public DiskImage crashImage(SplittableRandom fate) {
    return machine.world().disk().crashImage(fate);
  }

  /** The same volume on a machine whose disk holds an image. */
  public SimWorkload on(DiskImage image, String what) {
    SimWorkload next = new SimWorkload(machine.with(image), model.copy());
    next.machine.tell(what);
    return next;
  }

  /** Recovers, compares, verifies; through one more crash if it comes. Whether it came. */
  public boolean recoverAndCheck(FaultPlan faults) {
    try {
      machine.world().disk().setFaults(faults);
      Completion<Store> opened = machine.open();
      boolean crashed = machine.world().disk().crashed();
      if (crashed) {
        machine.restart();
        opened = machine.open();
      }
      machine.world().disk().setFaults(FaultPlan.NONE);
      if (!(opened instanceof Completion.Done<Store> done)) {
        throw new AssertionError("recovery failed: " + opened);
      }
      machine.inspect(done.value(), model).compare();
      machine.inspect(done.value(), model).verify();
      return crashed;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(e + "\n" + machine.plan() + "\n" + machine.story(), e);
    }
  }
}
