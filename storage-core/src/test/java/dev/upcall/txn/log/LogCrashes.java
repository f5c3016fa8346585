package dev.upcall.txn.log;

import dev.upcall.completion.Failure;
import dev.upcall.fsm.Faults;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import java.util.SplittableRandom;

/** The crash workloads of the log; each from one seed, each throws when a promise was broken. */
final class LogCrashes {
  private static final int RECORDS = 28;
  private static final int LIVES = 8;

  private LogCrashes() {}

  /**
   * Runs a workload, then again with the power cut at every step of the disk, and recovers from
   * several images of what may have survived.
   */
  static long everyStep(long seed, Faults faults, int images) {
    DiskImage fresh = LogWorkload.empty(seed);
    SimWorld whole = LogWorkload.machine(seed, fresh);
    start(whole, new LogWorkload.Model(), faults).run(RECORDS);
    long steps = whole.disk().steps();
    for (long step = 1; step <= steps; step++) {
      String where = "seed " + seed + ", crash at step " + step;
      try {
        crashAt(seed, fresh, step, faults, images);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(where + ": " + e.getMessage(), e);
      }
    }
    return steps;
  }

  /**
   * Runs a workload again and again with each request failing in turn: after a failure of the log
   * or a superblock nothing is acknowledged, everybody is told, and what was promised survives the
   * power, also after another process has looked.
   */
  static void everyFailure(long seed, Faults faults) {
    DiskImage fresh = LogWorkload.empty(seed);
    SimWorld whole = LogWorkload.machine(seed, fresh);
    start(whole, new LogWorkload.Model(), faults).run(RECORDS);
    long steps = whole.disk().steps();
    for (long step = 1; step <= steps; step++) {
      try {
        failAt(seed, fresh, step, faults);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ", failure at step " + step + ": " + e, e);
      }
    }
  }

  private static void failAt(long seed, DiskImage fresh, long step, Faults faults) {
    SimWorld world = LogWorkload.machine(seed, fresh);
    world.disk().setFaults(FaultPlan.NONE.withFailAt(step));
    LogWorkload.Model model = new LogWorkload.Model();
    LogWorkload workload;
    try {
      workload = start(world, model, faults);
    } catch (LogRecovery.Refused e) {
      return;
    }
    workload.run(RECORDS);
    boolean failed = workload.writer.state() == LogWriter.State.FAILED;
    if (!failed && workload.failedAppends > 0) {
      throw new AssertionError("failed appends without a failed log: " + workload.failedAppends);
    }
    world.dispatcher().turn(false);
    if (workload.logFailures.size() != (failed ? 1 : 0)) {
      throw new AssertionError("told of failures: " + workload.logFailures);
    }
    SimWorld next = world.crashAndReopen();
    LogRecovery.of(next, faults).judge(model.copy(), next.disk().contents());
    losePowerAfterKill(world, model, faults);
  }

  /** What the successor of a killed process has believed is promised, too. */
  private static void losePowerAfterKill(SimWorld world, LogWorkload.Model model, Faults faults) {
    SimWorld successor = world.killAndReopen();
    LogRecovery.of(successor, faults).judge(model, successor.disk().contents());
    SimWorld last = successor.crashAndReopen();
    LogRecovery.of(last, faults).judge(model, last.disk().contents());
  }

  private static void crashAt(long seed, DiskImage fresh, long step, Faults faults, int images) {
    SimWorld world = LogWorkload.machine(seed, fresh);
    world.disk().setFaults(FaultPlan.crashAt(step));
    LogWorkload.Model model = new LogWorkload.Model();
    try {
      start(world, model, faults).run(RECORDS);
    } catch (Crashed e) {
      // The power failed while opening: nothing was promised.
    }
    for (int i = 0; i < images; i++) {
      DiskImage image = world.disk().crashImage(world.random());
      judgeTwice(world, image, model.copy(), faults);
    }
  }

  private static void judgeTwice(
      SimWorld world, DiskImage image, LogWorkload.Model model, Faults faults) {
    SimWorld first = world.reopen(image);
    LogRecovery recovery = LogRecovery.of(first, faults);
    recovery.judge(model, first.disk().contents());
    SimWorld second = world.reopen(image);
    LogRecovery again = LogRecovery.of(second, faults);
    again.judge(model, second.disk().contents());
    if (!again.state().equals(recovery.state())) {
      throw new AssertionError("another state at the second recovery");
    }
  }

  /** Several lives of one volume, each ended by a crash at a random step, also of recovery. */
  static void manyLives(long seed, Faults faults) {
    SplittableRandom random = new SplittableRandom(seed);
    LogWorkload.Model model = new LogWorkload.Model();
    SimWorld world = LogWorkload.machine(seed, LogWorkload.empty(seed));
    for (int life = 0; life < LIVES; life++) {
      try {
        world.disk().setFaults(FaultPlan.crashAt(1 + random.nextInt(160)));
        try {
          start(world, model, faults).run(RECORDS);
        } catch (Crashed e) {
          // Also a life.
        }
        world = world.crashAndReopen();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ", life " + life + ": " + e.getMessage(), e);
      }
    }
    LogRecovery.of(world, faults).judge(model, world.disk().contents());
  }

  /**
   * A crash, and then one bit of the log decays before the highest mark: recovery either says so or
   * the bit did not matter.
   */
  static boolean rotten(long seed, Faults faults) {
    SplittableRandom random = new SplittableRandom(seed);
    LogWorkload.Model model = new LogWorkload.Model();
    SimWorld world = LogWorkload.machine(seed, LogWorkload.empty(seed));
    world.disk().setFaults(FaultPlan.crashAt(30 + random.nextInt(120)));
    start(world, model, faults).run(RECORDS);
    SimWorld next = world.crashAndReopen();
    DiskImage image = next.disk().contents().fork();
    LogRecovery healthy = LogRecovery.of(next, faults);
    long from = healthy.superblock().log().position();
    long mark = highestMark(image, healthy);
    if (mark == from) {
      return false;
    }
    long block = LogWorkload.LAYOUT.logBlock(from + random.nextLong(mark - from));
    image.flipBit(block, random.nextInt(4096 * 8));
    SimWorld damaged = world.reopen(image);
    try {
      LogRecovery.of(damaged, faults).judge(model, damaged.disk().contents());
      return false;
    } catch (LogRecovery.Refused e) {
      if (e.failure() instanceof Failure.Corrupt) {
        return true;
      }
      throw e;
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ", rotten block " + block + ": " + e, e);
    }
  }

  private static long highestMark(DiskImage image, LogRecovery healthy) {
    long mark = healthy.superblock().log().position();
    for (long at = mark; at < healthy.state().next().position(); ) {
      byte[] bytes = image.read(LogWorkload.LAYOUT.logBlock(at));
      BatchHeader head =
          BatchHeader.decode(
              java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN),
              LogWorkload.LAYOUT.maxBatchBlocks());
      if (head == null) {
        throw new AssertionError("no batch at " + at);
      }
      mark = Math.max(mark, head.mark());
      at += head.blocks();
    }
    return mark;
  }

  /** The power failed while the store was being opened. */
  private static final class Crashed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static LogWorkload start(SimWorld world, LogWorkload.Model model, Faults faults) {
    LogRecovery recovery;
    try {
      recovery = LogRecovery.of(world, faults);
    } catch (NullPointerException | MatchException e) {
      if (world.disk().crashed()) {
        throw new Crashed();
      }
      throw e;
    }
    recovery.judge(model, world.disk().contents());
    return new LogWorkload(world, model, recovery, faults);
  }
}
