package dev.upcall.edit;

import java.util.List;

/** Runs that double: how objects of unknown size grow in few pieces. */
final class Doubling {
  private Doubling() {}

  /** Puts content into new runs of the sizes that follow, the first of them so large. */
  static void lay(Sources content, int firstBlocks, Geometry geometry, List<Run> runs) {
    int blocks = Math.min(firstBlocks, geometry.longestRun());
    while (content.bytes() > 0) {
      long bytes = Math.min(geometry.bytes(blocks), content.bytes());
      runs.add(Run.gathered(content.take(bytes), blocks));
      blocks = next(blocks, geometry);
    }
  }

  /** Twice as many, or the longest run. */
  static int next(int blocks, Geometry geometry) {
    return (int) Math.min(2L * blocks, geometry.longestRun());
  }

  /** A piece that stays, with as much of the content behind its bytes as its place has room for. */
  static Run fill(int index, Piece piece, Sources content, Geometry geometry) {
    long room = geometry.bytes(piece.blocks()) - piece.bytes();
    return new Run(
        new Source.Old(index, 0, piece.bytes()),
        content.take(Math.min(room, content.bytes())),
        piece.blocks());
  }
}
