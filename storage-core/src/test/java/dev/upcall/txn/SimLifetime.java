package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.Unit;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One simulated lifetime of a volume from one seed: format, then lives of a store that end by a
 * crash, a close or a failing device; after each, recovery (which may crash too), and what is found
 * is compared with the model.
 */
final class SimLifetime {
  private static final int LIVES = 4;
  private static final int ROTTEN_IMAGES = 3;
  private static final long FULL_AFTER_NANOS = 300_000_000;

  private final long seed;
  private final Canary canary;
  private final SplittableRandom random;
  private final SimPlan plan;
  private SimPlan memory;
  private final SimModel model;
  private final SimClients.SimStamps stamps = new SimClients.SimStamps();
  private final StringBuilder story = new StringBuilder();
  private final SimCounts counts;
  private SimWorld world;
  private long hash;
  private int answered;
  private long firstSteps;

  /** A lifetime that has not begun. */
  SimLifetime(long seed, Canary canary) {
    this(seed, canary, new SimCounts());
  }

  private SimLifetime(long seed, Canary canary, SimCounts counts) {
    this.seed = seed;
    this.counts = counts;
    this.canary = canary;
    this.random = new SplittableRandom(seed);
    this.plan = SimPlan.draw(random);
    this.memory = plan;
    this.model = new SimModel(plan.config().loss());
    this.world =
        new SimWorld(seed, plan.disk()).closesUnchecked("it crashes and recovers all the time");
  }

  private SimLifetime(SimLifetime before, SimModel model, SimWorld world) {
    this.seed = before.seed;
    this.counts = before.counts;
    this.canary = before.canary;
    this.random = new SplittableRandom(seed);
    this.plan = before.plan;
    this.memory = plan;
    this.model = model;
    this.world = world;
  }

  // In single steps, for tests that cut a life off where they want.

  void format() {
    plan.format(world);
  }

  /** The first life: the same requests each time, up to a step (0 for to the end). */
  void firstLife(long crashAtStep) {
    world
        .disk()
        .setFaults(FaultPlan.crashAt(crashAtStep == 0 ? 0 : world.disk().steps() + crashAtStep));
    long before = world.disk().steps();
    Completion<Store> opened = world.await(this::open);
    if (opened instanceof Completion.Done<Store> done) {
      SimHabits all =
          new SimHabits(new int[] {30, 8, 12, 10, 6, 10, 4, 4, 4, 12, 4}, 4, 8, 120_000, 30, 1000);
      SimClients clients =
          new SimClients(
              world, done.value(), model, all, random.split(), stamps, /* faulty= */ false);
      clients.start(60);
      world.runUntil(clients::isIdle);
    }
    firstSteps = world.disk().steps() - before;
  }

  /** How many steps the first life took. */
  long steps() {
    return firstSteps;
  }

  SimModel model() {
    return model;
  }

  DiskImage crashImage(SplittableRandom fate) {
    return world.disk().crashImage(fate);
  }

  /** The same volume on a machine whose disk holds an image. */
  SimLifetime on(DiskImage image, SimModel expected) {
    return new SimLifetime(this, expected, world.reopen(image));
  }

  SimLifetime named(String what) {
    tell(what);
    return this;
  }

  /** Recovers, compares, verifies; through one more crash if it comes. Whether it came. */
  boolean recoverAndCheck(FaultPlan faults) {
    try {
      world.disk().setFaults(faults);
      Completion<Store> opened = world.await(this::open);
      boolean crashed = world.disk().crashed();
      if (crashed) {
        reopen();
        opened = world.await(this::open);
      }
      world.disk().setFaults(FaultPlan.NONE);
      if (!(opened instanceof Completion.Done<Store> done)) {
        throw new AssertionError("recovery failed: " + opened);
      }
      inspect(done.value()).compare();
      inspect(done.value()).verify();
      return crashed;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(e + "\n" + plan + "\n" + story + recent(), e);
    }
  }

  private void open(CompletionPort<Store> port) {
    Stores.open(
        world.dispatcher(),
        SimPlan.scheduled(canary.disk(world), world),
        memory.options(random.split()),
        completion -> {
          if (completion instanceof Completion.Done<Store> done) {
            canary.inject(done.value());
          }
          port.complete(completion);
        });
  }

  /**
   * What a lifetime was.
   *
   * @param hash over everything that the device was asked
   * @param answered how many requests were answered
   */
  record Outcome(long hash, int answered) {}

  /** Runs a lifetime; fails with the seed in the message. */
  static Outcome run(long seed) {
    return run(seed, Canary.SOUND, new SimCounts());
  }

  /** Runs a lifetime of a store that may be broken on purpose, and adds what it was made of. */
  static Outcome run(long seed, Canary canary, SimCounts counts) {
    SimLifetime lifetime = new SimLifetime(seed, canary, counts);
    try {
      Outcome outcome = lifetime.run();
      counts.machineEnded(lifetime.world);
      counts.lifetimeEnded(outcome.answered());
      return outcome;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed %d: %s%n%s%nreplay: %s%n%s%s"
              .formatted(
                  seed, e, lifetime.plan, canary.replay(seed), lifetime.story, lifetime.recent()),
          e);
    }
  }

  private Outcome run() {
    plan.format(world);
    for (int life = 0; life < LIVES; life++) {
      Store store = recover();
      inspect(store).compare();
      if (random.nextBoolean()) {
        inspect(store).verify();
      }
      if (!live(store)) {
        afterLies();
        return new Outcome(hash * 31 + world.disk().traceHash(), answered);
      }
    }
    Store store = recover();
    inspect(store).compare();
    inspect(store).verify();
    close(store);
    rot();
    return new Outcome(hash * 31 + world.disk().traceHash(), answered);
  }

  /** The last moves of the machines. */
  private String recent() {
    List<FlightRecorder.Entry> recent = world.dispatcher().recorder().recent();
    StringBuilder lines = new StringBuilder();
    for (FlightRecorder.Entry entry :
        recent.subList(Math.max(0, recent.size() - 40), recent.size())) {
      lines.append("    ").append(entry).append('\n');
    }
    return lines.toString();
  }

  private void tell(String what) {
    story.append("  step ").append(world.disk().steps()).append(": ").append(what).append('\n');
  }

  /** Opens the store, through crashes of the recovery itself. */
  private Store recover() {
    if (random.nextInt(3) == 0) {
      memory = plan.withMemory(SimPlan.drawMemory(random));
    }
    while (true) {
      if (random.nextInt(4) == 0) {
        world.disk().setFaults(FaultPlan.crashAt(1 + random.nextInt(80)));
      }
      tell("open");
      Completion<Store> opened = world.await(this::open);
      if (opened instanceof Completion.Done<Store> done && !world.disk().crashed()) {
        world.disk().setFaults(FaultPlan.NONE);
        return done.value();
      }
      if (opened instanceof Completion.Failed<Store>(Failure.Invalid tooLittle) && memory != plan) {
        tell("too little memory: " + tooLittle.message());
        memory = plan;
        reopen();
        continue;
      }
      if (opened instanceof Completion.Failed<Store> failed) {
        throw new AssertionError("recovery failed: " + failed.failure().message());
      }
      tell("crash in recovery");
      reopen();
    }
  }

  private void reopen() {
    world.disk().crash();
    restart(world.disk().crashImage(random));
  }

  private void restart(DiskImage image) {
    hash = hash * 31 + world.disk().traceHash();
    counts.machineEnded(world);
    world = world.reopen(image);
  }

  /** One life: requests, and an end. False if nothing certain is known of the volume any more. */
  private boolean live(Store store) {
    SimDraw draw =
        canary != Canary.SOUND && random.nextInt(4) != 0 ? SimDraw.CRASH : SimDraw.of(random);
    world.disk().setFaults(draw.faults(world.disk().steps(), random, plan));
    if (draw == SimDraw.FULL_DEVICE) {
      world.reactor().after(random.nextLong(FULL_AFTER_NANOS), this::deviceFull);
    }
    tell("life: " + draw);
    SimClients clients =
        new SimClients(world, store, model, plan.habits(), random.split(), stamps, draw.isFaulty());
    clients.start(20 + random.nextInt(150));
    boolean alive = world.runUntil(clients::isIdle);
    answered += clients.answered();
    if (alive && random.nextInt(3) == 0) {
      tell("close");
      clients.closing();
      int applied = model.applied();
      Completion<Unit> closed = world.await(store::close);
      if (closed instanceof Completion.Done<Unit>) {
        model.require(applied);
      } else if (closed instanceof Completion.Failed<Unit> failed
          && !draw.isFaulty()
          && !(failed.failure() instanceof Failure.VolumeFull)) {
        throw new AssertionError("close failed: " + failed.failure().message());
      }
    }
    tell(world.disk().crashed() ? "crash" : "end");
    reopen();
    return draw != SimDraw.LIES;
  }

  /** Somebody else has filled the device; later there is room again. */
  private void deviceFull() {
    world.disk().setCapacity(world.disk().sizeBlocks());
    if (random.nextBoolean()) {
      world
          .reactor()
          .after(
              random.nextLong(FULL_AFTER_NANOS),
              () -> world.disk().setCapacity(plan.disk().capacityBlocks()));
    }
  }

  /** A disk that lied may have lost anything; but what is read is right. */
  private void afterLies() {
    memory = plan;
    Completion<Store> opened = world.await(this::open);
    if (!(opened instanceof Completion.Done<Store> done)) {
      SimInspection.checkCorrupt(opened);
      return;
    }
    Store store = done.value();
    inspect(store).compareWhatIsLeft();
    store.verify(new VerifyOptions(/* readContent= */ true), (at, of) -> true, report -> {});
    world.runUntilIdle();
    store.close(closed -> {});
    world.runUntilIdle();
  }

  /** The volume again, with one bit of one block decayed: all is right or said to be corrupt. */
  private void rot() {
    memory = plan;
    List<Long> blocks = new ArrayList<>();
    world.disk().contents().forEachWritten(blocks::add);
    DiskImage image = world.disk().contents().fork();
    for (int i = 0; i < ROTTEN_IMAGES; i++) {
      long block = blocks.get(random.nextInt(blocks.size()));
      DiskImage rotten = image.fork();
      rotten.flipBit(block, random.nextInt(8 * Disk.BLOCK_BYTES));
      restart(rotten);
      tell("block " + block + " decayed");
      Completion<Store> opened = world.await(this::open);
      if (opened instanceof Completion.Done<Store> done) {
        checkRotten(done.value(), block);
      } else {
        SimInspection.checkCorrupt(opened);
        SimInspection.checkThat(!isSuperblock(block), "one superblock copy of four decayed");
      }
    }
  }

  private boolean isSuperblock(long block) {
    for (int copy = 0; copy < 4; copy++) {
      if (plan.layout().superblock(copy) == block) {
        return true;
      }
    }
    return false;
  }

  /** Metadata has two copies, so at most the content of one file is lost, and that is said. */
  private void checkRotten(Store store, long block) {
    int lost = inspect(store).lostFiles();
    SimInspection.checkThat(lost <= 1, lost + " files lost by one decayed block");
    SimInspection.checkThat(
        lost == 0 || block >= plan.layout().dataStart(), "a file lost by a fixed block");
    store.close(closed -> {});
    world.runUntilIdle();
  }

  private void close(Store store) {
    Completion<Unit> closed = world.await(store::close);
    if (closed instanceof Completion.Failed<Unit> failed
        && !(failed.failure() instanceof Failure.VolumeFull)) {
      throw new AssertionError("close failed: " + failed.failure().message());
    }
  }

  private SimInspection inspect(Store store) {
    return new SimInspection(world, store, model);
  }
}
