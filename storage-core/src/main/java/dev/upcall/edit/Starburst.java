package dev.upcall.edit;

import java.util.ArrayList;
import java.util.List;

/**
 * Starburst (Lehman and Lindsay, <i>The Starburst Long Field Manager</i>, VLDB 1989): each piece is
 * twice as long as the one before, up to the longest run, and the last one is trimmed; so sizes
 * need not be kept, and only the last block has free bytes.
 *
 * <p>That leaves no choice to an edit in the middle: everything from it on is copied. Table 3 of
 * the comparison (section 4) copies the whole object, at a price that depends on nothing else.
 *
 * @param geometry blocks and the longest run
 * @param copied how much an edit copies
 */
public record Starburst(Geometry geometry, Copied copied) implements EditPlanner {
  /** How much an edit copies. */
  public enum Copied {
    /** The whole object. */
    WHOLE,
    /** From the first piece that it touches on. */
    TAIL
  }

  /** Of pieces before the edit only the sizes matter, which follow from the first. */
  @Override
  public Sight sight() {
    int pieces = copied == Copied.TAIL ? 1 : Integer.MAX_VALUE;
    return new Sight(pieces, geometry.longestRun(), Sight.ANY_LENGTH, /* untilEnd= */ true);
  }

  @Override
  public int leastBlocks() {
    return 1;
  }

  @Override
  public boolean keepsApart() {
    return false;
  }

  @Override
  public Plan splice(Neighbourhood around, Edit edit) {
    if (around.isEmpty()) {
      return append(around, edit.inserted());
    }
    Neighbourhood.Position begin = around.find(edit.offset());
    Neighbourhood.Position end = around.find(edit.end());
    int first = copied == Copied.WHOLE ? 0 : begin.piece();
    Sources content = new Sources();
    for (int i = first; i < begin.piece(); i++) {
      content.addLast(i, 0, around.bytes(i));
    }
    content.addLast(begin.piece(), 0, begin.offset());
    content.addFresh(edit.inserted());
    content.addLast(end.piece(), end.offset(), around.bytes(end.piece()));
    for (int i = end.piece() + 1; i < around.count(); i++) {
      content.addLast(i, 0, around.bytes(i));
    }
    return new Plan(first, around.count(), trimmed(content, pattern(around, first)));
  }

  @Override
  public Plan append(Neighbourhood end, long bytes) {
    Sources content = new Sources();
    List<Run> runs = new ArrayList<>();
    if (end.isEmpty()) {
      content.addFresh(bytes);
      Doubling.lay(content, geometry.blocks(bytes), geometry, runs);
      return new Plan(0, 0, runs);
    }
    int last = end.count() - 1;
    Piece piece = end.piece(last);
    int blocks = pattern(end, last);
    boolean isTrimmed = piece.blocks() < blocks;
    if (isTrimmed && piece.bytes() + bytes > geometry.bytes(piece.blocks())) {
      // Only the last piece may be shorter than the pattern says: it gets the size that it had.
      content.addLast(last, 0, piece.bytes());
      content.addFresh(bytes);
      Doubling.lay(content, blocks, geometry, runs);
    } else {
      content.addFresh(bytes);
      runs.add(Doubling.fill(last, piece, content, geometry));
      Doubling.lay(content, Doubling.next(blocks, geometry), geometry, runs);
    }
    return new Plan(last, last + 1, runs);
  }

  /** Blocks of a piece by the sizes of those before it. */
  private int pattern(Neighbourhood around, int index) {
    int blocks = around.piece(0).blocks();
    for (int i = 0; i < index; i++) {
      blocks = Doubling.next(blocks, geometry);
    }
    return blocks;
  }

  private List<Run> trimmed(Sources content, int firstBlocks) {
    List<Run> runs = new ArrayList<>();
    Doubling.lay(content, firstBlocks, geometry, runs);
    if (!runs.isEmpty()) {
      Run last = runs.removeLast();
      runs.add(Run.gathered(last.gathered(), geometry.blocks(last.bytes())));
    }
    return runs;
  }
}
