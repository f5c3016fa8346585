package dev.upcall.txn;

import dev.upcall.io.Disk;
import dev.upcall.segment.PieceMap;

/**
 * What an edit in the middle of a file may leave behind.
 *
 * @param mostPieces pieces of one file; before there are more, the smallest neighbours are copied
 *     together
 * @param tailBytes content behind an edit that is rather written anew than made a piece
 */
public record EditLimit(int mostPieces, int tailBytes) {
  /** One operation adds no more: two pieces, and what longer numbers take. */
  private static final int GROWTH_PIECES = 2;

  private static final int GROWTH_BYTES = 3 * 18;

  /** A tail takes no more than this part of what rides in the log with one commit. */
  private static final int TAIL_PART = 16;

  /**
   * The limits of a store.
   *
   * @param mostEntries those of a tree page
   * @param unplacedBytes what rides in the log with one commit
   */
  public static EditLimit of(int mostEntries, int unplacedBytes) {
    return new EditLimit(mostEntries, Math.min(Disk.BLOCK_BYTES, unplacedBytes / TAIL_PART));
  }

  /** Whether a map has room for what one operation adds. */
  public boolean hasRoom(PieceMap pieces) {
    return pieces.pieces().size() == 1
        || pieces.pieces().size() + GROWTH_PIECES <= mostPieces
            && pieces.encodedBytes() + GROWTH_BYTES <= PieceMap.MAX_BYTES;
  }
}
