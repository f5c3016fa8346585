package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimDisk;
import dev.upcall.sim.SimTap;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimFileNames;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.sim.store.plan.Canary;
import dev.upcall.sim.store.plan.SimFault;
import dev.upcall.sim.store.plan.SimMix;
import dev.upcall.sim.store.plan.SimPlan;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.txn.Change;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.NamedSnapshots;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import dev.upcall.txn.volume.Epoch;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One simulated lifetime of a volume from one seed: format, then lives of a store that end by a
 * crash, a close or a failing device; after each, recovery (which may crash and fail too), and what
 * is found is compared with the model. In the last life nothing goes wrong and everything must
 * finish. At the end blocks decay.
 */
public final class SimLifetime {
  private static final int LIVES = 4;
  private static final int READ_ONLY_ONE_IN = 8;
  private static final long FULL_AFTER_NANOS = 300_000_000;
  private static final long CLOCK_JUMPS_NANOS = 100_000_000;
  private static final long TAKEN_AFTER_NANOS = 300_000_000;

  private final SimMachine machine;
  private final SplittableRandom random;
  private final SimPlan plan;
  private SimModel model;
  private final SimClients.SimStamps stamps = new SimClients.SimStamps();
  private int answered;
  private int judged;

  private SimLifetime(SimMachine machine) {
    this.machine = machine;
    this.random = machine.random();
    this.plan = machine.plan();
    this.model = new SimModel(plan.config().loss());
  }

  /**
   * What a lifetime was.
   *
   * @param hash over everything that the device was asked
   * @param answered how many requests were answered
   * @param judged how many transactions were judged, those of one step included
   */
  public record Outcome(long hash, int answered, int judged) {}

  /** Runs a lifetime; fails with the seed in the message. */
  public static Outcome run(long seed) {
    return run(seed, Canary.SOUND, new SimCounts());
  }

  /** Runs a lifetime of a store that may be broken on purpose, and adds what it was made of. */
  public static Outcome run(long seed, Canary canary, SimCounts counts) {
    return run(new SimMachine(SimRun.of(seed, canary), counts), counts);
  }

  /** Runs a lifetime; fails with the seed in the message. */
  public static Outcome run(SimRun run) {
    SimCounts counts = new SimCounts();
    return run(new SimMachine(run, counts), counts);
  }

  /** Runs a lifetime, and gives all that its machines record to a tap. */
  public static Outcome run(SimRun run, SimTap tap) {
    SimCounts counts = new SimCounts();
    SimMachine machine = new SimMachine(run, counts);
    machine.world().tappedBy(tap);
    try {
      return run(machine, counts);
    } finally {
      tap.end();
    }
  }

  private static Outcome run(SimMachine machine, SimCounts counts) {
    SimRun run = machine.run();
    try {
      SimLifetime lifetime = new SimLifetime(machine);
      lifetime.run();
      machine.end();
      counts.lifetimeEnded(lifetime.answered);
      return new Outcome(machine.hash(), lifetime.answered, lifetime.judged);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed %d: %s%n%s%nreplay: %s%n%s"
              .formatted(
                  run.seed(), e, machine.plan(), run.store().replay(run.seed()), machine.story()),
          e);
    }
  }

  private void run() {
    machine.format();
    for (int life = 0; life < LIVES; life++) {
      SimMachine.Recovered recovered = recover();
      if (random.nextBoolean() && !recovered.bruised()) {
        inspect(recovered.store()).verify();
      }
      machine.changeKeys(recovered);
      if (!live(recovered)) {
        afterLies();
        return;
      }
    }
    tail();
    machine.searched();
    DiskImage closed = machine.world().disk().contents().fork();
    new SimDecay(machine, model).check();
    if (random.nextInt(4) == 0) {
      machine.restart(closed);
      emptyAndUse();
    }
  }

  private SimMachine.Recovered recover() {
    // Whoever only reads may see what a killed owner still writes.
    if (random.nextInt(READ_ONLY_ONE_IN) == 0 && !machine.world().disk().isLate()) {
      new SimReadOnly(machine, model).look();
    }
    SimMachine.Recovered recovered = machine.recover();
    if (!recovered.bruised()) {
      inspect(recovered.store()).compare();
    } else if (!inspect(recovered.store()).compareUnlessFailing()) {
      machine.tell("cannot be looked at");
      machine.restart();
      return recover();
    }
    return recovered;
  }

  /** One life: requests, and an end. False if nothing certain is known of the volume any more. */
  private boolean live(SimMachine.Recovered recovered) {
    SimWorld world = machine.world();
    Store store = recovered.store();
    Set<SimFault> faults = drawFaults();
    world.disk().setFaults(SimMix.device(faults, world.disk().steps(), plan, random));
    machine.tell("life: " + faults);
    boolean faulty = recovered.bruised() || faults.stream().anyMatch(SimFault::makesErrors);
    SimClients clients =
        new SimClients(world, store, model, plan.habits(), random.split(), stamps, faulty);
    begin(faults);
    int requests = 20 + random.nextInt(150);
    clients.start(requests);
    boolean killed = faults.contains(SimFault.KILLED);
    try {
      work(clients, store, faults, requests, faulty);
    } catch (OutOfMemoryError noRoom) {
      SimHeap.mayEnd(world.reactor(), noRoom);
      machine.tell("the store's thread ended for want of memory");
      killed = true;
    }
    answered += clients.answered();
    judged += clients.judge();
    if (killed && !machine.world().disk().crashed()) {
      machine.tell("killed");
      machine.kill();
    } else {
      machine.tell(machine.world().disk().crashed() ? "crash" : "end");
      machine.restart();
    }
    return faults.stream().noneMatch(SimFault::leavesNothingCertain);
  }

  /** Clients work, and what is to happen to them happens. */
  private void work(
      SimClients clients, Store store, Set<SimFault> faults, int requests, boolean faulty) {
    SimWorld world = machine.world();
    boolean early = faults.stream().anyMatch(SimFault::strikesEarly);
    int struckAfter = early ? random.nextInt(requests) : requests;
    boolean alive = world.runUntil(() -> clients.isIdle() || clients.answered() >= struckAfter);
    boolean close = faults.contains(SimFault.EARLY_CLOSE) || random.nextInt(3) == 0;
    boolean killed = faults.contains(SimFault.KILLED);
    if (alive && faults.contains(SimFault.HANGS)) {
      overtake(clients, store);
    } else if (alive && close && !killed) {
      close(clients, store, faulty);
    } else if (!killed) {
      world.runUntil(clients::isIdle);
    }
  }

  /**
   * The machine hangs. Another one opens the volume, works, and closes it or does not; then the
   * first one goes on, and must leave the volume as it is.
   */
  private void overtake(SimClients clients, Store store) {
    machine.tell("hangs");
    SimWorld slow = machine.world();
    machine.hang();
    // What becomes of those who still talk to the first one is their own history.
    model = model.copy();
    SimMachine.Recovered taken = recover();
    SimClients others =
        new SimClients(
            machine.world(),
            taken.store(),
            model,
            plan.habits(),
            random.split(),
            stamps,
            taken.bruised());
    others.start(10 + random.nextInt(40));
    machine.world().runUntil(others::isIdle);
    if (random.nextBoolean()) {
      close(others, taken.store(), taken.bruised());
    }
    answered += others.answered();
    judged += others.judge();
    machine.world().clock().advance(Epoch.TRUST_NANOS + 1);
    DiskImage newer = machine.world().disk().land();
    slow.disk().writtenElsewhere(newer);
    // A look that no copy can be read for says nothing.
    slow.disk().setFaults(FaultPlan.NONE);
    machine.tell("the first one goes on");
    if (slow.runUntil(clients::isIdle) && random.nextBoolean()) {
      clients.closing();
      slow.await(store::close);
    }
    SimInspection.checkThat(
        slow.disk().contents().digest() == newer.digest(),
        "a store has written although another one has opened its volume since");
  }

  private Set<SimFault> drawFaults() {
    return machine.run().inputs() != Canary.SOUND && random.nextInt(4) != 0
        ? EnumSet.of(SimFault.CRASH)
        : plan.mix().next(machine.chances());
  }

  private void begin(Set<SimFault> faults) {
    if (faults.contains(SimFault.FULL_DEVICE)) {
      machine.world().reactor().after(random.nextLong(FULL_AFTER_NANOS), this::deviceFull);
    }
    if (faults.contains(SimFault.REMOVED)) {
      SimDisk disk = machine.world().disk();
      machine.world().reactor().after(random.nextLong(TAKEN_AFTER_NANOS), disk::remove);
    }
    if (faults.contains(SimFault.CUT)) {
      machine.world().reactor().after(random.nextLong(TAKEN_AFTER_NANOS), this::cut);
    }
    if (faults.contains(SimFault.NO_THREADS)) {
      machine.refuseThreads();
    }
    SimHeap.begin(faults, machine.world().reactor(), machine.chances(), machine.run().store());
    if (faults.contains(SimFault.CLOCK_JUMPS)) {
      machine.world().reactor().after(random.nextLong(CLOCK_JUMPS_NANOS), this::jumpClock);
    }
  }

  /** Closes, also while clients are at work: those that read must have let go. */
  private void close(SimClients clients, Store store, boolean faulty) {
    machine.tell(clients.isIdle() ? "close" : "close with clients active");
    clients.closing();
    SimWorld world = machine.world();
    if (!world.runUntil(clients::mayClose)) {
      return;
    }
    int applied = model.applied();
    Completion<Unit> closed = world.await(store::close);
    if (closed != null) {
      clients.closed();
    }
    if (closed instanceof Completion.Done<Unit>) {
      model.require(applied);
      world.runUntil(clients::isIdle);
    } else if (closed instanceof Completion.Failed<Unit> failed && !faulty) {
      throw new AssertionError("close failed: " + failed.failure().message());
    }
  }

  /** Somebody else has filled the device; later there is room again. */
  private void deviceFull() {
    SimWorld world = machine.world();
    long capacityBlocks = plan.disk().capacityBlocks();
    // A file with holes may be longer than a small device.
    world.disk().setCapacity(Math.min(capacityBlocks, world.disk().sizeBlocks()));
    if (random.nextBoolean()) {
      world
          .reactor()
          .after(random.nextLong(FULL_AFTER_NANOS), () -> world.disk().setCapacity(capacityBlocks));
    }
  }

  /** Somebody cuts the volume's file, behind the log: whose end may be anywhere. */
  private void cut() {
    SimDisk disk = machine.world().disk();
    disk.cut(random.nextLong(plan.layout().dataStart(), disk.sizeBlocks()));
  }

  /** The machine has slept, or somebody has set the clock; and soon again. */
  private void jumpClock() {
    SimWorld world = machine.world();
    if (random.nextBoolean()) {
      world.clock().advance(random.nextLong(TimeUnit.SECONDS.toNanos(10)));
    } else {
      long day = TimeUnit.DAYS.toNanos(1);
      world.clock().jumpEpoch(random.nextLong(-day, day));
    }
    if (random.nextInt(3) != 0) {
      world.reactor().after(random.nextLong(CLOCK_JUMPS_NANOS), this::jumpClock);
    }
  }

  /** Nothing goes wrong any more: everything must finish. */
  private void tail() {
    SimMachine.Recovered recovered = recover();
    if (recovered.bruised()) {
      machine.restart();
      tail();
      return;
    }
    Store store = recovered.store();
    inspect(store).verify();
    machine.tell("last life");
    SimWorld world = machine.world();
    SimClients clients =
        new SimClients(
            world, store, model, plan.habits(), random.split(), stamps, /* faulty= */ false);
    clients.start(20);
    world.runUntil(clients::isIdle);
    answered += clients.answered();
    judged += clients.judge();
    close(clients, store, /* faulty= */ false);
  }

  /**
   * However full the volume is: everything can be removed, and then there is room. Where snapshots
   * keep what is removed, and the pages that tell of it, they may have to go first.
   */
  private void emptyAndUse() {
    if (!(machine.open() instanceof Completion.Done<Store>(Store store))) {
      throw new AssertionError("a closed volume cannot be opened");
    }
    if (random.nextBoolean()) {
      machine.tell("fill and cut");
      inspect(store).compare();
      new SimCuts(machine.world(), store, model, plan.treeFanOut(), random.split())
          .run(() -> dropOne(store));
      inspect(store).compareFiles();
      inspect(store).verify();
    }
    machine.tell("remove everything");
    StoreFixture files = StoreFixture.of(machine.world(), store);
    for (long id : List.copyOf(model.live().files().keySet())) {
      Completion<Unit> removed = remove(store, id);
      while (removed instanceof Completion.Failed<Unit>(Failure.VolumeFull _) && dropOne(store)) {
        removed = remove(store, id);
      }
      done(removed, "removing " + id);
    }
    for (SimTables.Op table : SimTables.deletions()) {
      Completion<Unit> removed = remove(store, table);
      while (removed instanceof Completion.Failed<Unit>(Failure.VolumeFull _) && dropOne(store)) {
        removed = remove(store, table);
      }
      done(removed, "removing a table");
    }
    dropAll(store);
    done(machine.world().await(store::checkpoint), "a checkpoint");
    // A device much smaller than the volume may be may have no more than the emergency reserve.
    if (plan.disk().capacityBlocks() >= plan.capBlocks()) {
      done(files.put(SimClients.FIRST_ID, StoreFixture.bytes(1, 3 * Disk.BLOCK_BYTES)), "writing");
    }
    files.verify();
    done(files.close(), "closing");
  }

  private Completion<Unit> remove(Store store, long id) {
    return machine
        .world()
        .await(port -> store.change((view, out) -> removed(view, out, id), Durability.SYNC, port));
  }

  private Completion<Unit> remove(Store store, SimTables.Op table) {
    Change<Unit> change =
        (view, out) -> {
          SimInspection.checkThat(
              SimTables.plan(List.of(table), Map.of(), view, out, Faults.NONE, new TreeMap<>()),
              "a table without a number of entries");
          return Completion.done();
        };
    return machine.world().await(port -> store.change(change, Durability.SYNC, port));
  }

  private static Completion<Unit> removed(View view, Mutations out, long id) {
    SimFileNames.removed(out, Objects.requireNonNull(view.inode(id)));
    return Completion.done();
  }

  private void dropAll(Store store) {
    boolean more = true;
    while (more) {
      more = dropOne(store);
    }
    machine.world().runUntilIdle();
  }

  /** Drops the oldest named snapshot; false if there is none. */
  private boolean dropOne(Store store) {
    NamedSnapshots named = store.namedSnapshots();
    List<NamedSnapshot> all = machine.world().get(named::list).snapshots();
    if (all.isEmpty()) {
      return false;
    }
    NamedSnapshot oldest = all.getFirst();
    done(machine.world().await(port -> named.drop(oldest.name(), port)), "dropping " + oldest);
    return true;
  }

  private static void done(@Nullable Completion<Unit> completion, String what) {
    SimInspection.checkThat(
        completion instanceof Completion.Done<Unit>, what + " on a sound device: " + completion);
  }

  /** A disk that lied may have lost anything; but what is read is right. */
  private void afterLies() {
    machine.resetMemory();
    Completion<Store> opened = machine.open();
    if (!(opened instanceof Completion.Done<Store> done)) {
      SimInspection.checkCorrupt(opened);
      return;
    }
    Store store = done.value();
    inspect(store).compareAfterLies();
    store.verify(new VerifyOptions(/* readContent= */ true), (at, of) -> true, report -> {});
    machine.world().runUntilIdle();
    store.close(closed -> {});
    machine.world().runUntilIdle();
  }

  private SimInspection inspect(Store store) {
    return machine.inspect(store, model);
  }
}
