package dev.upcall.threads;

import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.txn.volume.Epoch;
import dev.upcall.txn.volume.EpochGuard;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * What {@link EpochGuard} is to machines: whoever is about to write when the last look is too old
 * looks, and the others wait for him. Any thread. Closing it closes the device.
 */
final class EpochDevice implements BlockDevice {
  private final BlockDevice device;
  private final Clock clock;
  private final Consumer<Failure> overtaken;
  private final ReentrantLock lock = new ReentrantLock();

  /** Only with the lock. */
  private final Epoch epoch;

  /** What a look reads, with the lock. */
  private final ByteBuffer block = Disk.newBuffer(Disk.BLOCK_BYTES);

  /**
   * In front of a device.
   *
   * @param overtaken hears of it, on the thread that has found it
   */
  EpochDevice(BlockDevice device, Clock clock, Consumer<Failure> overtaken) {
    this.device = device;
    this.clock = clock;
    this.overtaken = overtaken;
    this.epoch = new Epoch(device.name(), Faults.NONE);
  }

  @Override
  public Completion<Unit> perform(DiskRequest request) {
    if (request instanceof DiskRequest.Read) {
      return device.perform(request);
    }
    boolean found = false;
    Failure why;
    lock.lock();
    try {
      long now = clock.monotonicNanos();
      if (epoch.isLookDue(request, now)) {
        for (int number = 1; !look(now) && number < Epoch.MOST_LOOKS; number++) {
          now = clock.monotonicNanos();
        }
        now = clock.monotonicNanos();
        found = epoch.overtaken() != null;
      }
      why = epoch.overtaken();
      if (why == null) {
        epoch.passes(request, now);
      }
    } finally {
      lock.unlock();
    }
    if (why == null) {
      return device.perform(request);
    }
    if (found) {
      overtaken.accept(why);
    }
    return Completion.failed(why);
  }

  /** Whether the look says something. */
  private boolean look(long nowNanos) {
    boolean isSeen = false;
    for (int copy : Epoch.LOOKED_AT) {
      block.clear();
      DiskRequest read = new DiskRequest.Read(copy, List.of(block), IoClass.LOG, completion -> {});
      if (device.perform(read) instanceof Completion.Done<Unit>) {
        isSeen = true;
        epoch.saw(block, copy);
      }
    }
    return epoch.looked(nowNanos, isSeen, clock.monotonicNanos());
  }

  @Override
  public long sizeBlocks() {
    return device.sizeBlocks();
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public void close() {
    device.close();
  }
}
