package dev.upcall.sim;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.record.Stage;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskMeter;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A device in memory with service times, completion order and faults from a seed, that can say what
 * it may hold after a crash at any moment.
 *
 * <p>Stricter than a real one where that finds errors: buffers that are being read into hold
 * rubbish until the completion, a buffer that changes while it is being written stops the test, and
 * so do two writes, punches or cuts in flight that touch the same block. What was allocated and
 * never written has no room any more when the machine starts again.
 */
public final class SimDisk implements Disk {
  private static final int STRAGGLER_FACTOR = 100;

  /** So long after a process was killed its direct writes were seen to land. */
  private static final long MOST_LATE_NANOS = 50_000_000;

  private final SimDiskConfig config;
  private final Dispatcher dispatcher;
  private final SimReactor reactor;
  private final SplittableRandom random;
  private final CrashModel model;
  private final DiskMeter meter;
  private final Faults faults;
  private final DeviceRoom room;
  private final ServiceTime service;
  private long requests;
  private int inFlight;
  private long traceHash;
  private boolean crashed;
  private boolean closing;
  private final List<CompletionPort<Unit>> closePorts = new ArrayList<>();
  private @Nullable CloseImages closeImages;
  private boolean unchecked;
  private @Nullable Failure taken;
  private @Nullable Failure lost;
  private long lateUntilNanos;

  /**
   * Puts a device into a world.
   *
   * @param model what it holds, and what is in flight to it
   */
  public SimDisk(
      SimDiskConfig config,
      Dispatcher dispatcher,
      SimReactor reactor,
      SplittableRandom random,
      CrashModel model) {
    this.config = config;
    this.dispatcher = dispatcher;
    this.reactor = reactor;
    this.random = random;
    this.model = model;
    this.meter = new DiskMeter(dispatcher);
    this.faults = new Faults(random);
    this.room = new DeviceRoom(config.capacityBlocks(), model, faults);
    this.service = config.service().start(reactor, dispatcher.clock(), random);
  }

  /** The machine was off: what was never written has no room any more, even if it was allocated. */
  void forgetRoom() {
    room.forget();
  }

  /** What it holds, and what is in flight to it. */
  CrashModel model() {
    return model;
  }

  /**
   * What a machine had submitted that was killed happens at some moments of the next 50 ms, in
   * whatever order, and punching a hole waits for it.
   */
  void landLate() {
    for (CrashModel.Effect effect : model.inFlight()) {
      long nanos = random.nextLong(MOST_LATE_NANOS);
      lateUntilNanos = Math.max(lateUntilNanos, dispatcher.clock().monotonicNanos() + nanos);
      reactor.after(
          nanos,
          () -> {
            if (!crashed) {
              model.complete(effect);
            }
          });
    }
  }

  /** Whether writes of a machine that was killed are still to land. */
  public boolean isLate() {
    return lateNanos() > 0;
  }

  private long lateNanos() {
    return lateUntilNanos - dispatcher.clock().monotonicNanos();
  }

  /** The machine hangs: what it has submitted happens all the same. Then that is the contents. */
  public DiskImage land() {
    model.land();
    return model.current().fork();
  }

  /** Another machine has written the device while this one hung. */
  public void writtenElsewhere(DiskImage image) {
    model.replace(image);
    room.forget();
  }

  /** Replaces the fault plan; steps go on being counted from the disk's birth. */
  public void setFaults(FaultPlan plan) {
    faults.follow(plan);
  }

  /** A block cannot be read any more until it is written, or other faults are planned. */
  public void breakBlock(long block) {
    faults.breakBlock(block);
  }

  /** Lets the device be filled, or emptied, by somebody else. */
  public void setCapacity(long blocks) {
    room.setCapacity(blocks);
  }

  /** What the volume takes on the device: its size without its holes. */
  public long roomBlocks() {
    return room.usedBlocks();
  }

  /** How many submissions and completions there were. */
  public long steps() {
    return faults.steps();
  }

  /** Somebody removes the file: its bytes stay as long as it is open. */
  public void remove() {
    taken = DiskRules.removed(name());
    faults.struck(FaultKind.REMOVED);
  }

  /** Somebody cuts the file: from that block on there is nothing, until something is written. */
  public void cut(long toBlocks) {
    taken = DiskRules.cut(name(), toBlocks * BLOCK_BYTES, sizeBlocks());
    model.lose(toBlocks, sizeBlocks() - toBlocks);
    faults.struck(FaultKind.CUT);
  }

  /** Whether a {@link DiskRequest.Stat} has found that the file was removed or cut. */
  public boolean isKnownLost() {
    return lost != null;
  }

  /** How many syncs were submitted. */
  public long syncs() {
    return faults.syncs();
  }

  /** How many requests needed room on the device: allocations, and writes into holes. */
  public long roomRequests() {
    return faults.roomRequests();
  }

  /** Whether a request has failed that a sound device would have served. */
  public boolean hasFailed() {
    return faults.hasFailed();
  }

  /** How often each kind of fault has struck. */
  public Map<FaultKind, Long> faultCounts() {
    return faults.counts();
  }

  /** How many requests were submitted. */
  public long requests() {
    return requests;
  }

  /** How many requests have not completed. */
  public int inFlight() {
    return inFlight;
  }

  /** A hash over all requests with times and contents, to compare runs. */
  public long traceHash() {
    return traceHash;
  }

  /** Whether the machine has died. */
  public boolean crashed() {
    return crashed;
  }

  /** The machine dies now: nothing completes any more. */
  public void crash() {
    crashed = true;
  }

  /** One of the images that the device may hold after losing power now. */
  public DiskImage crashImage(SplittableRandom fate) {
    return model.crashImage(fate);
  }

  /** The contents as requests see them, to look at or to damage. */
  public DiskImage contents() {
    return model.current();
  }

  @Override
  public long sizeBlocks() {
    return model.current().sizeBlocks();
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public boolean isRotating() {
    return service.isRotating();
  }

  @Override
  public DiskCounters counters() {
    return meter.snapshot(/* waiting= */ 0);
  }

  @Override
  public void submit(DiskRequest request) {
    dispatcher.checkOwner();
    DiskRules.check(request);
    if (crashed) {
      return;
    }
    if (closing) {
      dispatcher.complete(request.port(), Completion.failed(new Failure.Closed(name())));
      return;
    }
    Failure gone = lost;
    if (gone != null && !DiskRules.changesNothing(request)) {
      dispatcher.complete(request.port(), Completion.failed(gone));
      return;
    }
    requests++;
    inFlight++;
    dispatcher.recorder().stamp(Stage.STARTED);
    Started started = new Started(request);
    step();
    service.serve(request, nanos -> disturbed(request, nanos), () -> finish(started));
  }

  private long disturbed(DiskRequest request, long nanos) {
    long late = request instanceof DiskRequest.Discard ? Math.max(0, lateNanos()) : 0;
    return faults.straggles() ? (nanos + late) * STRAGGLER_FACTOR : nanos + late;
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    closePorts.add(port);
    if (!closing && !crashed) {
      closing = true;
      checkCrashes();
    }
    completeClose();
  }

  private void checkCrashes() {
    CloseImages images = closeImages;
    if (images != null) {
      images.check();
    } else {
      Invariants.check(
          unchecked, "closing a disk is a crash test: SimWorld.whenDiskCloses or closesUnchecked");
    }
  }

  /**
   * When the disk is told to close, before anything in flight has completed, images are checked.
   */
  void setAtClose(CloseImages images) {
    closeImages = images;
  }

  /** Closing checks nothing. */
  void closesUnchecked() {
    unchecked = true;
    closeImages = null;
  }

  boolean isUnchecked() {
    return unchecked;
  }

  /** A request between submission and completion. */
  private final class Started {
    private final DiskRequest request;
    private final @Nullable Failure failure;
    private final List<ByteBuffer> buffers;
    private final CrashModel.@Nullable Effect effect;
    private final boolean writes;
    private final byte[][] written;
    private final boolean fails;
    private final boolean durable;
    private final long syncPoint;
    private final int ticket;

    Started(DiskRequest request) {
      this.request = request;
      this.ticket = meter.begun(request);
      Failure outside = DiskRules.outOfRange(request, sizeBlocks());
      this.failure = outside == null ? room.take(request) : outside;
      this.buffers = BlockBytes.duplicates(request);
      this.durable = request instanceof DiskRequest.DurableWrite;
      this.fails = faults.fails(request);
      this.syncPoint = model.syncPoint();
      this.writes = request instanceof DiskRequest.Write || durable;
      this.written = writes ? BlockBytes.of(buffers) : new byte[0][];
      this.effect = failure == null ? effectOf(request, written) : null;
      if (effect != null) {
        long block = request.firstBlock();
        Invariants.check(
            request instanceof DiskRequest.Allocate || !model.inFlight(block, changed(request)),
            "two changes in flight to the same blocks, the second at",
            block);
        model.begin(effect);
      }
      if (request instanceof DiskRequest.Read) {
        BlockBytes.poison(buffers);
      }
      hash(request);
    }
  }

  /** How many blocks a request may change, from its first one on. */
  private long changed(DiskRequest request) {
    return request instanceof DiskRequest.Shrink shrink
        ? sizeBlocks() - shrink.blocks()
        : request.blocks();
  }

  private void finish(Started started) {
    if (crashed) {
      return;
    }
    Completion<Unit> completion = outcome(started);
    step();
    if (crashed) {
      return;
    }
    inFlight--;
    meter.ended(started.request, completion, started.ticket);
    started.request.port().complete(completion);
    completeClose();
  }

  private Completion<Unit> outcome(Started started) {
    DiskRequest request = started.request;
    if (started.failure != null) {
      return Completion.failed(started.failure);
    }
    if (started.writes) {
      checkUnchanged(started);
    }
    if (started.fails) {
      fail(started);
      return Completion.failed(
          new Failure.Device(DiskRules.operation(request), "Input/output error (simulated)"));
    }
    if (request instanceof DiskRequest.Stat) {
      lost = taken;
      return taken == null ? Completion.done() : Completion.failed(taken);
    }
    if (request instanceof DiskRequest.Read read) {
      read(read.block(), started.buffers);
    } else if (request instanceof DiskRequest.Sync) {
      model.sync(started.syncPoint);
    } else if (started.effect != null && started.writes) {
      write(started, started.effect);
    } else if (started.effect != null) {
      model.complete(started.effect);
    }
    return Completion.done();
  }

  private void fail(Started started) {
    if (started.request instanceof DiskRequest.Sync) {
      model.failSync(started.syncPoint);
    } else if (started.effect != null && started.writes) {
      model.completeTorn(started.effect, random);
    } else if (started.effect != null) {
      model.cancel(started.effect);
    }
  }

  private void write(Started started, CrashModel.Effect effect) {
    long block = started.request.firstBlock();
    long blocks = started.written.length;
    if (faults.losesWrite(block, blocks)) {
      model.cancel(effect);
      return;
    }
    if (faults.misdirects(block, blocks)) {
      model.cancel(effect);
      long other = faults.astray(blocks, sizeBlocks());
      CrashModel.Effect astray = CrashModel.Effect.write(other, started.written);
      model.begin(astray);
      model.complete(astray);
      return;
    }
    if (started.durable) {
      model.completeDurably(effect);
    } else {
      model.complete(effect);
    }
  }

  private void read(long block, List<ByteBuffer> into) {
    long blocks = DiskRules.lengthBytes(into) / BLOCK_BYTES;
    if (faults.rots(block, blocks)) {
      model.current().flipBit(block + random.nextLong(blocks), random.nextInt(BLOCK_BYTES * 8));
    }
    BlockBytes.read(model.current(), block, into);
  }

  private void checkUnchanged(Started started) {
    byte[][] now = BlockBytes.of(started.buffers);
    for (int i = 0; i < now.length; i++) {
      Invariants.check(
          java.util.Arrays.equals(now[i], started.written[i]),
          "a buffer changed while it was being written, block",
          started.request.firstBlock() + i);
    }
  }

  private CrashModel.@Nullable Effect effectOf(DiskRequest request, byte[][] written) {
    return switch (request) {
      case DiskRequest.Read read -> null;
      case DiskRequest.Sync _, DiskRequest.Stat _ -> null;
      case DiskRequest.Write write -> CrashModel.Effect.write(write.block(), written.clone());
      case DiskRequest.DurableWrite write ->
          CrashModel.Effect.write(write.block(), written.clone());
      case DiskRequest.Allocate allocate -> {
        long end = allocate.block() + allocate.blocks();
        yield end > sizeBlocks() ? CrashModel.Effect.grow(end) : null;
      }
      case DiskRequest.Discard discard ->
          CrashModel.Effect.discard(discard.block(), discard.blocks());
      case DiskRequest.Shrink shrink -> CrashModel.Effect.cut(shrink.blocks());
    };
  }

  private void step() {
    if (faults.crashesNow()) {
      crashed = true;
    }
    CloseImages images = closeImages;
    if (images != null) {
      images.step();
    }
  }

  private void hash(DiskRequest request) {
    long mixed = traceHash;
    mixed = mixed * 31 + DiskRules.operation(request).hashCode();
    mixed = mixed * 31 + request.firstBlock();
    mixed = mixed * 31 + request.blocks();
    mixed = mixed * 31 + dispatcher.clock().monotonicNanos();
    traceHash = mixed * 0x9E3779B97F4A7C15L;
  }

  private void completeClose() {
    if (closing && inFlight == 0 && !crashed) {
      for (CompletionPort<Unit> port : closePorts) {
        dispatcher.complete(port, Completion.done());
      }
      closePorts.clear();
    }
  }
}
