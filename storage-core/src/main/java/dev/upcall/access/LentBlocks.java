package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.segment.layout.ExtentEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places that some blocks of private content have in common with blocks of others: they belong to
 * nobody who gives them up. Dispatcher's thread only.
 */
final class LentBlocks {
  /** By the last block, as in an extent tree. */
  private final TreeMap<Long, ExtentEntry> entries = new TreeMap<>();

  /** Some blocks more, which have none yet. */
  void add(ExtentEntry entry) {
    ExtentEntry next = ceiling(entry.logicalBlock());
    Invariants.check(
        next == null || next.logicalBlock() >= entry.logicalEnd(),
        "two places lent to block",
        entry.logicalBlock());
    entries.put(entry.logicalEnd() - 1, entry);
  }

  /** The entry that covers a block, or else the next one behind it, or null. */
  @Nullable ExtentEntry ceiling(long block) {
    if (entries.isEmpty()) {
      return null;
    }
    Map.Entry<Long, ExtentEntry> found = entries.ceilingEntry(block);
    return found == null ? null : found.getValue();
  }

  /** The blocks [from, to) have none of these places any more. */
  void drop(long from, long to) {
    for (ExtentEntry entry = ceiling(from);
        entry != null && entry.logicalBlock() < to;
        entry = ceiling(Math.min(to, entry.logicalEnd()))) {
      entries.remove(entry.logicalEnd() - 1);
      if (entry.logicalBlock() < from) {
        add(entry.slice(entry.logicalBlock(), from));
      }
      if (entry.logicalEnd() > to) {
        add(entry.slice(to, entry.logicalEnd()));
        return;
      }
    }
  }

  /** All of them, ascending. */
  List<ExtentEntry> entries() {
    return new ArrayList<>(entries.values());
  }
}
