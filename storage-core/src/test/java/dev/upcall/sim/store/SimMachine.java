package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.io.seal.Seal;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.plan.Canary;
import dev.upcall.sim.store.plan.SimChance;
import dev.upcall.sim.store.plan.SimPlan;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.EpochGuard;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The machine of one lifetime: it dies and starts again, each time as a new world, with what has
 * survived on its disk, and the store is opened on it.
 */
final class SimMachine {
  private static final int MOVES_TOLD = 40;

  /** As that which an opener of real volumes punches. */
  private static final long SCRATCH_BLOCK = 2;

  private final SimRun run;
  private final Canary canary;
  private final SimChance chances;
  private final SplittableRandom random;
  private final SimPlan plan;
  private final SimCounts counts;
  private final @Nullable SimSeal seal;
  private final StringBuilder story = new StringBuilder();
  private SimPlan memory;

  /** With as much memory as any store had that worked here: what it has left fits. */
  private SimPlan enough;

  private SimWorld world;
  private long hash;

  /** A machine that was never started. */
  SimMachine(SimRun run, SimCounts counts) {
    this.run = run;
    this.canary = run.store();
    this.counts = counts;
    this.chances = new SimChance(run.seed());
    this.random = chances.first();
    this.plan = SimPlan.draw(chances);
    this.memory = plan;
    this.enough = plan;
    this.seal =
        run.device() == SimDevice.SEALED ? new SimSeal(chances.seal(), plan.layout()) : null;
    this.world =
        new SimWorld(run.seed(), run.device().config(plan.disk()))
            .closesUnchecked("it crashes and recovers all the time");
  }

  private SimMachine(SimMachine like, SimWorld world) {
    this.run = like.run;
    this.canary = like.canary;
    this.counts = like.counts;
    this.chances = new SimChance(world.seed());
    this.random = chances.first();
    this.plan = like.plan;
    this.memory = plan;
    this.enough = plan;
    this.seal = like.seal;
    this.world = world;
  }

  /** Another machine of this kind whose disk holds an image. */
  SimMachine with(DiskImage image) {
    return new SimMachine(this, world.reopen(image));
  }

  /** The present world. */
  SimWorld world() {
    return world;
  }

  SimPlan plan() {
    return plan;
  }

  /** What is run. */
  SimRun run() {
    return run;
  }

  /** Chance for whatever happens on this machine. */
  SplittableRandom random() {
    return random;
  }

  /** Where it comes from. */
  SimChance chances() {
    return chances;
  }

  void format() {
    SimSeal sealed = seal;
    if (sealed == null) {
      plan.format(world, world.disk(), KeySlots.NONE);
    } else {
      sealed.format(plan, world);
    }
  }

  /** The owner of an encrypted volume replaces its key, now and then. */
  void changeKeys(Recovered recovered) {
    SimSeal sealed = seal;
    if (sealed != null && !recovered.bruised()) {
      tell("keys");
      sealed.changeKeys(recovered.store(), world);
    }
  }

  /** From now on there are no threads for helpers, as long as this world lasts. */
  void refuseThreads() {
    world.reactor().refuseHelp(canary.threadRefused());
  }

  /** Opens the store on the present world. */
  @Nullable Completion<Store> open() {
    tell("open");
    if (canary.fences() && world.disk().isLate()) {
      world.io(port -> new DiskRequest.Discard(SCRATCH_BLOCK, 1, IoClass.FOREGROUND_WRITE, port));
    }
    return world.await(this::open);
  }

  /** Opens the store on the present world, over whose first blocks something else was written. */
  @Nullable Completion<Store> openFrontLost() {
    tell("open, front lost");
    return world.await(port -> open(memory.options(random.split()).withFrontLost(true), port));
  }

  /** Opens what must be refused: nothing of it is left to chance. */
  @Nullable Completion<Store> openRefused() {
    tell("open what must be refused");
    return world.await(port -> open(plan.options(new SplittableRandom(0)), port));
  }

  /** Opens the store on the present world to read only. */
  @Nullable Completion<Store> openReadOnly() {
    tell("open read-only");
    StoreOptions options = plan.options(random.split());
    return world.await(port -> open(canary.readOnly(options), port));
  }

  private void open(CompletionPort<Store> port) {
    open(memory.options(random.split()), port);
  }

  private void open(StoreOptions options, CompletionPort<Store> port) {
    SimSeal sealed = seal;
    open(options, sealed == null ? null : sealed.lockedBy(), port);
  }

  private void open(StoreOptions plain, @Nullable Seal by, CompletionPort<Store> port) {
    Disk device = canary.disk(world);
    Disk whole = by == null ? device : canary.sealed(device, by, world, plan.layout().dataStart());
    Disk disk = new EpochGuard(whole, world.dispatcher(), canary.faults());
    StoreOptions options = plain.withSeal(by);
    Stores.open(
        world.dispatcher(),
        run.device()
            .over(
                disk,
                world,
                before -> plan.scheduling().over(before, plan.layout(), world, canary)),
        options,
        canary.faults(),
        completion -> {
          if (completion instanceof Completion.Done<Store>(Store store)) {
            port.complete(Completion.done(canary.shown(store)));
          } else {
            port.complete(completion);
          }
        });
  }

  /**
   * An open store.
   *
   * @param store the store
   * @param bruised whether the device has failed meanwhile, so that requests may fail later
   */
  record Recovered(Store store, boolean bruised) {}

  /** Opens the store through crashes and failures of the recovery itself, and their recoveries. */
  Recovered recover() {
    if (random.nextInt(3) == 0) {
      memory = plan.withMemory(SimPlan.drawMemory(random));
    }
    while (true) {
      world.disk().setFaults(plan.mix().recovery(random));
      Completion<Store> opened = open();
      boolean crashed = world.disk().crashed();
      boolean bruised = world.disk().hasFailed();
      world.disk().setFaults(FaultPlan.NONE);
      if (opened instanceof Completion.Done<Store> done && !crashed) {
        enough = memory.hasMoreMemory(enough) ? memory : enough;
        return new Recovered(done.value(), bruised);
      }
      if (opened instanceof Completion.Failed<Store> failed) {
        mayRefuse(failed.failure(), bruised);
      }
      tell(crashed ? "crash in recovery" : "again");
      restart();
    }
  }

  private void mayRefuse(Failure failure, boolean bruised) {
    tell(failure.message());
    if (failure instanceof Failure.Invalid && memory != enough) {
      memory = enough;
    } else if (!(bruised && failure instanceof Failure.Device)) {
      throw new AssertionError("recovery failed: " + failure.message());
    }
  }

  /** From now on the store has the memory that it had at first: enough. */
  void resetMemory() {
    memory = plan;
  }

  /** The machine dies and starts again with one of the images that may have survived. */
  void restart() {
    world.disk().crash();
    searched();
    restart(world.disk().crashImage(random));
  }

  /** The process is killed, and another one starts. */
  void kill() {
    searched();
    end();
    world = world.killAndReopen();
  }

  /** The machine hangs, and another one starts at its disk. */
  void hang() {
    searched();
    end();
    world = world.reopen(world.disk().land());
  }

  /** The machine starts again with an image. */
  void restart(DiskImage image) {
    end();
    world = world.reopen(image);
  }

  /** Nobody who has the device and no key learns anything. */
  void searched() {
    SimSeal sealed = seal;
    if (sealed == null) {
      return;
    }
    sealed.checkNothingPlain(world.disk().contents());
    if (sealed.isTriedInVain()) {
      SimMachine beside = with(world.disk().contents().fork());
      long before = beside.world.disk().contents().digest();
      Completion<Store> opened =
          beside.world.await(
              port ->
                  beside.open(
                      plan.options(new SplittableRandom(0)), SimSeal.lockedByAnother(), port));
      SimInspection.checkThat(
          opened instanceof Completion.Failed<Store>(Failure why)
              && why instanceof Failure.Invalid
              && beside.world.disk().contents().digest() == before,
          "another key was not refused, or something was touched");
    }
  }

  /** The machine has done what it had to. */
  void end() {
    hash = hash * 31 + world.disk().traceHash();
    counts.machineEnded(world);
  }

  /** Over everything that the device was asked before the last {@link #restart} or {@link #end}. */
  long hash() {
    return hash;
  }

  SimInspection inspect(Store store, SimModel model) {
    return new SimInspection(world, store, model);
  }

  /** Remembers what happens, for the story of a failure. */
  void tell(String what) {
    story.append("  step ").append(world.disk().steps()).append(": ").append(what).append('\n');
  }

  /** What happened, and the last moves of the machines. */
  String story() {
    StringBuilder text = new StringBuilder(story);
    List<String> recent = world.dispatcher().recorder().lastLines();
    for (String line : recent.subList(Math.max(0, recent.size() - MOVES_TOLD), recent.size())) {
      text.append("    ").append(line).append('\n');
    }
    return text.toString();
  }
}
