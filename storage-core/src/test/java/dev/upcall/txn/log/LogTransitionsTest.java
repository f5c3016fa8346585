package dev.upcall.txn.log;

import dev.upcall.base.Checksums;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.SuperblockReading;
import dev.upcall.txn.volume.SuperblockWriting;
import dev.upcall.txn.volume.VolumeFormatter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every declared transition of the package's machines happens in some run. */
class LogTransitionsTest {
  private static final Transitions<?>[] MACHINES = {
    LogWriter.TRANSITIONS,
    LogPreparation.TRANSITIONS,
    LogScan.TRANSITIONS,
    SuperblockReading.TRANSITIONS,
    SuperblockWriting.TRANSITIONS,
    VolumeFormatter.TRANSITIONS
  };

  private final TransitionCoverage coverage = new TransitionCoverage();

  private void note(SimWorld world) {
    coverage.add(world.dispatcher().recorder());
  }

  /** Runs something without a fault, and again with a failure at each step. */
  private void withEveryFailure(DiskImage start, Consumer<SimWorld> run) {
    long steps = Long.MAX_VALUE;
    for (long step = 0; step <= steps; step++) {
      SimWorld world = new SimWorld(9, SimDiskConfig.ofBlocks(0).withCapacity(4096)).reopen(start);
      world.disk().setFaults(FaultPlan.NONE.withFailAt(step));
      try {
        run.accept(world);
      } catch (LogRecovery.Refused e) {
        // The failure was told, as it should be.
      }
      note(world);
      if (step == 0) {
        steps = world.disk().steps();
      }
    }
  }

  @Test
  void allHappen() {
    withEveryFailure(new DiskImage(0), LogTransitionsTest::format);
    DiskImage volume = LogWorkload.formatted(3);
    withEveryFailure(volume, LogTransitionsTest::life);
    DiskImage frontDamaged = volume.fork();
    frontDamaged.flipBit(0, 100);
    frontDamaged.flipBit(1, 100);
    withEveryFailure(frontDamaged, LogTransitionsTest::recover);
    DiskImage backDamaged = volume.fork();
    backDamaged.flipBit(LogWorkload.LAYOUT.superblock(2), 100);
    withEveryFailure(backDamaged, LogTransitionsTest::recover);
    DiskImage allDamaged = frontDamaged.fork();
    allDamaged.flipBit(LogWorkload.LAYOUT.superblock(2), 100);
    allDamaged.flipBit(LogWorkload.LAYOUT.superblock(3), 100);
    withEveryFailure(allDamaged, LogTransitionsTest::recover);
    withEveryFailure(newer(volume, 0), LogTransitionsTest::recover);
    withEveryFailure(newer(volume, 3), LogTransitionsTest::recover);
    withEveryFailure(new DiskImage(1), LogTransitionsTest::recover);
    withEveryFailure(new DiskImage(64), LogTransitionsTest::recover);
    logs();
    coverage.assertAllTaken(MACHINES);
  }

  /** A copy is of a format that is not known. */
  private static DiskImage newer(DiskImage volume, int copy) {
    DiskImage newer = volume.fork();
    long at = LogWorkload.LAYOUT.superblock(copy);
    ByteBuffer block = ByteBuffer.wrap(newer.read(at)).order(ByteOrder.LITTLE_ENDIAN);
    block.putInt(16, Superblock.FORMAT_VERSION + 1);
    block.putInt(4, Checksums.crc32c(block, 8, Disk.BLOCK_BYTES - 8));
    newer.put(at, block.array());
    return newer;
  }

  @Test
  void pagesAreFresh() {
    StateMachineDocs.check(MACHINES);
  }

  private void logs() {
    LogRig small = new LogRig(64, LogConfig.DEFAULT);
    small.untilDurable(small.append(10));
    small.untilDurable(small.append(10, small.written(2)));
    DiskImage named = small.world.disk().contents().fork();
    withEveryFailure(named, LogTransitionsTest::recover);
    DiskImage rotten = named.fork();
    rotten.flipBit(small.superblock.layout().logBlock(0), 8 * 130);
    withEveryFailure(rotten, LogTransitionsTest::recover);
    small.world.runUntilIdle();
    small.writer.failElsewhere(new Failure.Device("sync", "of a checkpoint"));
    note(small.world);
    LogRig large = new LogRig(8 * 300, LogConfig.DEFAULT);
    large.untilDurable(large.append(large.writer.maxRecordBytes()));
    large.untilDurable(large.append(large.writer.maxRecordBytes()));
    withEveryFailure(large.world.disk().contents().fork(), LogTransitionsTest::recover);
  }

  private static void format(SimWorld world) {
    Superblock first = LogWorkload.firstSuperblock(1);
    world.<Unit>await(
        port -> new VolumeFormatter(world.dispatcher(), world.disk(), first).start(port));
  }

  private static void recover(SimWorld world) {
    LogRecovery.of(world, Faults.NONE);
  }

  private static void life(SimWorld world) {
    LogWorkload.Model model = new LogWorkload.Model();
    LogRecovery recovery = LogRecovery.of(world, Faults.NONE);
    LogWorkload workload = new LogWorkload(world, model, recovery, Faults.NONE);
    workload.run(40);
    world.<Unit>await(workload.writer::close);
    LogRecovery.of(world, Faults.NONE);
  }
}
