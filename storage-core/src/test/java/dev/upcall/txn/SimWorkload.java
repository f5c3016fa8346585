package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import java.util.SplittableRandom;

/**
 * A life of all kinds of requests on a new volume, the same each time, for tests that cut it off,
 * or let the device fail, at each of its steps.
 */
final class SimWorkload {
  private static final int REQUESTS = 60;
  private static final SimHabits ALL_KINDS =
      new SimHabits(new int[] {30, 8, 12, 10, 6, 10, 4, 4, 4, 12, 4}, 4, 8, 120_000, 30, 1000);

  private final SimMachine machine;
  private final SimModel model;

  /** A workload on a freshly formatted volume. */
  SimWorkload(long seed) {
    machine = new SimMachine(seed, Canary.SOUND, new SimCounts());
    machine.format();
    model = new SimModel(machine.plan().config().loss());
  }

  private SimWorkload(SimMachine machine, SimModel model) {
    this.machine = machine;
    this.model = model;
  }

  SimWorld world() {
    return machine.world();
  }

  SimModel model() {
    return model;
  }

  /** Runs it to its end, or to the crash that the plan brings. How many steps it took. */
  long run(FaultPlan faults) {
    SimWorld world = machine.world();
    world.disk().setFaults(faults);
    long before = world.disk().steps();
    Completion<Store> opened = machine.open();
    if (opened instanceof Completion.Done<Store> done) {
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
    }
    return world.disk().steps() - before;
  }

  /** The workload, dying at a step of it. */
  SimWorkload cutAt(long step) {
    run(FaultPlan.crashAt(machine.world().disk().steps() + step));
    return this;
  }

  DiskImage crashImage(SplittableRandom fate) {
    return machine.world().disk().crashImage(fate);
  }

  /** The same volume on a machine whose disk holds an image. */
  SimWorkload on(DiskImage image, String what) {
    SimWorkload next = new SimWorkload(machine.with(image), model.copy());
    next.machine.tell(what);
    return next;
  }

  /** Recovers, compares, verifies; through one more crash if it comes. Whether it came. */
  boolean recoverAndCheck(FaultPlan faults) {
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
