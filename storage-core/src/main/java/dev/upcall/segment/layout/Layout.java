package dev.upcall.segment.layout;

import dev.upcall.tree.PageRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the content of a segment lies: an immutable value inside the inode. */
public sealed interface Layout {
  /** Nothing placed: empty, all hole, or all content still unplaced. */
  Space EMPTY = new Extents(List.of());

  /** The places of its blocks; none, where the content is in the inode. */
  Space space();

  /** Which ranges of its blocks are the content, or null: they are, as they come. */
  @Nullable PieceMap pieces();

  /** The tree of those ranges, if there is one, or null. */
  static PieceMap.@Nullable Folded folded(Layout layout) {
    PieceMap map = layout.pieces();
    return map == null ? null : map.folded();
  }

  /** Blocks with these places, of which the content is made by a map, if there is one. */
  static Layout of(@Nullable PieceMap pieces, Space space) {
    return pieces == null ? space : new Pieced(pieces, space);
  }

  /**
   * Content so small that it lives in the inode for good. The bytes belong to the layout and are
   * never changed.
   */
  record Inline(byte[] bytes) implements Layout {
    @Override
    public Space space() {
      return EMPTY;
    }

    @Override
    public @Nullable PieceMap pieces() {
      return null;
    }
  }

  /** The places of blocks. Those without an entry are holes and read as zeros. */
  sealed interface Space extends Layout {
    /** How many blocks have a place. */
    long placedBlocks();
  }

  /** A few extents, ascending by logical block, not overlapping. */
  record Extents(List<ExtentEntry> entries) implements Space {
    @Override
    public long placedBlocks() {
      long blocks = 0;
      for (ExtentEntry entry : entries) {
        blocks += entry.extent().blocks();
      }
      return blocks;
    }

    /** The stored blocks, one behind the other, as if they were the content. */
    public Extents stored() {
      List<ExtentEntry> stored = new ArrayList<>(entries.size());
      long at = 0;
      for (ExtentEntry entry : entries) {
        stored.add(entry.stored(at));
        at = stored.getLast().logicalEnd();
      }
      return new Extents(stored);
    }

    @Override
    public Space space() {
      return this;
    }

    @Override
    public @Nullable PieceMap pieces() {
      return null;
    }
  }

  /**
   * More extents than fit: the root of an own extent tree, whose pages were written before the
   * commit that named it.
   */
  record Indexed(PageRef root, long placedBlocks) implements Space {
    @Override
    public Space space() {
      return this;
    }

    @Override
    public @Nullable PieceMap pieces() {
      return null;
    }
  }

  /** The tree of a map that nobody uses any more, on its way to be given back; never content. */
  record Unmapped(PageRef root) implements Layout {
    @Override
    public Space space() {
      return EMPTY;
    }

    @Override
    public @Nullable PieceMap pieces() {
      return null;
    }
  }

  /** Content that was edited in the middle: its block space is not the content, but has it. */
  record Pieced(PieceMap pieces, Space space) implements Layout {}
}
