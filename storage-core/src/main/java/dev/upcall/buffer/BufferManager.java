package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.replacement.ReplacementPolicy;
import dev.upcall.coding.Coding;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.door.HandOver;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap memory for content under one byte budget: a cache of the volume's blocks, and frames to
 * be filled.
 *
 * <p>Content is named by its address on the volume; the checksums that it must have come with each
 * request, and content that does not match is never handed out. A frame holds 1 to 16 consecutive
 * blocks, contiguous in memory. What may be evicted is clean content that nobody holds.
 *
 * <p>All methods are called on the dispatcher's thread; {@link Lease#release} may be called on any.
 * Completions come through the dispatcher's FIFO, never inside the call.
 *
 * <p>Requests that need memory while too much is held wait in a bounded queue, first come first
 * served; when it is full they get {@code Busy}. A read takes all its memory at once or none. But
 * callers that hold leases and wait for more may wait for each other, until the time in the queue
 * ends and the first of them gets {@code Busy}: take what you need in one request, or give up what
 * you hold.
 */
public final class BufferManager implements AutoCloseable {
  private final BufferConfig config;
  private final Dispatcher dispatcher;
  private final SlabMemory memory;
  private final FrameCache cache;
  private final Coding coding;
  private final Faults faults;
  private final Loader loader;
  private final MemoryQueue queue;
  private final Ledger ledger = new Ledger();
  private final HandOver<FrameLease> returns;
  private Consumer<Extent> forgotten = extent -> {};
  private @Nullable CompletionPort<Unit> closePort;
  private boolean closed;
  private long forgets;
  private long hits;
  private long misses;
  private long prefetches;
  private long prefetchesDropped;

  /**
   * The parts that a manager works with.
   *
   * @param disk the volume
   * @param policy a fresh policy, made for {@link BufferConfig#capacityBlocks}
   * @param coding what decodes units, and where
   */
  public record Parts(Disk disk, ReplacementPolicy policy, Coding coding) {}

  /**
   * A manager with an empty cache.
   *
   * @param parts what it works with
   * @param faults in which ways it is broken on purpose
   * @throws IllegalArgumentException when the budget is larger than the JVM's direct memory
   */
  public BufferManager(BufferConfig config, Dispatcher dispatcher, Parts parts, Faults faults) {
    this.config = config;
    this.dispatcher = dispatcher;
    this.coding = parts.coding();
    this.faults = faults;
    long jvmLimitBytes = JvmMemory.directLimitBytes();
    this.memory = new SlabMemory(config, jvmLimitBytes);
    this.queue = new MemoryQueue(dispatcher, config.maxWaiting());
    MemoryGrowth growth = new MemoryGrowth(dispatcher, memory, config, jvmLimitBytes);
    this.cache = new FrameCache(dispatcher, memory, growth, parts.policy(), queue::memoryMayBeFree);
    this.loader =
        new Loader(
            new Loader.Parts(dispatcher, parts.disk(), memory, cache, coding, faults),
            this::loadsEnded);
    this.returns = new HandOver<>(dispatcher, FrameLease::releaseHere);
  }

  /** Says who can make room in memory: told, in an upcall to come, when a request has to wait. */
  public void onPressure(Runnable upcall) {
    queue.onPressure(upcall);
  }

  /** Says who else keeps something of content, and must forget it too. */
  public void onForget(Consumer<Extent> upcall) {
    forgotten = upcall;
  }

  /** The codecs of units, and the threads that run them. */
  public Coding coding() {
    return coding;
  }

  /** How many blocks the memory holds. */
  public int capacityBlocks() {
    return memory.capacityBlocks();
  }

  /**
   * The way of a hit: as many blocks as one frame in memory has from the first on; null if it is in
   * none (which is no error and changes nothing; then {@link #read} finds out). Costs no completion
   * and no checksum.
   *
   * @param mostBlocks no more of them
   */
  public @Nullable Lease pin(long block, int mostBlocks, LeaseOwner owner) {
    checkOpen();
    Frame frame = cache.find(block);
    if (frame == null || !frame.is(Frame.State.VALID)) {
      return null;
    }
    hits++;
    cache.touch(frame);
    cache.pin(frame);
    int blocks = (int) Math.min(mostBlocks, frame.end() - block);
    return lease(new Piece(frame, (int) (block - frame.firstBlock()), blocks), owner, origin());
  }

  /**
   * The content of a run: from memory what is there, from disk what is not, joining loads that are
   * in flight. Every block that comes from disk is compared with its checksum.
   *
   * <p>Completes with leases that cover the run in order, each a part of one frame. Failures:
   * {@code Corrupt}, {@code Device}, {@code Conflict} (the blocks were forgotten during the read
   * and did not match any more), {@code Busy} (too many wait for memory), {@code TooLarge} (the run
   * is larger than the whole budget), {@code Closed}. With a failure no lease is handed out.
   */
  public void read(
      BlockRun run, IoClass ioClass, LeaseOwner owner, CompletionPort<List<Lease>> port) {
    if (refused(run.blocks(), memory.capacityBlocks(), port)) {
      return;
    }
    new ReadRequest(this, run, owner, port).begin(ioClass);
  }

  /**
   * Begins to load what is missing of a run. May do nothing, or only a part: it holds nothing for
   * anybody, and takes no memory for which others wait.
   *
   * @param ioClass whether somebody is about to wait for it, or it is read ahead
   * @return how many blocks, from the first on, are on their way or in memory
   */
  public int prefetch(BlockRun run, IoClass ioClass) {
    dispatcher.checkOwner();
    if (closed) {
      return 0;
    }
    List<Frame> claimed = new ArrayList<>();
    boolean dropped = false;
    long block = run.firstBlock();
    while (block < run.end() && !dropped) {
      Frame frame = cache.find(block);
      if (frame == null) {
        frame = mayPrefetch(claimed, run) ? cache.claimFor(run, block) : null;
        if (frame == null) {
          dropped = true;
          break;
        }
        claimed.add(frame);
      }
      block = frame.end();
    }
    if (dropped) {
      prefetchesDropped++;
    }
    if (!claimed.isEmpty()) {
      prefetches++;
      loader.start(run, claimed, ioClass);
    }
    return (int) (Math.min(block, run.end()) - run.firstBlock());
  }

  /**
   * A fresh frame to be filled, 1 to 16 blocks, contiguous; its bytes are whatever they were.
   * Waits, first come first served, as long as too much is held. Failures: {@code Busy}, {@code
   * TooLarge}, {@code Closed}.
   */
  public void allocate(int blocks, LeaseOwner owner, CompletionPort<Lease> port) {
    if (refused(blocks, BufferConfig.MAX_FRAME_BLOCKS, port)) {
      return;
    }
    AllocateRequest request = new AllocateRequest(this, blocks, owner, port);
    if (!queue.isEmpty() || !request.serve()) {
      queue.park(request);
    }
  }

  /** As {@link #allocate} if that need not wait, else null. */
  public @Nullable Lease tryAllocate(int blocks, LeaseOwner owner) {
    checkOpen();
    Invariants.check(
        blocks > 0 && blocks <= BufferConfig.MAX_FRAME_BLOCKS, "frame of a wrong size", blocks);
    return queue.isEmpty() ? claimPrivate(blocks, owner, origin()) : null;
  }

  /**
   * The whole of an allocated frame is now the clean content of these blocks on disk: it can be
   * found, and evicted once it is released. Nobody may write to it any more.
   */
  void publish(Lease lease, long firstBlock) {
    publish(lease, firstBlock, lease.blocks());
  }

  /** As {@link #publish(Lease, long)}, with the checksums of the content, which are known. */
  void publish(Lease lease, BlockRun run) {
    publish(lease, run.firstBlock(), run.blocks());
    cache.verified(((FrameLease) lease).frame, run);
  }

  /**
   * As {@link #publish(Lease, long)} for the first {@code blocks} blocks of the frame; the memory
   * of the others is given back at once and is no part of the lease any more.
   */
  void publish(Lease lease, long firstBlock, int blocks) {
    checkOpen();
    if (!(lease instanceof FrameLease own)) {
      throw new IllegalArgumentException("publishing a lease that is none of ours: " + lease);
    }
    Invariants.check(own.isOut(), "publishing a released lease", own);
    Invariants.check(blocks > 0 && blocks <= own.blocks(), "publishing too much", blocks);
    cache.publish(own.frame, firstBlock, blocks);
    own.shrink(blocks);
  }

  /** Whether it is broken on purpose in this way. */
  public boolean isBroken(BufferFault fault) {
    return faults.has(fault);
  }

  /**
   * These blocks were freed. Their content is never found again; who holds it keeps it. Reads that
   * are under way get what was there when they began, or {@code Conflict}. A read that begins later
   * is taken to want what is there then, so nobody may ask with the checksums of the old content
   * any more. Costs a look-up for each MiB of the extent, the dropping of each frame, and a look at
   * each request that waits for memory.
   */
  public void forget(Extent extent) {
    dispatcher.checkOwner();
    if (closed) {
      return;
    }
    forgets++;
    cache.forget(extent);
    if (!faults.has(BufferFault.DECODED_NOT_FORGOTTEN)) {
      cache.forgetDecoded(extent);
    }
    queue.forgotten(extent);
    forgotten.accept(extent);
  }

  /**
   * Whether the disk is reading any of these blocks into memory: a freed extent must not be used
   * again before that has ended.
   */
  public boolean isReading(Extent extent) {
    dispatcher.checkOwner();
    return loader.isReading(extent);
  }

  /** Whether a request waits for memory. */
  public boolean isWaitedFor() {
    return !queue.isEmpty();
  }

  /** From which other threads may copy. */
  public SharedFrames shared() {
    return cache.shared();
  }

  /** Who holds which leases now. */
  LedgerSnapshot ledger() {
    dispatcher.checkOwner();
    return ledger.snapshot(dispatcher.upcallNanos());
  }

  /** Images of tree pages beside the content. */
  public PageImages pageImages() {
    return new PageImages(this, cache.shared());
  }

  /** What has been done so far, and where things stand. */
  public BufferCounters counters() {
    dispatcher.checkOwner();
    return new BufferCounters(
        hits,
        misses,
        cache.evictions(),
        loader.loads(),
        bytes(loader.loadedBlocks()),
        loader.failed(),
        loader.corruptFrames(),
        prefetches,
        prefetchesDropped,
        queue.parked(),
        queue.refused(),
        bytes(memory.capacityBlocks()),
        memory.allocatedBytes(),
        bytes(memory.usedBlocks()),
        bytes(memory.busyBlocks()),
        bytes(cache.privateBlocks()),
        queue.size(),
        ledger.size(),
        coding.meter().counters());
  }

  /**
   * Refuses new work, refuses what waits, lets loads come to their end and completes. Throws then
   * if a lease is still out, naming the holders: they have to be gone before.
   */
  public void close(CompletionPort<Unit> port) {
    checkOpen();
    closePort = port;
    refuseWork();
    if (loader.isIdle()) {
      loadsEnded();
    }
  }

  /**
   * As {@link #close(CompletionPort)}, at once: loads that are in flight end by themselves.
   *
   * @throws Invariants.Violation when a lease is out, naming the holders
   */
  @Override
  public void close() {
    checkOpen();
    refuseWork();
    checkNoLeases();
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  SlabMemory memory() {
    return memory;
  }

  FrameCache cache() {
    return cache;
  }

  Loader loader() {
    return loader;
  }

  MemoryQueue queue() {
    return queue;
  }

  HandOver<FrameLease> returns() {
    return returns;
  }

  /** Whether they may take memory now. */
  boolean keepsPageImages() {
    return config.pageImages() && !closed;
  }

  boolean isClosed() {
    return closed;
  }

  /** The place where a lease was asked for, if the configuration wants it remembered. */
  @Nullable Throwable origin() {
    return config.traceOrigins() ? new Throwable("asked for here") : null;
  }

  /** Turns a pin that the caller holds into a lease. */
  FrameLease lease(Piece piece, LeaseOwner owner, @Nullable Throwable origin) {
    cache.share(piece.frame());
    FrameLease lease = new FrameLease(this, piece, owner, dispatcher.upcallNanos(), origin);
    ledger.enter(lease);
    return lease;
  }

  @Nullable Lease claimPrivate(int blocks, LeaseOwner owner, @Nullable Throwable origin) {
    Frame frame = cache.claim(blocks);
    if (frame == null) {
      return null;
    }
    cache.makePrivate(frame);
    return lease(Piece.whole(frame), owner, origin);
  }

  /** The last reference to a lease was given up. */
  void take(FrameLease lease) {
    lease.letGo();
    ledger.strike(lease);
    cache.unpin(lease.frame);
  }

  /** How often something was forgotten: a read that looks twice must know. */
  long forgets() {
    return forgets;
  }

  void countRead(boolean hit) {
    if (hit) {
      hits++;
    } else {
      misses++;
    }
  }

  private <T> boolean refused(int blocks, int limitBlocks, CompletionPort<T> port) {
    dispatcher.checkOwner();
    Failure why = null;
    if (closed) {
      why = new Failure.Closed("buffer manager");
    } else if (blocks > limitBlocks) {
      why = new Failure.TooLarge("request for buffer memory", bytes(blocks), bytes(limitBlocks));
    }
    if (why == null) {
      return false;
    }
    dispatcher.complete(port, Completion.failed(why));
    return true;
  }

  private boolean mayPrefetch(List<Frame> claimed, BlockRun run) {
    int ahead = loader.blocksInFlight();
    for (Frame frame : claimed) {
      ahead += frame.blocks();
    }
    return queue.isEmpty()
        && ahead + Math.min(run.blocks(), BufferConfig.MAX_FRAME_BLOCKS)
            <= config.maxPrefetchBlocks();
  }

  private void refuseWork() {
    closed = true;
    returns.takeAll();
    queue.refuseAll(new Failure.Closed("buffer manager"));
  }

  private void loadsEnded() {
    CompletionPort<Unit> port = closePort;
    if (port != null) {
      closePort = null;
      // Behind the completions that are in the FIFO, and the releases that they cause.
      dispatcher.post(
          () -> {
            returns.takeAll();
            checkNoLeases();
            port.complete(Completion.done());
          });
    }
  }

  private void checkNoLeases() {
    if (ledger.size() > 0) {
      Invariants.check(false, "buffer manager closed with leases out", ledger().print());
    }
  }

  private void checkOpen() {
    dispatcher.checkOwner();
    Invariants.check(!closed, "buffer manager used after it was closed");
  }

  private static long bytes(long blocks) {
    return blocks * Disk.BLOCK_BYTES;
  }
}
