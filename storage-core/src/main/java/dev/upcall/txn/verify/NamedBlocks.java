package dev.upcall.txn.verify;

import dev.upcall.io.Disk;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.PieceMap;
import java.util.Map;
import java.util.TreeMap;

/** The blocks that the pieces of some content name, to be asked for. */
final class NamedBlocks {
  private final PieceMap map;
  private final TreeMap<Long, Long> runs = new TreeMap<>();
  private boolean isPart;

  /** Those that the map names itself; what its tree has is {@link #piece told} by the way. */
  NamedBlocks(PieceMap map) {
    this.map = map;
    for (LayoutEditor.Range run : map.blocks()) {
      runs.put(run.from(), run.to());
    }
  }

  /** The map. */
  PieceMap map() {
    return map;
  }

  /** Pieces of the tree are not told, because another file's check has seen them. */
  void leaveOut() {
    isPart = true;
  }

  /**
   * A piece of the tree.
   *
   * @param position where in the tree's content
   * @throws IllegalArgumentException if it cannot be one
   */
  void piece(PieceMap.Folded folded, long position, PieceMap.Piece piece) {
    if (piece.from() < 0 || piece.from() > folded.edge() - piece.bytes()) {
      throw new IllegalArgumentException(
          "piece of %d bytes at %d, behind %d"
              .formatted(piece.bytes(), piece.from(), folded.edge()));
    }
    // What was cut out since the folding is named no more.
    long end = position + piece.bytes();
    for (PieceMap.Piece kept : map.pieces()) {
      long from = Math.max(position, kept.from());
      long to = Math.min(end, kept.end());
      if (map.isInTree(kept.from()) && from < to) {
        long first = piece.from() + from - position;
        add(new PieceMap.Part(new PieceMap.Piece(to - from, first), false, false));
      }
    }
  }

  private void add(PieceMap.Part part) {
    LayoutEditor.Range blocks = part.ownBlocks();
    if (blocks == null) {
      return;
    }
    long from = blocks.from();
    long to = blocks.to();
    Map.Entry<Long, Long> before = runs.lowerEntry(to);
    if (before != null && before.getValue() > from) {
      throw new IllegalArgumentException(
          "two pieces name block " + Math.max(from, before.getKey()));
    }
    if (before != null && before.getValue() == from) {
      from = before.getKey();
    }
    Long behind = runs.remove(to);
    runs.put(from, behind == null ? to : behind);
  }

  /** How many bytes of these blocks no piece has; 0 where not all pieces were told. */
  long unusedBytes() {
    long blocks = 0;
    for (Map.Entry<Long, Long> run : runs.entrySet()) {
      blocks += run.getValue() - run.getKey();
    }
    return isPart ? 0 : Math.max(0, blocks * Disk.BLOCK_BYTES - map.sizeBytes());
  }

  /** Whether a piece names each block of an entry, as far as pieces were told. */
  boolean hasAll(ExtentEntry entry) {
    Map.Entry<Long, Long> run = runs.floorEntry(entry.logicalBlock());
    return isPart || (run != null && entry.logicalEnd() <= run.getValue());
  }
}
