package dev.upcall.txn;

import dev.upcall.io.Disk;
import dev.upcall.segment.layout.PieceMap;

/**
 * What an edit in the middle of a file may leave behind.
 *
 * @param mostPieces pieces in an inode; what is more is folded into the file's tree
 * @param mostCollected pieces that a handle makes before it commits; before there are more, the
 *     smallest neighbours are copied together
 * @param tailBytes content behind an edit that is rather written anew than made a piece
 */
public record EditLimit(int mostPieces, int mostCollected, int tailBytes) {
  /** One operation adds as many at least. */
  private static final int GROWTH_PIECES = 2;

  /** A map with so many pieces is still edited within microseconds. */
  private static final int MOST_COLLECTED = 512;

  /** Where pages are small, a handle collects no more than fill so many. */
  private static final int COLLECTED_PAGES = 8;

  /** A tail takes no more than this part of what rides in the log with one commit. */
  private static final int TAIL_PART = 16;

  /**
   * The limits of a store.
   *
   * @param mostEntries those of a tree page
   * @param unplacedBytes what rides in the log with one commit
   */
  public static EditLimit of(int mostEntries, int unplacedBytes) {
    return new EditLimit(
        mostEntries,
        Math.min(MOST_COLLECTED, COLLECTED_PAGES * mostEntries),
        Math.min(Disk.BLOCK_BYTES, unplacedBytes / TAIL_PART));
  }

  /** Whether a handle may add to a map what one operation adds. */
  public boolean hasRoom(PieceMap pieces) {
    return pieces.pieces().size() == 1 || pieces.pieces().size() + GROWTH_PIECES <= mostCollected;
  }

  /** How many pieces one operation may add to a map that {@link #hasRoom}; one at least. */
  public int room(PieceMap pieces) {
    // It may part a piece in two.
    return Math.max(1, mostCollected - pieces.pieces().size() - 1);
  }

  /** Whether an inode has room for the pieces of a map. */
  public boolean isFitting(PieceMap pieces) {
    return pieces.pieces().size() == 1
        || pieces.pieces().size() <= mostPieces && pieces.pieceBytes() <= PieceMap.MAX_BYTES;
  }
}
