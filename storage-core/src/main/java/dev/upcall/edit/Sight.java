package dev.upcall.edit;

import dev.upcall.base.Invariants;

/**
 * How much of an object decides what a policy does with an edit; what lies beyond may be left out
 * of the {@link Neighbourhood}.
 *
 * @param pieces how many on either side; the one that an edit begins or ends in is the first
 * @param pieceBlocks the longest piece: of what lies together for longer, each so many blocks from
 *     its beginning on are one
 * @param wholeBlocks a piece of more is never copied whole: of the farthest one, so much will do,
 *     and as much as its last block has
 * @param untilEnd whether all that is behind an edit goes along with it, and is seen as one piece
 */
public record Sight(int pieces, int pieceBlocks, int wholeBlocks, boolean untilEnd) {
  /** Pieces of any length. */
  static final int ANY_LENGTH = Integer.MAX_VALUE;

  /** Checks that something is seen. */
  public Sight {
    Invariants.check(pieces > 0 && wholeBlocks > 0, "no sight", pieces, wholeBlocks);
    Invariants.check(pieceBlocks > 0, "pieces without blocks", pieceBlocks);
  }
}
