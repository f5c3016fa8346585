package dev.upcall.threads;

import dev.upcall.base.Checksums;
import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.buffer.BlockRun;
import dev.upcall.buffer.BufferConfig;
import dev.upcall.buffer.SlabMemory;
import dev.upcall.buffer.replacement.ReplacementPolicy;
import dev.upcall.coding.Codecs;
import dev.upcall.coding.StoredUnit;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.record.Stage;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.locks.LockOrder;
import dev.upcall.locks.LockRank;
import dev.upcall.locks.LockWait;
import dev.upcall.locks.MeteredLock;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Memory for content, shared by all threads: frames of 1 to 16 blocks, found by the address of
 * their first block in a striped map. A hit is a look into the map and a pin, without any lock. A
 * miss makes a frame, puts it where others find it, and reads on its own thread while they wait at
 * the frame's latch. Content from disk is compared with its checksums before anybody sees it.
 *
 * <p>What leaves is the replacement policy's to say, which hears of no hit: it is asked for a
 * victim, and what was used since it last was a candidate cannot be one.
 */
final class FramePool {
  private static final long MEMORY_POLL_NANOS = 1_000_000;
  private static final long MEMORY_WAIT_NANOS = 5_000_000_000L;
  private static final int VICTIMS = 64;
  private static final int MAX_FRAME_BLOCKS = BufferConfig.MAX_FRAME_BLOCKS;

  /** So many stored units are in memory at once, beside the frames; one more waits. */
  private static final int UNITS_AT_ONCE = 8;

  private final BlockDevice device;
  private final Codecs codecs;
  private final TransferBuffers unitMemory =
      new TransferBuffers(UNITS_AT_ONCE, (StoredUnit.MAX_BLOCKS - 1) * Disk.BLOCK_BYTES);
  private final Clock clock;
  private final CallStages stages;

  /** Whether there ever were decoded blocks, which have addresses of their own. */
  private volatile boolean decodes;

  private final ConcurrentHashMap<Long, PoolFrame> index = new ConcurrentHashMap<>();

  /** Guards everything below. */
  private final MeteredLock lock;

  private final Condition freed;
  private final SlabMemory memory;
  private final @Nullable PoolFrame[] frames;
  private final ReplacementPolicy policy;

  FramePool(
      BufferConfig config,
      ReplacementPolicy policy,
      BlockDevice device,
      Codecs codecs,
      Clock clock) {
    this.device = device;
    this.codecs = codecs;
    this.clock = clock;
    this.stages = new CallStages(clock);
    this.lock = new MeteredLock(LockRank.MEMORY, clock);
    this.freed = lock.newCondition();
    this.memory = new SlabMemory(config);
    this.policy = policy;
    this.frames = new PoolFrame[memory.capacityBlocks()];
  }

  /** Where the calls that look for content spend their time. */
  CallStages stages() {
    return stages;
  }

  LockWait waited() {
    return lock.waited();
  }

  /**
   * The content of a run of at most 16 blocks, pinned: from memory, or read on this thread, which
   * holds no lock. Failures: {@code Corrupt}, {@code Device}, {@code Busy} (all memory is held).
   */
  Completion<PoolFrame> get(BlockRun run) {
    while (true) {
      PoolFrame found = index.get(run.firstBlock());
      if (found == null) {
        PoolFrame made = allocate(run.blocks());
        if (made == null) {
          return Completion.failed(new Failure.Busy("memory for content"));
        }
        made.place(run.firstBlock());
        if (index.putIfAbsent(run.firstBlock(), made) == null) {
          return load(made, run);
        }
        discard(made);
      } else if (found.tryPin()) {
        if (found.blocks() < run.blocks()) {
          // Somebody has read less from here on.
          hide(found);
          found.release();
          continue;
        }
        if (!found.isLoaded()) {
          stages.stamp(Stage.REQUESTED);
        }
        Failure failure = found.awaitLoaded();
        stages.stamp(Stage.FOUND);
        if (failure != null) {
          found.release();
          return Completion.failed(failure);
        }
        found.touch();
        return Completion.done(found);
      } else {
        index.remove(run.firstBlock(), found);
      }
    }
  }

  private Completion<PoolFrame> load(PoolFrame frame, BlockRun run) {
    Failure failure = new Failure.Device("reading " + device.name(), "the reading thread failed");
    try {
      assert LockOrder.holdsNone();
      StoredUnit unit = run.unit();
      failure =
          unit == null
              ? read(run.firstBlock(), run.crcs(), run.crcOffset(), frame.buffer())
              : decode(unit, frame.buffer());
    } finally {
      if (failure == null) {
        list(frame);
      } else {
        hide(frame);
      }
      frame.settle(failure);
      if (failure != null) {
        frame.release();
      }
    }
    return failure == null ? Completion.done(frame) : Completion.failed(failure);
  }

  /** Reads blocks and compares them with their checksums, of which the first is at an index. */
  private @Nullable Failure read(long first, int[] crcs, int crcOffset, ByteBuffer bytes) {
    stages.stamp(Stage.REQUESTED);
    Completion<Unit> read =
        device.perform(
            new DiskRequest.Read(first, List.of(bytes), IoClass.FOREGROUND_READ, ignored -> {}));
    stages.stamp(Stage.FINISHED);
    if (read instanceof Completion.Failed<Unit> failed) {
      return failed.failure();
    }
    for (int i = 0; i < bytes.capacity() / Disk.BLOCK_BYTES; i++) {
      long block = first + i;
      int expected = crcs[crcOffset + i];
      int found = Checksums.crc32c(bytes, i * Disk.BLOCK_BYTES, Disk.BLOCK_BYTES);
      if (found != expected) {
        return new Failure.Corrupt(
            device.name(),
            "content",
            block * Disk.BLOCK_BYTES,
            Integer.toUnsignedLong(expected),
            Integer.toUnsignedLong(found));
      }
    }
    return null;
  }

  /** Reads what is stored of a unit, and decodes it on this thread. */
  private @Nullable Failure decode(StoredUnit unit, ByteBuffer into) {
    decodes = true;
    ByteBuffer memory = unitMemory.take();
    try {
      ByteBuffer stored = memory.slice(0, unit.checksums().length * Disk.BLOCK_BYTES);
      Failure failure = read(unit.extent().block(), unit.checksums(), 0, stored);
      return failure == null
              && codecs.decode(unit, device.name(), stored, into)
                  instanceof Completion.Failed<Unit>(Failure why)
          ? why
          : failure;
    } finally {
      unitMemory.giveBack(memory);
    }
  }

  /** A private frame with one pin, to be filled; waits for memory a while, null if in vain. */
  @Nullable PoolFrame allocate(int blocks) {
    long begunNanos = clock.monotonicNanos();
    boolean interrupted = false;
    lock.lock();
    try {
      while (true) {
        PoolFrame frame = claim(blocks);
        if (frame != null) {
          return frame;
        }
        if (clock.monotonicNanos() - begunNanos > MEMORY_WAIT_NANOS) {
          return null;
        }
        try {
          // Pins are given back without a word here, so look again after a while in any case.
          freed.awaitNanos(MEMORY_POLL_NANOS);
        } catch (InterruptedException during) {
          interrupted = true;
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** As {@link #allocate} without waiting: from elsewhere if all memory is held. */
  PoolFrame allocateNow(int blocks) {
    lock.lock();
    try {
      PoolFrame frame = claim(blocks);
      if (frame != null) {
        return frame;
      }
    } finally {
      lock.unlock();
    }
    return new PoolFrame(
        this, PoolFrame.UNPOOLED, blocks, Disk.newBuffer(blocks * Disk.BLOCK_BYTES));
  }

  /** A private frame is the clean content of an address from now on. */
  void publish(PoolFrame frame, long firstBlock) {
    if (frame.page() == PoolFrame.UNPOOLED) {
      return;
    }
    forget(new Extent(firstBlock, frame.blocks()));
    frame.settle(null);
    frame.place(firstBlock);
    index.put(firstBlock, frame);
    list(frame);
  }

  /** Frames of these blocks are not found any more; a holder keeps its frame. */
  void forget(Extent extent) {
    forgetAt(extent);
    if (decodes) {
      forgetAt(StoredUnit.decoded(extent));
    }
  }

  private void forgetAt(Extent extent) {
    if (extent.blocks() > index.size()) {
      for (PoolFrame frame : index.values()) {
        forget(frame, extent);
      }
      return;
    }
    long from = Math.max(0, extent.block() - MAX_FRAME_BLOCKS + 1);
    for (long block = from; block < extent.end(); block++) {
      PoolFrame frame = index.get(block);
      if (frame != null) {
        forget(frame, extent);
      }
    }
  }

  private void forget(PoolFrame frame, Extent extent) {
    long first = frame.firstBlock();
    if (first < extent.end() && extent.block() < first + frame.blocks()) {
      hide(frame);
    }
  }

  /** A frame that its maker does not need. */
  private void discard(PoolFrame frame) {
    frame.hide();
    frame.release();
  }

  private void hide(PoolFrame frame) {
    index.remove(frame.firstBlock(), frame);
    if (frame.hide()) {
      free(frame);
    }
  }

  /** The memory of a frame that is gone. */
  void free(PoolFrame frame) {
    lock.lock();
    try {
      giveBack(frame);
      freed.signal();
    } finally {
      lock.unlock();
    }
  }

  // ------------------------------------------------------------------ with the lock

  private void list(PoolFrame frame) {
    lock.lock();
    try {
      if (!frame.isFindable() || frame.listed) {
        return;
      }
      memory.clearBusy(frame.page(), frame.blocks());
      frame.listed = true;
      policy.admit(frame.page(), frame.firstBlock(), frame.blocks());
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(PoolFrame frame) {
    if (frame.listed) {
      frame.listed = false;
      policy.remove(frame.page());
    }
    if (frame.page() != PoolFrame.UNPOOLED) {
      frames[frame.page()] = null;
      memory.free(frame.page(), frame.blocks());
    }
  }

  private @Nullable PoolFrame claim(int blocks) {
    int page = memory.claimHole(blocks);
    for (int victims = 0; page == SlabMemory.NONE && victims < VICTIMS; victims++) {
      PoolFrame victim = nextVictim();
      if (victim == null) {
        break;
      }
      int near = victim.page();
      drop(victim);
      page = clear(memory.placeNear(near, blocks), blocks);
    }
    if (page == SlabMemory.NONE) {
      page = clear(memory.placeAnywhere(blocks), blocks);
    }
    if (page == SlabMemory.NONE) {
      return null;
    }
    PoolFrame frame = new PoolFrame(this, page, blocks, memory.bytesOf(page, blocks));
    frames[page] = frame;
    return frame;
  }

  /** Takes the frame that the policy gives up, as gone; null if all are held or in use. */
  private @Nullable PoolFrame nextVictim() {
    int page = policy.victim(this::killUnused);
    if (page == ReplacementPolicy.NONE) {
      return null;
    }
    PoolFrame victim = listedAt(page);
    victim.listed = false;
    return victim;
  }

  private boolean killUnused(int page) {
    PoolFrame frame = listedAt(page);
    return !frame.takeTouched() && frame.kill();
  }

  private PoolFrame listedAt(int page) {
    return Invariants.present(frames[page], "a frame that the policy holds");
  }

  private void drop(PoolFrame gone) {
    index.remove(gone.firstBlock(), gone);
    giveBack(gone);
  }

  /** Evicts what lies in a place and claims it; {@code NONE} if somebody holds some of it. */
  private int clear(int page, int blocks) {
    if (page == SlabMemory.NONE) {
      return SlabMemory.NONE;
    }
    for (int i = page - page % SlabMemory.GROUP_BLOCKS; i < page + blocks; ) {
      PoolFrame frame = frames[i];
      if (frame == null) {
        i++;
        continue;
      }
      int behind = i + frame.blocks();
      if (behind > page) {
        if (!frame.kill()) {
          return SlabMemory.NONE;
        }
        drop(frame);
      }
      i = behind;
    }
    return memory.claimAt(page, blocks);
  }
}
