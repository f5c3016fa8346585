package dev.upcall.io.volume;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskMeter;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import dev.upcall.io.Errno;
import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoOps;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A disk on the dispatcher's own io_uring: requests and completions of disk and sockets go through
 * one ring, on one thread.
 *
 * <p>A request takes a {@link RingSlot}; its index and generation are the kernel's tag, so a stale
 * completion is recognised and dropped. A slot is free only when its last completion has arrived,
 * and holds on to the buffers until then. When all slots are taken, requests wait in the order of
 * their submission. Requests are never linked to each other: a chain breaks silently where the
 * submission queue happens to be full.
 *
 * <p>What the ring cannot do on every kernel (truncate, growing where fallocate is not supported),
 * and looking at the file, runs on a helper thread.
 */
final class RingDisk implements Disk {
  /** Interruptions, refusals and transfers without progress in a row that are put up with. */
  private static final int RETRY_LIMIT = 1000;

  private final OpenVolume volume;
  private final Dispatcher dispatcher;
  private final NettyReactor reactor;
  private final ResultFilter filter;
  private final DiskLife life;
  private final DiskMeter meter;
  private final IoRegistration registration;
  private final RingSlot[] slots;
  private final int[] freeSlots;
  private final ArrayDeque<Parked> parked = new ArrayDeque<>();
  private final Runnable startingParked = this::startParked;
  private int freeCount;

  RingDisk(OpenVolume volume, Dispatcher dispatcher, NettyReactor reactor, Settings settings) {
    dispatcher.checkOwner();
    this.volume = volume;
    this.dispatcher = dispatcher;
    this.reactor = reactor;
    this.filter = settings.filter();
    this.meter = new DiskMeter(dispatcher);
    int count = settings.inFlightLimit();
    this.slots = new RingSlot[count];
    this.freeSlots = new int[count];
    for (int i = 0; i < count; i++) {
      slots[i] = new RingSlot(i, volume.fd());
      freeSlots[count - 1 - i] = i;
    }
    this.freeCount = count;
    reactor.start();
    this.registration = reactor.eventLoop().register(new Handle()).getNow();
    this.life =
        new DiskLife(
            dispatcher,
            volume,
            new DiskLife.Ends(this::drain, registration::cancel, volume::close));
  }

  /** A request that waits for a slot, and whom it serves. */
  private record Parked(DiskRequest request, long asker) {}

  /** What a test may change. */
  record Settings(int inFlightLimit, ResultFilter filter) {}

  @Override
  public long sizeBlocks() {
    return life.sizeBlocks();
  }

  @Override
  public String name() {
    return volume.name();
  }

  @Override
  public DiskKind kind() {
    return DiskKind.RING;
  }

  @Override
  public boolean isRotating() {
    return volume.access().rotating();
  }

  @Override
  public DiskCounters counters() {
    return meter.snapshot(parked.size());
  }

  @Override
  public void submit(DiskRequest request) {
    if (!life.admit(request)) {
      return;
    }
    if (request instanceof DiskRequest.Shrink shrink) {
      onHelper(request, meter.begun(request), () -> volume.truncate(shrink.blocks()));
    } else if (request instanceof DiskRequest.Stat) {
      int ticket = meter.begun(request);
      life.help(
          "stat of " + volume.name(),
          volume::presentBytes,
          bytes -> complete(request, life.looked(bytes), ticket));
    } else if (freeCount > 0) {
      start(request);
    } else {
      parked.addLast(new Parked(request, dispatcher.recorder().current()));
    }
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    life.close(port);
  }

  /** There is a free slot. */
  private void start(DiskRequest request) {
    RingSlot slot = slots[freeSlots[freeCount - 1]];
    slot.take(request);
    IoUringIoOps operation = slot.operation();
    slot.begun(meter.begun(request));
    freeCount--; // only now: these find no memory before, or have begun it
    reactor.requestQueued();
    if (request instanceof DiskRequest.DurableWrite) {
      reactor.durableWriteQueued(slot.totalBytes());
    }
    long asker = meter.asker(slot.ticket());
    if (FlightRecorder.isMeasured(asker)) {
      reactor.stampSubmission(asker);
    }
    registration.submit(operation);
  }

  /** Those who wait get the free slots; where the heap has no room for that, in a later upcall. */
  private void startParked() {
    FlightRecorder recorder = dispatcher.recorder();
    long before = recorder.current();
    try {
      while (freeCount > 0 && !parked.isEmpty()) {
        Parked next = parked.getFirst();
        recorder.serve(next.asker());
        start(next.request());
        parked.removeFirst();
      }
    } catch (OutOfMemoryError noRoom) {
      dispatcher.post(startingParked);
    } finally {
      recorder.serve(before);
    }
  }

  private void arrived(int tag, int kernelResult) {
    RingSlot slot = RingSlot.index(tag) < slots.length ? slots[RingSlot.index(tag)] : null;
    DiskRequest request = slot == null || slot.tag() != tag ? null : slot.request();
    if (slot == null || request == null) {
      // Late, of a request that is over: the slot may be another one's by now.
      return;
    }
    int result = filter.filter(request, kernelResult);
    if (result < 0) {
      failed(slot, request, -result);
    } else if (slot.advance(result)) {
      finish(slot, request, Completion.done());
    } else if (result == 0 || slot.countRetry() > RETRY_LIMIT) {
      finish(slot, request, Completion.failed(Errno.stuck(request, volume.name())));
    } else {
      registration.submit(slot.operation());
    }
  }

  private void failed(RingSlot slot, DiskRequest request, int errno) {
    if (Errno.isTransient(errno) && slot.countRetry() <= RETRY_LIMIT) {
      registration.submit(slot.operation());
    } else if (Errno.isUnsupported(errno) && request instanceof DiskRequest.Discard) {
      finish(slot, request, Completion.done());
    } else if (Errno.isUnsupported(errno) && request instanceof DiskRequest.Allocate allocate) {
      int ticket = slot.ticket();
      release(slot);
      onHelper(request, ticket, () -> volume.allocate(allocate.block(), allocate.blocks()));
    } else if (Errno.isFull(errno)) {
      int ticket = slot.ticket();
      release(slot);
      onHelper(request, ticket, () -> errno);
    } else {
      finish(slot, request, life.failure(request, errno));
    }
  }

  private void finish(RingSlot slot, DiskRequest request, Completion<Unit> completion) {
    int ticket = slot.ticket();
    release(slot);
    complete(request, completion, ticket);
  }

  private void complete(DiskRequest request, Completion<Unit> completion, int ticket) {
    meter.complete(request, completion, ticket);
    life.left(request, completion instanceof Completion.Done);
  }

  /** The slot's last completion has arrived. */
  private void release(RingSlot slot) {
    if (slot.request() instanceof DiskRequest.DurableWrite) {
      reactor.durableWriteEnded(
          slot.totalBytes(), dispatcher.clock().monotonicNanos() - meter.begunNanos(slot.ticket()));
    }
    slot.give();
    reactor.requestEnded();
    freeSlots[freeCount++] = slot.index();
  }

  private interface BlockingCall {
    /** Returns 0 or an errno. */
    int run();
  }

  private void onHelper(DiskRequest request, int ticket, BlockingCall call) {
    life.<Unit>help(
        DiskRules.operation(request) + " of " + volume.name(),
        () -> {
          int errno = call.run();
          return errno == 0 ? Completion.done() : life.failure(request, errno);
        },
        completion -> complete(request, completion, ticket));
  }

  /** At the dispatcher's end: the kernel must let go of the buffers before they are freed. */
  private void drain() {
    parked.clear();
    while (freeCount < slots.length) {
      reactor.awaitCompletions();
    }
  }

  /** The loop's end of the disk: an exception here would make the loop log and sleep. */
  private final class Handle implements IoUringIoHandle, Runnable {
    private @Nullable Throwable thrown;

    @Override
    public void handle(IoRegistration from, IoEvent event) {
      try {
        IoUringIoEvent arrival = (IoUringIoEvent) event;
        arrived((int) arrival.userData() & RingSlot.TAG_MASK, arrival.res());
        startParked();
      } catch (RuntimeException | OutOfMemoryError error) {
        thrown = error;
        dispatcher.post(this);
      }
    }

    /** The upcall of an arrival that failed. */
    @Override
    public void run() {
      switch (thrown) {
        case RuntimeException error -> throw error;
        case Error error -> throw error;
        case null, default -> {}
      }
    }

    @Override
    public void close() {
      int inFlight = slots.length - freeCount;
      Invariants.check(inFlight == 0, "the ring ends under requests in flight", inFlight);
    }
  }
}
