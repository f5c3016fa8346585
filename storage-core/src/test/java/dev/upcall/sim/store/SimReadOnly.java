package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.store.Durability;
import dev.upcall.store.OpeningReport;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;

/** Opens the volume to read only, and leaves it as it was: byte for byte, whatever is asked. */
final class SimReadOnly {
  private final SimMachine machine;
  private final SimModel model;

  SimReadOnly(SimMachine machine, SimModel model) {
    this.machine = machine;
    this.model = model;
  }

  /** A volume that no disk has damaged: all is there. */
  void look() {
    DiskImage before = machine.world().disk().contents().fork();
    if (!(machine.openReadOnly() instanceof Completion.Done<Store>(Store store))) {
      throw new AssertionError("a sound volume cannot be opened to read");
    }
    machine.inspect(store, model.copy()).compare();
    machine.inspect(store, model.copy()).verify();
    SimInspection.checkThat(
        store.info().opening().age() != OpeningReport.Age.OLDER, "newer than the newest");
    end(store, before);
  }

  /**
   * A volume that cannot be opened to be written: what can be read is right, and older than the
   * damage. Where its last checkpoint is damaged it cannot be read either.
   */
  void lookAtWhatIsLeft() {
    lookAtWhatIsLeft(/* saysMore= */ true);
  }

  /** A volume that is damaged in whatever way: what can be read is right, or said to be older. */
  void lookAtDamaged() {
    lookAtWhatIsLeft(/* saysMore= */ false);
  }

  private void lookAtWhatIsLeft(boolean saysMore) {
    machine.restart(machine.world().disk().contents().fork());
    DiskImage before = machine.world().disk().contents().fork();
    Completion<Store> opened = machine.openReadOnly();
    if (opened instanceof Completion.Done<Store>(Store store)) {
      SimInspection.checkThat(
          !saysMore || store.info().readOnlyReason().contains("corrupt"),
          store.info().readOnlyReason());
      machine.inspect(store, model.copy()).compareWhatIsLeft();
      end(store, before);
    } else {
      SimInspection.checkCorrupt(opened);
    }
  }

  private void end(Store store, DiskImage before) {
    SimWorld world = machine.world();
    world.runUntilIdle();
    checkUntouched(before);
    SimInspection.checkThat(
        store.refusesContent() instanceof Failure.ReadOnly, "it takes new content");
    refused(
        world.<Unit>await(
            port ->
                store.change(
                    (view, out) -> {
                      out.put(StoreTree.PROPERTIES, TreeKeys.of(1), TreeKeys.of(1));
                      return Completion.done();
                    },
                    Durability.ASYNC,
                    port)));
    refused(world.await(store::flush));
    refused(world.await(store::checkpoint));
    world.runUntilIdle();
    Completion<Unit> closed = world.await(store::close);
    SimInspection.checkThat(closed instanceof Completion.Done<Unit>, "close: " + closed);
    checkUntouched(before);
    machine.restart(before);
  }

  private void checkUntouched(DiskImage before) {
    SimInspection.checkThat(
        machine.world().disk().contents().digest() == before.digest(),
        "a read-only store has written");
  }

  private static void refused(Completion<Unit> completion) {
    boolean readOnly =
        completion instanceof Completion.Failed<Unit> failed
            && failed.failure() instanceof Failure.ReadOnly;
    SimInspection.checkThat(readOnly, "a read-only store says " + completion);
  }
}
