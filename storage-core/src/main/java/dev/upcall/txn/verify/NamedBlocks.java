package dev.upcall.txn.verify;

import dev.upcall.segment.ExtentEntry;
import dev.upcall.segment.LayoutEditor;
import dev.upcall.segment.PieceMap;
import java.util.Map;
import java.util.TreeMap;

/** The blocks that the pieces of some content name, to be asked for. */
final class NamedBlocks {
  private final TreeMap<Long, Long> runs = new TreeMap<>();

  NamedBlocks(PieceMap pieces) {
    for (LayoutEditor.Range run : pieces.blocks()) {
      runs.put(run.from(), run.to());
    }
  }

  /** Whether a piece names each block of an entry. */
  boolean hasAll(ExtentEntry entry) {
    Map.Entry<Long, Long> run = runs.floorEntry(entry.logicalBlock());
    return run != null && entry.logicalEnd() <= run.getValue();
  }
}
