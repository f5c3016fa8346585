package dev.upcall.io.trace;

import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Asker;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.DiskRequest;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A device that tells of every request before it serves it: {@link TracedDisk} for threads. Who
 * asks is the thread. The sink is told by one thread at a time.
 */
public final class TracedDevice implements BlockDevice {
  private final BlockDevice device;
  private final Clock clock;
  private final TraceSink sink;
  private final ReentrantLock telling = new ReentrantLock();

  /** Tells a sink of what a device is asked for. */
  public TracedDevice(BlockDevice device, Clock clock, TraceSink sink) {
    this.device = device;
    this.clock = clock;
    this.sink = sink;
  }

  @Override
  public Completion<Unit> perform(DiskRequest request) {
    if (!(request instanceof DiskRequest.Stat)) {
      int asker = Asker.ofThread(Thread.currentThread());
      telling.lock();
      try {
        // Read inside: entries of a file are in the order of their times.
        sink.record(TraceEntry.of(clock.monotonicNanos(), request, asker));
      } finally {
        telling.unlock();
      }
    }
    return device.perform(request);
  }

  /** Looks at what the sink has, while nobody tells it anything. */
  <T> T whileQuiet(Supplier<T> look) {
    telling.lock();
    try {
      return look.get();
    } finally {
      telling.unlock();
    }
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
