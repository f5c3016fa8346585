package dev.upcall.segment;

import dev.upcall.buffer.BlockRun;
import dev.upcall.buffer.BufferManager;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.ExtentList;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.segment.paging.PageLoader;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What all readers of content share: the way from a place in a segment to memory. Dispatcher's
 * thread only.
 *
 * @param dispatcher whose FIFO carries completions
 * @param buffers frames
 * @param loader tree pages
 * @param trees extent trees of large segments
 * @param zeros what holes read as; read-only, as long as the longest slice of a hole
 */
public record ContentReader(
    Dispatcher dispatcher,
    BufferManager buffers,
    PageLoader loader,
    LayoutTrees trees,
    ByteBuffer zeros) {

  /** Blocks that are read and kept together: content up to this size is contiguous in memory. */
  public static final int CHUNK_BLOCKS = 16;

  /** Memory must hold at least so many reads at once. */
  private static final int MIN_READS = 8;

  private static final int ZERO_BYTES = 1 << 16;

  /** A reader over these parts. */
  public static ContentReader over(
      Dispatcher dispatcher, BufferManager buffers, PageLoader loader, LayoutTrees trees) {
    return new ContentReader(
        dispatcher, buffers, loader, trees, Disk.newBuffer(ZERO_BYTES).asReadOnlyBuffer());
  }

  /** How many blocks one read may ask for: it takes all its memory at once. */
  int readBlocks() {
    return Math.max(1, buffers.capacityBlocks() / MIN_READS);
  }

  /** Where a piece of content is. */
  public sealed interface Place {
    /** The first content block behind it. */
    long endBlock();

    /** In memory, unplaced. */
    record InMemory(Unplaced.Piece piece, long endBlock) implements Place {}

    /** On the volume: a part of an extent entry, its content blocks [block, endBlock). */
    record Placed(ExtentEntry entry, long block, long endBlock) implements Place {
      int blocks() {
        return Math.toIntExact(endBlock - block);
      }

      /** How many blocks of the entry come before. */
      public int skip() {
        return Math.toIntExact(block - entry.logicalBlock());
      }

      /** Where the first block is on the volume. */
      long address() {
        return entry.address(block);
      }

      /** Where on the volume a read of it begins. */
      public long offsetBytes() {
        return entry.firstNeeded(block) * Disk.BLOCK_BYTES;
      }

      /**
       * A failure of a read of this entry's blocks: one that names a damaged block of them says,
       * too, where in the content it is.
       *
       * @param content how failures name the content
       */
      public Failure named(Failure why, String content) {
        if (why instanceof Failure.Corrupt corrupt) {
          long damaged = corrupt.offsetBytes() / Disk.BLOCK_BYTES;
          Extent extent = entry.extent();
          if (damaged >= extent.block() && damaged < extent.end()) {
            return corrupt.in(content, entry.firstNeeding(damaged) * Disk.BLOCK_BYTES);
          }
        }
        return why;
      }

      /** The first blocks with their checksums. */
      BlockRun run(int first) {
        return entry.run(block, first);
      }
    }

    /** Nowhere: zeros. */
    record Hole(long endBlock) implements Place {}
  }

  /**
   * Where the content block is that a reader wants and how far the piece goes. May throw {@code
   * PageMissing}.
   *
   * @param blocks how many blocks the content has in all
   */
  public Place locate(Unplaced unplaced, Layout layout, long block, long blocks) {
    Unplaced.Piece piece = unplaced.ceiling(block);
    return piece != null && piece.block() <= block
        ? unplaced(piece, block)
        : placed(ceiling(layout, block), block, limit(piece, blocks));
  }

  /**
   * As {@link #locate}, where the owner's open trees are not to be used. Any thread.
   *
   * @param ceiling the extent entry that covers a block, or else the next one behind it, or null
   */
  static Place locate(
      Unplaced unplaced, LongFunction<@Nullable ExtentEntry> ceiling, long block, long blocks) {
    Unplaced.Piece piece = unplaced.ceiling(block);
    return piece != null && piece.block() <= block
        ? unplaced(piece, block)
        : placed(ceiling.apply(block), block, limit(piece, blocks));
  }

  /** Copies on threads that hold nothing. */
  public ContentCopy copy() {
    return new ContentCopy(buffers.shared(), trees.shared(), trees.maps().shared());
  }

  private static Place unplaced(Unplaced.Piece piece, long block) {
    return piece instanceof ImagedBlocks.Run(ExtentEntry imaged)
        ? new Place.Placed(imaged, block, piece.end())
        : new Place.InMemory(piece, piece.end());
  }

  /** How far what is placed can go, before the next unplaced piece. */
  private static long limit(Unplaced.@Nullable Piece next, long blocks) {
    return next == null ? blocks : Math.min(blocks, next.block());
  }

  private static Place placed(@Nullable ExtentEntry entry, long block, long limit) {
    if (entry == null || entry.logicalBlock() >= limit) {
      return new Place.Hole(limit);
    }
    if (entry.logicalBlock() > block) {
      return new Place.Hole(entry.logicalBlock());
    }
    return new Place.Placed(entry, block, Math.min(limit, entry.logicalEnd()));
  }

  /** The memory of unplaced blocks from {@code block} on. */
  public static ByteBuffer bytes(Overlay.Part part, long block) {
    int from = Math.toIntExact(part.leaseBlock() + block - part.block()) * Disk.BLOCK_BYTES;
    int length = Math.toIntExact(part.end() - block) * Disk.BLOCK_BYTES;
    return part.lease().buffer(from, length);
  }

  private @Nullable ExtentEntry ceiling(Layout layout, long block) {
    return switch (layout.space()) {
      case Layout.Extents extents -> ExtentList.ceiling(extents.entries(), block);
      case Layout.Indexed indexed -> LayoutTrees.ceiling(trees.tree(indexed), block);
    };
  }
}
