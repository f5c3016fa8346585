package dev.upcall.access;

import dev.upcall.io.Disk;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.PieceMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of the blocks that the pieces of an edited file name no piece has, more or fewer
 * than when its editing began. Exact, but for the end of a map with a tree.
 */
final class UnusedBytes {
  private static final int BLOCK = Disk.BLOCK_BYTES;

  private long bytes;

  /** How many more; may be negative. */
  long bytes() {
    return bytes;
  }

  /**
   * Another map makes up the content.
   *
   * @param before the map so far; null: content of so many bytes that was no edited file's, of
   *     whose last block nobody counts what is unused
   * @param dropped blocks that it names no more
   */
  void becomes(
      @Nullable PieceMap before, long sizeBytes, PieceMap after, List<LayoutEditor.Range> dropped) {
    long used = newBlocks(after, PieceMap.spaceBytes(before, sizeBytes));
    for (LayoutEditor.Range run : dropped) {
      used -= run.to() - run.from();
    }
    bytes += used * BLOCK - (after.sizeBytes() - sizeBytes);
    if (before == null) {
      bytes += PrivateContent.blocks(sizeBytes) * BLOCK - sizeBytes;
    }
  }

  /** There is no map any more; of one with a tree nobody knows how many blocks it named. */
  void ends(@Nullable PieceMap before) {
    if (before != null && before.folded() == null) {
      bytes -= newBlocks(before, 0) * BLOCK - before.sizeBytes();
    }
  }

  /** How many blocks pieces name of which no number was given out in a block space of a size. */
  private static long newBlocks(PieceMap map, long spaceBytes) {
    long given = PrivateContent.blocks(spaceBytes);
    long blocks = 0;
    for (PieceMap.Piece piece : map.pieces()) {
      if (!map.isInTree(piece.from())) {
        long end = PrivateContent.blocks(piece.end());
        blocks += Math.max(0, end - Math.max(given, piece.from() / BLOCK));
      }
    }
    return blocks;
  }
}
