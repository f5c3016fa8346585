package dev.upcall.sim;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.io.DiskRequest;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One machine from one seed: clock, reactor, dispatcher and disk. A crash gives a new machine with
 * the same clock and a disk that holds what may have survived.
 */
public final class SimWorld {
  /** Turns after which a run that should end is taken for one that does not. */
  public static final int TURN_LIMIT = 400_000;

  /**
   * Turns after which machines are taken to chase each other, if no time passes in them and nobody
   * outside is answered.
   */
  private static final int STANDSTILL_TURNS = 2000;

  /** Many machines are made: each has a small recorder. */
  private static final DispatcherConfig CONFIG = DispatcherConfig.defaults().withRecordsKept(4096);

  private final long seed;
  private final SimDiskConfig config;
  private final SplittableRandom random;
  private final SimClock clock;
  private final SimReactor reactor;
  private final Dispatcher dispatcher;
  private final SimDisk disk;
  private boolean answered;
  private @Nullable Consumer<SimWorld> closeCheck;
  private @Nullable SimTap tap;

  private SimWorld(
      long seed, SimDiskConfig config, SplittableRandom random, SimClock clock, CrashModel model) {
    this.seed = seed;
    this.config = config;
    this.random = random;
    this.clock = clock;
    this.reactor = new SimReactor(clock);
    this.dispatcher = new Dispatcher(clock, reactor, CONFIG);
    this.dispatcher.adopt();
    this.disk = new SimDisk(config, dispatcher, reactor, random.split(), model);
  }

  /** A machine with a new, empty disk. */
  public SimWorld(long seed, SimDiskConfig config) {
    this(
        seed,
        config,
        new SplittableRandom(seed),
        new SimClock(),
        holding(config, new DiskImage(config.sizeBlocks())));
  }

  private static CrashModel holding(SimDiskConfig config, DiskImage image) {
    return new CrashModel(image, config.sectorBytes());
  }

  /** A machine with a disk of so many blocks that holds zeros. */
  public static SimWorld ofBlocks(long seed, long blocks) {
    return new SimWorld(seed, SimDiskConfig.ofBlocks(blocks));
  }

  /**
   * From now on closing the disk is also a crash test: what the disk may hold if the machine dies
   * at the moment of closing, and at a few moments between now and then, is opened in new worlds
   * with clocks of their own and handed to the check, which recovers from it and looks at
   * everything. What follows in this world is the same with and without. Holds for the machines
   * that come after a crash or {@link #reopen}, too, and replaces an earlier check.
   */
  public void whenDiskCloses(Consumer<SimWorld> check) {
    closeCheck = check;
    disk.setAtClose(new CloseImages(disk, seed, image -> check.accept(survivor(image))));
  }

  /**
   * Closing the disk is no crash test here.
   *
   * @param why for the reader
   */
  public SimWorld closesUnchecked(String why) {
    Invariants.check(!why.isBlank(), "closing a disk without a crash test needs a reason");
    closeCheck = null;
    disk.closesUnchecked();
    return this;
  }

  private SimWorld survivor(DiskImage image) {
    SimWorld world =
        new SimWorld(
            seed, config, new SplittableRandom(seed), new SimClock(), holding(config, image));
    world.disk.forgetRoom();
    return world.closesUnchecked("this is the crash test");
  }

  /**
   * From now on the tap gets all that this machine records, and those that come after it by a crash
   * or {@link #reopen}. Of one that goes on when the next is there, no more is taken.
   */
  public void tappedBy(SimTap by) {
    tap = by;
    by.started(dispatcher);
  }

  /** Where all chance of this machine came from. */
  public long seed() {
    return seed;
  }

  /** Chance for the workload; split it. */
  public SplittableRandom random() {
    return random;
  }

  /** The machine's time. */
  public SimClock clock() {
    return clock;
  }

  /** The machine's events. */
  public SimReactor reactor() {
    return reactor;
  }

  /** The machine's only thread. */
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  /** The machine's disk. */
  public SimDisk disk() {
    return disk;
  }

  /**
   * Turns until the condition holds (true) or the disk has crashed (false).
   *
   * @throws AssertionError if nothing can happen any more, or too much happened
   */
  public boolean runUntil(BooleanSupplier condition) {
    long sinceNanos = clock.monotonicNanos();
    int since = 0;
    for (int turn = 0; turn < TURN_LIMIT; turn++) {
      if (condition.getAsBoolean()) {
        return true;
      }
      if (answered || clock.monotonicNanos() != sinceNanos) {
        sinceNanos = clock.monotonicNanos();
        since = turn;
        answered = false;
      } else if (turn - since > STANDSTILL_TURNS) {
        throw new AssertionError("busy for ever while no time passes; seed " + seed);
      }
      if (disk.crashed()) {
        return false;
      }
      turn();
      if (reactor.stalled() && !condition.getAsBoolean()) {
        throw new AssertionError("nothing left to happen, and not finished; seed " + seed);
      }
    }
    throw new AssertionError("not finished after " + TURN_LIMIT + " turns; seed " + seed);
  }

  private void turn() {
    dispatcher.turn(true);
    SimTap by = tap;
    if (by != null) {
      by.turned();
    }
  }

  /** A client was answered: whoever is busy while no time passes gets something done. */
  public void answered() {
    answered = true;
  }

  /** Turns until nothing can happen any more, or the disk has crashed. */
  public void runUntilIdle() {
    for (int turn = 0; turn < TURN_LIMIT; turn++) {
      if (disk.crashed()) {
        return;
      }
      turn();
      if (reactor.stalled()) {
        return;
      }
    }
    throw new AssertionError("still busy after " + TURN_LIMIT + " turns; seed " + seed);
  }

  /**
   * Makes a request and turns until it has completed.
   *
   * @return its completion; null if the disk crashed first
   */
  public <T> @Nullable Completion<T> await(Consumer<CompletionPort<T>> request) {
    Await<T> port = new Await<>();
    request.accept(port);
    return runUntil(() -> port.completion != null) ? port.completion : null;
  }

  /** Submits a request made with the given port to the disk, and turns until it has completed. */
  public @Nullable Completion<Unit> io(
      java.util.function.Function<CompletionPort<Unit>, DiskRequest> request) {
    return await(port -> disk.submit(request.apply(port)));
  }

  /** As {@link #await}, and fails unless it is done. */
  public <T> T get(Consumer<CompletionPort<T>> request) {
    Completion<T> completion = await(request);
    if (completion instanceof Completion.Done<T> done) {
      return done.value();
    }
    throw new AssertionError("got " + completion + "; seed " + seed);
  }

  /**
   * The machine dies now, whatever it is doing, and a new one starts with a disk that holds one of
   * the images that may have survived. No faults are planned for it.
   */
  public SimWorld crashAndReopen() {
    disk.crash();
    return reopen(disk.crashImage(random));
  }

  /** A new machine at the same time whose disk holds the image. No faults are planned for it. */
  public SimWorld reopen(DiskImage image) {
    return reopen(holding(config, image));
  }

  /**
   * The process is killed, and another one starts on the same machine: the disk keeps all that has
   * completed, and what was in flight comes late. No faults are planned for it.
   */
  public SimWorld killAndReopen() {
    disk.crash();
    SimWorld next = reopen(disk.model());
    next.disk.landLate();
    return next;
  }

  private SimWorld reopen(CrashModel model) {
    SimWorld next = new SimWorld(seed, config, random.split(), clock, model);
    next.disk.forgetRoom();
    Consumer<SimWorld> check = closeCheck;
    if (check != null) {
      next.whenDiskCloses(check);
    } else if (disk.isUnchecked()) {
      next.disk.closesUnchecked();
    }
    SimTap by = tap;
    if (by != null) {
      next.tappedBy(by);
    }
    return next;
  }

  private static final class Await<T> implements CompletionPort<T> {
    private @Nullable Completion<T> completion;

    @Override
    public void complete(Completion<T> result) {
      if (completion != null) {
        throw new AssertionError("completed twice: " + completion + ", " + result);
      }
      completion = result;
    }
  }
}
