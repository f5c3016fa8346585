package dev.upcall.space;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks of the volume are free, reserved, committed or pending, and the allocator on it.
 *
 * <pre>
 *            allocate            commit              free(scn)
 *   free ------------> reserved --------> committed ----------> pending --> free, or kept
 *     ^                   | giveBack         ^                   release(scn' >= scn)
 *     +-------------------+                  +-- markCommitted (replay), from free
 * </pre>
 *
 * <p>The image of a checkpoint holds the committed blocks only: what was reserved or pending at
 * that moment is free for whoever opens the volume from it, and so is what is kept for snapshots
 * only ({@link HeldBlocks}). Space that the checkpoint itself needs is therefore allocated and
 * committed before {@link #image} is called.
 *
 * <p><b>Accounts.</b> A number of free blocks is <em>promised</em> to the next checkpoint ({@link
 * #reserve}); behind them an <em>emergency pool</em> is kept for deletes. Always: promised &lt;=
 * free, backed or not. A {@link Reserve#NORMAL} allocation or promise leaves promised blocks and
 * pool alone, an {@link Reserve#EMERGENCY} one only the promised blocks. The pool is not refilled
 * by anybody: it is whatever free space there is below its size.
 *
 * <p>An extent may be handed back in other pieces than it was handed out.
 *
 * <p><b>Room on the device.</b> Only <em>backed</em> blocks are handed out: writing them cannot
 * find the device full. Which free blocks are not, and what happens to them, is {@link Unbacked}'s.
 */
public final class FreeMap {
  /** How many runs of different kinds are looked at from the volume's end on. */
  private static final int TAIL_RUNS = 64;

  private final FreeMapConfig config;
  private final MapChunks chunks;
  private final RunIndex free = new RunIndex();
  private final Unbacked unbacked = new Unbacked(free);
  private final PendingFrees pending = new PendingFrees();
  private final HeldBlocks held;
  private final Bits reserved;
  private long totalBlocks;
  private long reservedBlocks;
  private long promisedBlocks;
  private long handedOutBlocks;
  private long givenBackBlocks;
  private long freedBlocks;

  /** Of those, how many the last image, and the last durable one, have as free. */
  private long freedInImage;

  private long freedDurably;

  /** The map of an empty volume; its first image holds every chunk. */
  public FreeMap(FreeMapConfig config, long totalBlocks) {
    this(config, totalBlocks, new MapChunks(config, totalBlocks));
    if (config.firstBlock() > 0) {
      chunks.set(new Extent(0, config.firstBlock()));
    }
  }

  FreeMap(FreeMapConfig config, long totalBlocks, MapChunks chunks) {
    Invariants.check(
        totalBlocks >= config.firstBlock(), "volume too small", totalBlocks, config.firstBlock());
    this.config = config;
    this.totalBlocks = totalBlocks;
    this.chunks = chunks;
    reserved = new Bits(totalBlocks);
    held = new HeldBlocks(config, free, chunks);
    long at = config.firstBlock();
    while (at < totalBlocks) {
      long start = chunks.committed().next(at, totalBlocks, false);
      at = chunks.committed().next(start, totalBlocks, true);
      if (start < at) {
        free.add(start, at);
      }
    }
  }

  /** The geometry. */
  public FreeMapConfig config() {
    return config;
  }

  /** Size of the volume. */
  public long totalBlocks() {
    return totalBlocks;
  }

  /** Blocks that are free now, promised, unbacked and held ones and the pool included. */
  public long freeBlocks() {
    return free.blocks() + unbacked.blocks();
  }

  /** Blocks that are free now and for which the device has room. */
  public long backedBlocks() {
    return free.blocks();
  }

  /** The free blocks that are not backed. */
  public Unbacked unbacked() {
    return unbacked;
  }

  /** What snapshots hold. */
  public HeldBlocks held() {
    return held;
  }

  /** Begins to copy which blocks are committed now, for a snapshot; one at a time. */
  public MapCapture capture() {
    return new MapCapture(chunks, held, held.newBlocks(totalBlocks), config);
  }

  /** Blocks that are free now and that are not known to be holes: backed and doubtful ones. */
  public long unpunchedBlocks() {
    return free.blocks() + unbacked.doubtfulBlocks();
  }

  /** How many blocks were handed out since this map was made, for whatever. */
  public long handedOutBlocks() {
    return handedOutBlocks;
  }

  /** How many of those were not needed and given back. */
  public long givenBackBlocks() {
    return givenBackBlocks;
  }

  /** Blocks freed but not yet reusable. */
  public long pendingBlocks() {
    return pending.blocks();
  }

  /**
   * How many blocks that were freed after one SCN, and not after another, are not free yet. Looks
   * at each extent that is pending.
   */
  public long pendingBlocks(long afterScn, long upToScn) {
    return pending.blocks(afterScn, upToScn);
  }

  /**
   * How many blocks were freed that the durable image does not have as free: what another image
   * could bring back, were it durable and nobody read them.
   */
  public long freshBlocks() {
    return freedBlocks - freedDurably;
  }

  /** Blocks handed out and not yet committed. */
  public long reservedBlocks() {
    return reservedBlocks;
  }

  /** Blocks that are part of the store's state, those before the first extent not counted. */
  public long committedBlocks() {
    long others = pending.blocks() + reservedBlocks + held.keptBlocks();
    return totalBlocks - config.firstBlock() - freeBlocks() - others;
  }

  /** Blocks promised to a checkpoint and not yet handed out. */
  public long promisedBlocks() {
    return promisedBlocks;
  }

  /** How many blocks an allocation of that kind could get in all, however scattered. */
  public long availableBlocks(Reserve kind) {
    return Math.max(0, free.blocks() - keptBlocks(kind));
  }

  /**
   * How many blocks could be promised on behalf of that kind: as {@link #availableBlocks}, but what
   * is not backed yet counts too.
   */
  public long promisableBlocks(Reserve kind) {
    return Math.max(0, freeBlocks() - keptBlocks(kind));
  }

  /** Free blocks that an allocation of that kind leaves alone. */
  public long keptBlocks(Reserve kind) {
    long pool = config.emergencyBlocks(totalBlocks);
    return promisedBlocks
        + switch (kind) {
          case NORMAL -> pool;
          case CUT -> FreeMapConfig.leftByCuts(pool);
          case EMERGENCY -> 0;
        };
  }

  /**
   * Promises blocks to the next checkpoint.
   *
   * @return false if there are not so many; nothing is changed then
   */
  public boolean reserve(long blocks, Reserve kind) {
    Invariants.check(blocks >= 0, "promise", blocks);
    if (blocks > promisableBlocks(kind)) {
      return false;
    }
    promisedBlocks += blocks;
    return true;
  }

  /** Takes back a promise that is not needed. */
  public void unreserve(long blocks) {
    Invariants.check(blocks >= 0 && blocks <= promisedBlocks, "promise", blocks, promisedBlocks);
    promisedBlocks -= blocks;
  }

  /**
   * Extents of so many blocks together, as few as the free runs allow.
   *
   * @return the empty list if there are not so many blocks or more pieces would be needed; nothing
   *     is changed then
   */
  public List<Extent> allocatePieces(long blocks, int maxPieces) {
    return allocatePieces(blocks, maxPieces, Reserve.NORMAL);
  }

  /** As {@link #allocatePieces(long, int)}, for that kind. */
  public List<Extent> allocatePieces(long blocks, int maxPieces, Reserve kind) {
    return blocks <= availableBlocks(kind) ? pieces(blocks, maxPieces) : List.of();
  }

  /**
   * As {@link #allocatePieces(long, int, Reserve)}, but as one extent in the half of the volume
   * where {@code from} is not, if there is one: for second copies.
   */
  public List<Extent> allocatePiecesFar(long blocks, int maxPieces, Reserve kind, Extent from) {
    if (blocks > availableBlocks(kind)) {
      return List.of();
    }
    Extent far = handOut(farFrom(blocks, from), blocks);
    return far != null ? List.of(far) : pieces(blocks, maxPieces);
  }

  private List<Extent> pieces(long blocks, int maxPieces) {
    List<Extent> pieces = new ArrayList<>();
    long missing = blocks;
    while (missing > 0 && pieces.size() < maxPieces) {
      Extent run = free.bestFit(missing);
      if (run == null) {
        run = free.largest();
      }
      Extent piece = run == null ? null : handOut(run, Math.min(missing, run.blocks()));
      if (piece == null) {
        break;
      }
      pieces.add(piece);
      missing -= piece.blocks();
    }
    if (missing > 0) {
      pieces.forEach(this::giveBack);
      return List.of();
    }
    return pieces;
  }

  /** A place in the other half of the volume, as far as it is backed, or null. */
  private @Nullable Extent farFrom(long blocks, Extent from) {
    long half = (Math.max(free.end(), from.end()) - config.firstBlock()) / 2;
    long middle = config.firstBlock() + half;
    if (from.block() < middle) {
      return free.firstFit(Math.max(middle, from.block() + half), blocks);
    }
    Extent low =
        free.firstFit(Math.max(config.firstBlock(), from.block() - half - half / 2), blocks);
    return low != null && low.block() + blocks <= middle ? low : null;
  }

  private @Nullable Extent handOut(@Nullable Extent run, long blocks) {
    if (run == null) {
      return null;
    }
    Extent extent = new Extent(run.block(), blocks);
    free.take(extent.block(), extent.end());
    reserved.set(extent.block(), extent.end());
    reservedBlocks += blocks;
    handedOutBlocks += blocks;
    return extent;
  }

  /** Reserved blocks are part of the store's state from now on. */
  public void commit(Extent extent) {
    takeReserved(extent);
    chunks.set(extent);
  }

  /** Reserved blocks were not needed. */
  public void giveBack(Extent extent) {
    takeReserved(extent);
    free.add(extent.block(), extent.end());
    givenBackBlocks += extent.blocks();
  }

  /** Replay: free blocks are committed. */
  public void markCommitted(Extent extent) {
    free.take(extent.block(), extent.end());
    chunks.set(extent);
  }

  /**
   * Committed blocks are no longer part of the state since the given SCN; the next image has them
   * as free.
   */
  public void free(Extent extent, long scn) {
    clear(extent);
    pending.add(extent, scn);
  }

  /**
   * As {@link #free}, for blocks of the durable image's checkpoint itself, which no change frees:
   * the next image has them as free, and they are pending without an SCN until it is durable. Its
   * SCN may be that of the durable one, up to which a release may be under way.
   */
  public void retire(Extent extent) {
    clear(extent);
    pending.retire(extent);
  }

  private void clear(Extent extent) {
    Invariants.check(
        extent.block() >= config.firstBlock()
            && extent.end() <= totalBlocks
            && chunks.committed().all(extent.block(), extent.end()),
        "free of blocks that are not committed",
        extent);
    chunks.clear(extent);
    freedBlocks += extent.blocks();
  }

  /** A checkpoint of that SCN is durable: everything freed up to it may be handed out again. */
  public void release(long scn) {
    release(scn, extent -> true);
  }

  /**
   * As {@link #release(long)}, but what is still in use for another reason stays pending until the
   * next call; everything does while a snapshot's blocks are being copied.
   *
   * @param unused asked once for every piece that is due and that no snapshot holds
   */
  public void release(long scn, Predicate<Extent> unused) {
    while (releaseSome(scn, Integer.MAX_VALUE, unused)) {
      // The next piece.
    }
  }

  /**
   * A bounded piece of {@link #release(long, Predicate)}: looks at so many extents at most, and at
   * no more blocks than one step of a sweep does. What is in use is looked at again only after this
   * has returned false.
   *
   * @return whether more is due
   */
  public boolean releaseSome(long scn, int mostExtents, Predicate<Extent> unused) {
    List<Extent> used = new ArrayList<>(0);
    long leftBlocks = HeldBlocks.STEP_BLOCKS;
    int extents = 0;
    while (!chunks.isCaptured() && pending.hasUpTo(scn)) {
      if (extents++ == mostExtents || leftBlocks == 0) {
        return true;
      }
      Extent extent = pending.poll(leftBlocks);
      leftBlocks -= extent.blocks();
      held.release(extent, unused, used);
      used.forEach(piece -> pending.setAside(piece, scn));
      used.clear();
    }
    pending.putBack();
    return false;
  }

  private void takeReserved(Extent extent) {
    Invariants.check(
        extent.end() <= totalBlocks && reserved.all(extent.block(), extent.end()),
        "blocks that are not reserved",
        extent);
    reserved.clear(extent.block(), extent.end());
    reservedBlocks -= extent.blocks();
  }

  /** Whether these blocks are committed, all of them. */
  public boolean isCommitted(Extent extent) {
    return extent.end() <= totalBlocks && chunks.committed().all(extent.block(), extent.end());
  }

  /** The volume became larger; the new blocks are free and backed. */
  public void grow(long total) {
    Invariants.check(total >= totalBlocks, "grow to less", total, totalBlocks);
    chunks.resize(total);
    reserved.resize(total);
    held.resize(total);
    if (total > totalBlocks) {
      free.add(totalBlocks, total);
    }
    totalBlocks = total;
  }

  /** Where the free blocks at the volume's end begin, backed or not; the volume's end if none. */
  public long tailStart() {
    long start = totalBlocks;
    for (int run = 0; run < TAIL_RUNS; run++) {
      Extent before = unbacked.endingAt(start);
      if (before == null) {
        break;
      }
      start = before.block();
    }
    return start;
  }

  /**
   * How many blocks at the volume's end are free, backed or not, and neither promised nor in the
   * pool.
   */
  long shrinkable() {
    return Math.min(totalBlocks - tailStart(), promisableBlocks(Reserve.NORMAL));
  }

  /** The volume becomes smaller by at most {@link #shrinkable} blocks. */
  public void shrink(long total) {
    Invariants.check(
        total <= totalBlocks && totalBlocks - total <= shrinkable(), "shrink", total, totalBlocks);
    unbacked.cutOff(total, totalBlocks);
    totalBlocks = total;
    chunks.resize(total);
    reserved.resize(total);
    held.resize(total);
  }

  /** All backed free runs of at least so many blocks, ascending by address. */
  List<Extent> largeFreeRuns(long minBlocks) {
    return free.atLeast(minBlocks);
  }

  /**
   * The committed blocks as of now, as changed chunks to be written to their homes. It costs a look
   * at each chunk's mark; the chunks are encoded later. One image at a time: {@link #imageDurable}
   * must follow before the next.
   *
   * @param seq its sequence, larger than that of the image before
   */
  public MapImage image(long seq) {
    freedInImage = freedBlocks;
    return chunks.image(seq, totalBlocks);
  }

  /**
   * A superblock that names the last image is durable.
   *
   * @param scn of its checkpoint, of which everything is now that was retired
   */
  public void imageDurable(long seq, long scn) {
    chunks.imageDurable(seq);
    pending.retiredAt(scn);
    freedDurably = freedInImage;
  }
}
