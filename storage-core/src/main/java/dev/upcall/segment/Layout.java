package dev.upcall.segment;

import dev.upcall.tree.PageRef;
import java.util.List;

/**
 * Where the placed content of a segment lies: an immutable value inside the inode. Blocks without
 * an entry are holes and read as zeros.
 */
public sealed interface Layout {
  /** Nothing placed: empty, all hole, or all content still unplaced. */
  Layout EMPTY = new Extents(List.of());

  /**
   * Content so small that it lives in the inode for good. The bytes belong to the layout and are
   * never changed.
   */
  record Inline(byte[] bytes) implements Layout {}

  /** A few extents, ascending by logical block, not overlapping. */
  record Extents(List<ExtentEntry> entries) implements Layout {}

  /**
   * More extents than fit: the root of an own extent tree, whose pages were written before the
   * commit that named it.
   */
  record Indexed(PageRef root, long placedBlocks) implements Layout {}
}
