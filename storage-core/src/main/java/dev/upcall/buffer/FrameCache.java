package dev.upcall.buffer;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.replacement.LongIntMap;
import dev.upcall.buffer.replacement.ReplacementPolicy;
import dev.upcall.coding.StoredUnit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.space.Extent;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * All frames: which content is where, who is evicted for whom. It starts no I/O and never waits.
 * Every change of a frame goes through here, so that index, memory and replacement policy always
 * agree.
 */
final class FrameCache {
  private final Dispatcher dispatcher;
  private final SlabMemory memory;
  private final MemoryGrowth growth;
  private final ReplacementPolicy policy;
  private final Runnable memoryMayBeFree;
  private final FrameIndex index;
  private final SharedFrames shared = new SharedFrames();
  private final @Nullable Frame[] frames;
  private final IntPredicate useful = this::isToBeEvicted;

  /** Whether there ever were decoded blocks, which have addresses of their own. */
  private boolean decodes;

  private int wantedBlocks;
  private int privateBlocks;
  private long evictions;

  /**
   * An empty cache.
   *
   * @param memoryMayBeFree told, inside the call that did it, when a frame can be evicted or its
   *     memory was freed
   */
  FrameCache(
      Dispatcher dispatcher,
      SlabMemory memory,
      MemoryGrowth growth,
      ReplacementPolicy policy,
      Runnable memoryMayBeFree) {
    this.dispatcher = dispatcher;
    this.memory = memory;
    this.growth = growth;
    this.policy = policy;
    this.memoryMayBeFree = memoryMayBeFree;
    this.index = new FrameIndex(memory.capacityBlocks());
    this.frames = new Frame[memory.capacityBlocks()];
  }

  /** The frame, loading or valid, that covers a block. */
  @Nullable Frame find(long block) {
    int page = index.get(block);
    return page == LongIntMap.ABSENT ? null : frames[page];
  }

  /**
   * Takes memory for a frame, evicting clean content if need be.
   *
   * @return the frame, free and pinned once; or null when too much is pinned
   */
  @Nullable Frame claim(int blocks) {
    int page = memory.claimHole(blocks);
    growth.claimed(blocks);
    if (page == SlabMemory.NONE) {
      page = claimByEviction(blocks);
    }
    if (page == SlabMemory.NONE) {
      return null;
    }
    Frame frame = frames[page];
    if (frame == null) {
      frame = new Frame(page, dispatcher);
      frames[page] = frame;
    }
    frame.claim(blocks);
    return frame;
  }

  /**
   * Takes memory for uncovered blocks from {@code block} on, as many as fit one frame and are not
   * covered already; fewer when there is no contiguous room for more.
   *
   * @return the frame with its address, free and pinned once; or null when all is pinned
   */
  @Nullable Frame claimForGap(long block, long limit) {
    long end = Math.min(limit, block + BufferConfig.MAX_FRAME_BLOCKS);
    int wanted = 1;
    while (block + wanted < end && index.get(block + wanted) == LongIntMap.ABSENT) {
      wanted++;
    }
    Frame frame = claim(wanted);
    for (int less = wanted / 2; frame == null && less > 0; less /= 2) {
      frame = claim(less);
    }
    if (frame != null) {
      frame.assign(block);
    }
    return frame;
  }

  /**
   * Takes memory for what a run has from a block on, which is not covered; of a unit, for all of
   * it, since it is decoded as a whole.
   *
   * @return the frame with its address, free and pinned once; or null when too much is pinned
   */
  @Nullable Frame claimFor(BlockRun run, long block) {
    StoredUnit unit = run.unit();
    if (unit == null) {
      return claimForGap(block, run.end());
    }
    Frame frame = claim(unit.blocks());
    if (frame != null) {
      frame.assign(unit.address());
    }
    return frame;
  }

  /** Whether no frame is pinned at all. */
  boolean nothingBusy() {
    return memory.busyBlocks() == 0;
  }

  /** Gives back a claimed frame that was not put to use. */
  void giveBack(Frame frame) {
    Invariants.check(frame.is(Frame.State.FREE), "giving back a frame in use", frame);
    Invariants.check(frame.dropPin() == 0, "giving back a pinned frame", frame);
    memory.free(frame.page, frame.blocks());
    memoryMayBeFree.run();
  }

  /** A claimed frame with an address becomes the place of a load; it can be found. */
  void startLoading(Frame frame) {
    decodes |= frame.firstBlock() >= StoredUnit.DECODED;
    frame.enter(Frame.State.LOADING);
    index.add(frame);
  }

  /** A claimed frame becomes one that its holder fills. */
  void makePrivate(Frame frame) {
    frame.enter(Frame.State.PRIVATE);
    privateBlocks += frame.blocks();
  }

  /**
   * The content that was read is right. A frame that was detached meanwhile stays so.
   *
   * @param run what it was compared with
   */
  void loaded(Frame frame, BlockRun run) {
    if (shared.isWanted() || run.unit() != null) {
      frame.verified(run); // or its blocks would be checksummed again to share them
    }
    if (frame.is(Frame.State.LOADING)) {
      frame.enter(Frame.State.VALID);
      policy.admit(frame.page, frame.firstBlock(), frame.blocks());
    }
  }

  /** The content could not be read, or is wrong: it is never found again. */
  void loadFailed(Frame frame) {
    if (frame.is(Frame.State.LOADING)) {
      detach(frame);
    }
  }

  /**
   * The first blocks of a private frame are now the clean content of an address; the memory of the
   * others is given back.
   */
  void publish(Frame frame, long firstBlock, int blocks) {
    Invariants.check(frame.is(Frame.State.PRIVATE), "publishing", frame);
    forget(new Extent(firstBlock, blocks));
    privateBlocks -= frame.blocks();
    if (blocks < frame.blocks()) {
      memory.free(frame.page + blocks, frame.blocks() - blocks);
      frame.shrink(blocks);
      memoryMayBeFree.run();
    }
    frame.assign(firstBlock);
    frame.enter(Frame.State.VALID);
    index.add(frame);
    policy.admit(frame.page, firstBlock, blocks);
  }

  /** The content of a valid frame is what a run says: others find it without asking first. */
  void verified(Frame frame, BlockRun run) {
    if (shared.isWanted()) {
      frame.verified(run);
      share(frame);
    }
  }

  /** As {@link #forget}, of the decoded blocks of units that are stored in an extent. */
  void forgetDecoded(Extent extent) {
    if (decodes) {
      forget(StoredUnit.decoded(extent));
    }
  }

  /** Content of these blocks is never found again; what nobody holds is freed. */
  void forget(Extent extent) {
    long block = index.nextCandidate(extent.block(), extent.end());
    while (block < extent.end()) {
      Frame frame = find(block);
      if (frame == null) {
        block = index.nextCandidate(block + 1, extent.end());
      } else {
        long behind = frame.end();
        detach(frame);
        block = index.nextCandidate(behind, extent.end());
      }
    }
  }

  /** A hit. */
  void touch(Frame frame) {
    policy.touch(frame.page);
  }

  void pin(Frame frame) {
    if (frame.addPin() == 0) {
      memory.setBusy(frame.page, frame.blocks());
    }
  }

  void unpin(Frame frame) {
    if (frame.dropPin() > 0) {
      return;
    }
    switch (frame.state()) {
      case VALID -> memory.clearBusy(frame.page, frame.blocks());
      case PRIVATE -> {
        privateBlocks -= frame.blocks();
        free(frame);
      }
      case DETACHED -> free(frame);
      case FREE, LOADING -> Invariants.check(false, "last pin released", frame);
    }
    memoryMayBeFree.run();
  }

  /** The frame whose memory begins at a page, if there ever was one. */
  @Nullable Frame frameAt(int page) {
    return frames[page];
  }

  /** What other threads see of the frames. */
  SharedFrames shared() {
    return shared;
  }

  /** A valid frame is asked for: others may want it, too. */
  void share(Frame frame) {
    if (shared.isWanted() && frame.is(Frame.State.VALID) && frame.shared() == null) {
      frame.share(shared.share(frame, memory));
    }
  }

  /** How many blocks can be found. */
  int indexedBlocks() {
    return index.size();
  }

  long evictions() {
    return evictions;
  }

  int privateBlocks() {
    return privateBlocks;
  }

  private boolean isEvictable(int page) {
    Frame frame = frames[page];
    return frame != null && frame.is(Frame.State.VALID) && frame.pins() == 0;
  }

  /** Whether evicting the clean frames around this one, itself included, gives the room wanted. */
  private boolean isUsefulVictim(int page) {
    return isEvictable(page) && memory.hasPlaceNear(page, wantedBlocks);
  }

  private boolean isToBeEvicted(int page) {
    return isUsefulVictim(page) && !isReadElsewhere(page);
  }

  /** Whether other threads have read a frame since the last look; that was a touch. */
  private boolean isReadElsewhere(int page) {
    Frame frame = frames[page];
    SharedFrame seen = frame == null ? null : frame.shared();
    boolean read = seen != null && seen.takeTouch();
    if (read) {
      policy.touch(page);
    }
    return read;
  }

  private int claimByEviction(int blocks) {
    wantedBlocks = blocks;
    int victim = policy.victim(useful);
    int page;
    if (victim == ReplacementPolicy.NONE) {
      page = memory.placeAnywhere(blocks);
    } else {
      Frame frame = frames[victim];
      Invariants.check(
          frame != null && isUsefulVictim(victim), "policy chose a frame of no use", victim);
      drop(frame);
      evictions++;
      page = memory.placeNear(victim, blocks);
    }
    return page == SlabMemory.NONE ? SlabMemory.NONE : clearAndClaim(page, blocks);
  }

  /** The room that one victim left is rarely enough: clean neighbours have to go with it. */
  private int clearAndClaim(int page, int blocks) {
    int group = page - page % SlabMemory.GROUP_BLOCKS;
    for (int i = group; i < page + blocks; ) {
      Frame frame = frames[i];
      if (frame == null || frame.is(Frame.State.FREE)) {
        i++;
        continue;
      }
      int behind = i + frame.blocks();
      if (behind > page) {
        policy.remove(frame.page);
        drop(frame);
        evictions++;
      }
      i = behind;
    }
    return memory.claimAt(page, blocks);
  }

  /** Makes a frame unfindable; frees it if nobody holds it. */
  private void detach(Frame frame) {
    if (frame.is(Frame.State.VALID)) {
      policy.remove(frame.page);
      if (frame.pins() == 0) {
        drop(frame);
        memoryMayBeFree.run();
        return;
      }
    }
    hide(frame);
    frame.enter(Frame.State.DETACHED);
  }

  private void drop(Frame frame) {
    hide(frame);
    free(frame);
  }

  private void hide(Frame frame) {
    index.remove(frame);
    shared.end(frame.shared());
    frame.share(null);
  }

  private void free(Frame frame) {
    frame.enter(Frame.State.FREE);
    memory.free(frame.page, frame.blocks());
  }
}
