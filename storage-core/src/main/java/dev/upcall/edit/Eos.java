package dev.upcall.edit;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;

/**
 * EOS (Biliris, <i>An Efficient Database Storage Structure for Large Dynamic Objects</i>, ICDE
 * 1992): pieces of any length, every block of them full but the last, and a threshold T below which
 * pieces are not left beside an edit.
 *
 * <p>An edit reads the block in which content goes on behind it and writes one new run: the new
 * bytes and the rest of that block. What lies before and behind stays in place. A piece next to the
 * edit of fewer than T blocks is <i>unsafe</i>: it joins the new run, and the new run takes from
 * its neighbours until it has T blocks. So all pieces around an edit have at least T blocks, or
 * there was nothing left to join with. A larger T costs updates and gains reads and space.
 *
 * <p>An append fills the last piece; each new piece is twice as long as the one before.
 *
 * @param geometry blocks and the longest run
 * @param threshold T, in blocks
 */
public record Eos(Geometry geometry, int threshold) implements EditPlanner {
  private static final int MOST_PIECES = 8;

  /** Checks the threshold. */
  public Eos {
    Invariants.check(
        threshold > 0 && threshold <= geometry.longestRun(), "no threshold", threshold);
  }

  /** From a piece of twice the threshold nothing is taken that would make it unsafe. */
  @Override
  public Sight sight() {
    return new Sight(MOST_PIECES, Sight.ANY_LENGTH, 2 * threshold + 2, /* untilEnd= */ false);
  }

  @Override
  public int leastBlocks() {
    return threshold;
  }

  @Override
  public boolean keepsApart() {
    return false;
  }

  @Override
  public Plan splice(Neighbourhood around, Edit edit) {
    return around.isEmpty()
        ? append(around, edit.inserted())
        : new EosSplice(this, around, edit).plan();
  }

  @Override
  public Plan append(Neighbourhood end, long bytes) {
    Sources content = new Sources();
    content.addFresh(bytes);
    List<Run> runs = new ArrayList<>();
    if (end.isEmpty()) {
      Doubling.lay(content, geometry.blocks(bytes), geometry, runs);
      return new Plan(0, 0, runs);
    }
    int last = end.count() - 1;
    Piece piece = end.piece(last);
    runs.add(Doubling.fill(last, piece, content, geometry));
    Doubling.lay(content, Doubling.next(piece.blocks(), geometry), geometry, runs);
    return new Plan(last, last + 1, runs);
  }
}
