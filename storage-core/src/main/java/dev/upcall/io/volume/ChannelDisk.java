package dev.upcall.io.volume;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.HelperThreads;
import dev.upcall.fsm.record.Stage;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskMeter;
import dev.upcall.io.DiskRequest;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A disk over {@code FileChannel} with a pool of threads: the fallback where there is no ring, and
 * what a system of 1999 had. Each request occupies a thread while it is served; requests beyond the
 * pool wait in the order of their submission. Completions come back to the dispatcher in batches.
 *
 * <p>How a request is served says {@link ChannelDevice}.
 */
final class ChannelDisk implements Disk {
  private final ChannelDevice device;
  private final Dispatcher dispatcher;
  private final HelperThreads pool;
  private final DiskLife life;
  private final DiskMeter meter;
  private final boolean isRotating;
  private final ConcurrentLinkedQueue<Served> served = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean drainPosted = new AtomicBoolean();

  /** A request that was served; with 0 if nobody asks when that began. */
  private record Served(
      DiskRequest request, Completion<Unit> completion, int ticket, long startedNanos) {}

  private ChannelDisk(OpenVolume volume, Dispatcher dispatcher, ChannelDevice device, int threads) {
    this.device = device;
    this.dispatcher = dispatcher;
    this.meter = new DiskMeter(dispatcher);
    this.isRotating = volume.access().rotating();
    this.pool = new HelperThreads("upcall-disk", threads);
    this.life =
        new DiskLife(dispatcher, volume, new DiskLife.Ends(this::drain, pool::end, device::close));
  }

  /** A disk over an open device of a volume; it owns both from now on. Owner's thread. */
  static ChannelDisk over(
      OpenVolume volume, Dispatcher dispatcher, ChannelDevice device, int threads) {
    dispatcher.checkOwner();
    return new ChannelDisk(volume, dispatcher, device, threads);
  }

  @Override
  public long sizeBlocks() {
    return life.sizeBlocks();
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public boolean isRotating() {
    return isRotating;
  }

  @Override
  public DiskCounters counters() {
    return meter.snapshot(pool.waiting());
  }

  @Override
  public void submit(DiskRequest request) {
    if (life.admit(request)) {
      int ticket = meter.begun(request);
      boolean measured = FlightRecorder.isMeasured(meter.asker(ticket));
      if (!pool.execute(() -> serve(request, ticket, measured))) {
        finished(request, Completion.failed(HelperThread.noThread("disk " + name())), ticket);
      }
    }
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    life.close(port);
  }

  /** Runs on a thread of the pool. */
  private void serve(DiskRequest request, int ticket, boolean measured) {
    long startedNanos = measured ? dispatcher.clock().monotonicNanos() : 0;
    Completion<Unit> completion = device.perform(request);
    served.add(new Served(request, completion, ticket, startedNanos));
    if (!drainPosted.getAndSet(true)) {
      HelperThread.handOver(dispatcher, this::deliver);
    }
  }

  /** At the dispatcher's end. */
  private void drain() {
    pool.drop();
  }

  /** Runs on the dispatcher's thread, as an upcall. */
  private void deliver() {
    drainPosted.set(false);
    for (Served one = served.poll(); one != null; one = served.poll()) {
      if (one.startedNanos() != 0) {
        long asker = meter.asker(one.ticket());
        dispatcher.recorder().stamp(asker, Stage.STARTED, one.startedNanos());
      }
      finished(one.request(), one.completion(), one.ticket());
    }
  }

  private void finished(DiskRequest request, Completion<Unit> completion, int ticket) {
    meter.complete(request, completion, ticket);
    life.left(request, completion instanceof Completion.Done);
  }
}
