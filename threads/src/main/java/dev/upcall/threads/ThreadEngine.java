package dev.upcall.threads;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.buffer.BufferConfig;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.ReadOnlyDevice;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.Overlay;
import dev.upcall.space.Extent;
import dev.upcall.threads.log.GroupCommitLog;
import dev.upcall.threads.log.LogVolume;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.StoreAssembly;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.state.SharedEngine;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What the threads share with the machines of the same state: memory, log, and who still reads. */
final class ThreadEngine implements SharedEngine {
  private final BlockDevice device;
  private final FramePool pool;
  private final SharedPins pins;
  private @Nullable Dispatcher dispatcher;
  private @Nullable GroupCommitLog log;

  /**
   * An engine.
   *
   * @param options its limits, what decodes, and whether the volume is left as it is
   */
  ThreadEngine(StoreOptions options, BlockDevice volume, Clock clock) {
    this.device =
        options.readOnly()
            ? new ReadOnlyDevice(volume)
            : new EpochDevice(volume, clock, this::endLog);
    BufferConfig memory = StoreAssembly.memoryOfThreads(options.config());
    this.pool =
        new FramePool(
            memory, StoreAssembly.replacementOfThreads(memory), device, options.codecs(), clock);
    this.pins = new SharedPins();
  }

  /** Says who runs the machines. Before anything else. */
  void runsOn(Dispatcher machines) {
    dispatcher = machines;
  }

  /**
   * Nobody makes room any more in the log, writes back, or collects. Does nothing to a log that has
   * ended, as it has unless the machines died.
   */
  void machinesEnded() {
    endLog(new Failure.Device("keeping the store in order", "the thread that did it died"));
  }

  private void endLog(Failure why) {
    GroupCommitLog present = log;
    if (present != null) {
      present.failElsewhere(why);
    }
  }

  /** The volume, as all of the engine must use it. */
  BlockDevice device() {
    return device;
  }

  FramePool pool() {
    return pool;
  }

  SharedPins pins() {
    return pins;
  }

  GroupCommitLog commitLog() {
    return Invariants.present(log, "the log");
  }

  /** Why nothing may be changed, or null. */
  @Nullable Failure readOnly() {
    return commitLog().readOnlyReason();
  }

  @Override
  public CommitLog log(LogStart start, LogListener listener) {
    GroupCommitLog made =
        new GroupCommitLog(
            start.config(),
            new LogVolume(
                device,
                start.layout(),
                start.volumeId(),
                Invariants.present(dispatcher, "the dispatcher")),
            start.state(),
            start.incarnation(),
            listener);
    log = made;
    return made;
  }

  @Override
  public Overlay.Part adopt(Overlay.Part part) {
    if (part.lease() instanceof PoolFrame frame) {
      frame.retain();
      return part;
    }
    if (part.blocks() > ContentReader.CHUNK_BLOCKS) {
      throw new IllegalStateException("unplaced content in a run of " + part.blocks());
    }
    PoolFrame frame = pool.allocateNow(part.blocks());
    ByteBuffer from = part.lease().buffer();
    frame
        .buffer()
        .put(
            0,
            from,
            from.position() + part.leaseBlock() * Disk.BLOCK_BYTES,
            part.blocks() * Disk.BLOCK_BYTES);
    return new Overlay.Part(part.block(), part.blocks(), frame, 0);
  }

  @Override
  public long horizon(long scn) {
    return pins.horizon(scn);
  }

  @Override
  public void forget(Extent extent) {
    pool.forget(extent);
  }
}
