package dev.upcall.segment;

import dev.upcall.buffer.BlockRun;
import dev.upcall.buffer.FoundBytes;
import dev.upcall.buffer.SharedFrames;
import dev.upcall.buffer.UnpinnedBytes;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.ExtentList;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.segment.layout.MapTrees;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.segment.layout.SharedTrees;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.TreeVersion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Copies the content of segments on a thread that holds nothing of it. */
public final class ContentCopy {
  private final SharedFrames frames;
  private final SharedTrees trees;
  private final SharedTrees maps;

  /**
   * Copies what is found there.
   *
   * @param trees of extents
   * @param maps those of maps of pieces
   */
  ContentCopy(SharedFrames frames, SharedTrees trees, SharedTrees maps) {
    this.frames = frames;
    this.trees = trees;
    this.maps = maps;
  }

  /**
   * Copies a range; false, and any bytes, where not all of it is in memory, or stayed there. Any
   * thread.
   *
   * @param inode of a version
   * @param overlay what was unplaced of that version; not retained
   * @param fromByte the first byte
   * @param into the whole of it is filled, with no more than the content has; whatever stands there
   */
  public boolean isCopied(Inode inode, Overlay overlay, long fromByte, ByteBuffer into) {
    if (into.capacity() == 0) {
      return true;
    }
    try {
      return switch (inode.layout()) {
        case Layout.Inline inline -> overlay.isEmpty() && isPut(inline.bytes(), fromByte, into);
        case Layout.Space space -> isCopied(space, inode.size(), overlay, fromByte, into);
        case Layout.Pieced(PieceMap map, Layout.Space space) ->
            isEachCopied(map, space, overlay, fromByte, into);
        case Layout.Unmapped unmapped -> false;
      };
    } catch (PageMissing elsewhere) {
      return false;
    }
  }

  /**
   * Where all of a content is that {@link #isCopied} has found, if it is one piece of memory with
   * few blocks; or null. Any thread.
   *
   * @param inode of a version
   * @param overlay what was unplaced of that version; not retained
   */
  public @Nullable FoundBytes found(Inode inode, Overlay overlay) {
    long blocks = (inode.size() + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    if (blocks == 0
        || blocks > ContentReader.CHUNK_BLOCKS
        || !(inode.layout() instanceof Layout.Extents(List<ExtentEntry> entries))) {
      return null;
    }
    ContentReader.Place place =
        ContentReader.locate(overlay, block -> ExtentList.ceiling(entries, block), 0, blocks);
    return place.endBlock() < blocks ? null : found(place, (int) blocks);
  }

  private @Nullable FoundBytes found(ContentReader.Place place, int blocks) {
    return switch (place) {
      case ContentReader.Place.Placed placed -> frames.find(placed.run(blocks));
      case ContentReader.Place.InMemory(Overlay.Part part, long end) -> {
        UnpinnedBytes memory = part.lease().unpinned();
        yield memory == null ? null : new FoundBytes(memory, bytesInLease(part, 0));
      }
      case ContentReader.Place.InMemory other -> null;
      case ContentReader.Place.Hole hole -> null;
    };
  }

  /** Where the content of a part's lease has one of its blocks. */
  private static int bytesInLease(Overlay.Part part, long block) {
    return Math.toIntExact(part.leaseBlock() + block - part.block()) * Disk.BLOCK_BYTES;
  }

  /** The bytes of a block space of a size. */
  private boolean isCopied(
      Layout.Space space, long sizeBytes, Overlay overlay, long fromByte, ByteBuffer into) {
    return switch (space) {
      case Layout.Extents(List<ExtentEntry> entries) ->
          new Blocks(sizeBytes, overlay, block -> ExtentList.ceiling(entries, block))
              .isCopied(fromByte, into);
      case Layout.Indexed indexed -> {
        PageRef root = trees.find(indexed.root());
        if (root == null) {
          yield false;
        }
        TreeVersion tree = new TreeVersion(root);
        yield new Blocks(sizeBytes, overlay, block -> LayoutTrees.ceiling(tree, block))
            .isCopied(fromByte, into);
      }
    };
  }

  /** Content that a map makes up. */
  private boolean isEachCopied(
      PieceMap map, Layout.Space space, Overlay overlay, long fromByte, ByteBuffer into) {
    for (int at = 0; at < into.capacity(); ) {
      PieceMap.Spot spot = MapTrees.find(maps, map, fromByte + at);
      if (spot == null) {
        return false;
      }
      int length = (int) Math.min(spot.left(), into.capacity() - at);
      if (!isCopied(space, map.spaceBytes(), overlay, spot.at(), into.slice(at, length))) {
        return false;
      }
      at += length;
    }
    return true;
  }

  private static boolean isPut(byte[] bytes, long fromByte, ByteBuffer into) {
    into.put(0, bytes, Math.toIntExact(fromByte), into.capacity());
    return true;
  }

  /** Where the blocks of a block space are. */
  private final class Blocks {
    private final Overlay overlay;
    private final LongFunction<@Nullable ExtentEntry> ceiling;
    private final long blocks;

    Blocks(long sizeBytes, Overlay overlay, LongFunction<@Nullable ExtentEntry> ceiling) {
      this.overlay = overlay;
      this.ceiling = ceiling;
      this.blocks = (sizeBytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    }

    /** May throw {@code PageMissing}. */
    boolean isCopied(long fromByte, ByteBuffer into) {
      long end = fromByte + into.capacity();
      for (long position = fromByte; position < end; ) {
        long block = position / Disk.BLOCK_BYTES;
        ContentReader.Place place = ContentReader.locate(overlay, ceiling, block, blocks);
        long endBlock = Math.min(place.endBlock(), block + BlockRun.MAX_BLOCKS);
        int skip = (int) (position % Disk.BLOCK_BYTES);
        int length = (int) (Math.min(endBlock * Disk.BLOCK_BYTES, end) - position);
        if (!ContentCopy.this.isCopied(
            place, block, skip, into, (int) (position - fromByte), length)) {
          return false;
        }
        position += length;
      }
      return true;
    }
  }

  private boolean isCopied(
      ContentReader.Place place,
      long block,
      int skipBytes,
      ByteBuffer into,
      int at,
      int lengthBytes) {
    return switch (place) {
      case ContentReader.Place.Hole hole -> isZeroed(into, at, at + lengthBytes);
      case ContentReader.Place.Placed placed -> {
        int blocks = Math.min(placed.blocks(), BlockRun.MAX_BLOCKS);
        yield frames.copy(placed.run(blocks), skipBytes, into, at, lengthBytes);
      }
      case ContentReader.Place.InMemory(Overlay.Part part, long end) -> {
        yield part.lease().copy(bytesInLease(part, block) + skipBytes, into, at, lengthBytes);
      }
      case ContentReader.Place.InMemory other -> false;
    };
  }

  private static boolean isZeroed(ByteBuffer into, int from, int to) {
    DataRun.zero(into, from, to);
    return true;
  }
}
