package dev.upcall.txn.log;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.VolumeFormatter;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A formatted volume with an open log, to be driven by hand. */
final class LogRig implements LogListener {
  final SimWorld world;
  final Superblock superblock;
  final LogWriter writer;
  final List<Long> acknowledged = new ArrayList<>();
  final List<Failure> refused = new ArrayList<>();
  final List<Failure> failures = new ArrayList<>();
  int checkpointsWanted;
  private long scn;

  LogRig(int logBlocks, LogConfig config) {
    this(logBlocks, config, Faults.NONE);
  }

  LogRig(int logBlocks, LogConfig config, Faults faults) {
    // Its second lap: all of the ring is prepared.
    this(fresh(logBlocks, new LogPoint(logBlocks, 0, 0, 0)), config, faults);
  }

  /** With a ring that nobody has written yet. */
  static LogRig onFirstLap(int logBlocks) {
    return new LogRig(fresh(logBlocks, LogPoint.ORIGIN), LogConfig.DEFAULT, Faults.NONE);
  }

  private LogRig(SimWorld world, LogConfig config, Faults faults) {
    this.world = world;
    LogRecovery recovery = LogRecovery.of(world, Faults.NONE);
    superblock = recovery.superblock();
    scn = recovery.state().lastScn();
    writer =
        new LogWriter(
            config,
            LogWorkload.environment(world, superblock, faults),
            recovery.state(),
            world.random().nextLong(),
            this);
  }

  private static SimWorld fresh(int logBlocks, LogPoint start) {
    SimWorld world = new SimWorld(logBlocks, SimDiskConfig.ofBlocks(logBlocks + 300));
    VolumeLayout layout = new VolumeLayout(logBlocks, 512, logBlocks + 300);
    Superblock first =
        new Superblock(
            99,
            1,
            0,
            start,
            List.of(),
            0,
            0,
            layout,
            layout.maxBlocks(),
            layout.maxBlocks(),
            1,
            /* features= */ 0);
    world.<Unit>get(
        port -> new VolumeFormatter(world.dispatcher(), world.disk(), first).start(port));
    return world;
  }

  /** The next life, after the power failed. */
  LogRig crash(LogConfig config) {
    return new LogRig(world.crashAndReopen(), config, Faults.NONE);
  }

  long append(int bytes, NamedExtent... named) {
    return append(bytes, writer::append, named);
  }

  /** The same of a record that nobody waits for. */
  long appendAtLeisure(int bytes, NamedExtent... named) {
    return append(bytes, writer::appendAtLeisure, named);
  }

  private interface Way {
    void append(long scn, ByteBuffer record, List<NamedExtent> named, CompletionPort<Unit> durable);
  }

  private long append(int bytes, Way way, NamedExtent... named) {
    byte[] record = new byte[bytes];
    Arrays.fill(record, (byte) ++scn);
    long mine = scn;
    way.append(
        mine,
        ByteBuffer.wrap(record),
        List.of(named),
        completion -> {
          switch (completion) {
            case Completion.Done<Unit> done -> acknowledged.add(mine);
            case Completion.Failed<Unit>(Failure failure) -> refused.add(failure);
          }
        });
    return mine;
  }

  /** Writes blocks of zeros, not synced, and names them. */
  NamedExtent written(long blocks) {
    long at = superblock.layout().dataStart();
    ByteBuffer zeros = Disk.newBuffer((int) blocks * Disk.BLOCK_BYTES);
    world.io(port -> new DiskRequest.Write(at, List.of(zeros), IoClass.FOREGROUND_WRITE, port));
    int[] crcs = new int[(int) blocks];
    Arrays.fill(crcs, dev.upcall.base.Checksums.crc32c(new byte[Disk.BLOCK_BYTES]));
    return new NamedExtent(new Extent(at, blocks), crcs);
  }

  /** Runs until this SCN is acknowledged. */
  void untilDurable(long wanted) {
    world.runUntil(() -> writer.durableScn() >= wanted);
    world.dispatcher().turn(false);
  }

  @Override
  public void checkpointWanted() {
    checkpointsWanted++;
  }

  @Override
  public void logFailed(Failure failure) {
    failures.add(failure);
  }
}
