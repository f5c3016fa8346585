package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arithmetic on the sorted entries of a small layout. Pure; the lists given are not changed. */
public final class ExtentList {
  private ExtentList() {}

  /** The first entry that ends behind a content block, or null. */
  public static @Nullable ExtentEntry ceiling(List<ExtentEntry> entries, long logicalBlock) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).logicalEnd() <= logicalBlock) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < entries.size() ? entries.get(low) : null;
  }

  /**
   * The entries without the content blocks [from, to).
   *
   * @param freed receives the extents that are no longer named
   */
  public static List<ExtentEntry> without(
      List<ExtentEntry> entries, long from, long to, List<Extent> freed) {
    List<ExtentEntry> result = new ArrayList<>(entries.size() + 1);
    for (ExtentEntry entry : entries) {
      if (entry.logicalEnd() <= from || entry.logicalBlock() >= to) {
        result.add(entry);
        continue;
      }
      if (entry.logicalBlock() < from) {
        result.add(entry.slice(entry.logicalBlock(), from));
      }
      freed.add(
          entry
              .slice(Math.max(from, entry.logicalBlock()), Math.min(to, entry.logicalEnd()))
              .extent());
      if (entry.logicalEnd() > to) {
        result.add(entry.slice(to, entry.logicalEnd()));
      }
    }
    return result;
  }

  /**
   * The entries with one more, which must not overlap any; neighbours that continue each other are
   * joined.
   */
  public static List<ExtentEntry> with(List<ExtentEntry> entries, ExtentEntry added) {
    List<ExtentEntry> result = new ArrayList<>(entries.size() + 1);
    boolean placed = false;
    for (ExtentEntry entry : entries) {
      if (!placed && entry.logicalBlock() >= added.logicalEnd()) {
        append(result, added);
        placed = true;
      }
      Invariants.check(
          entry.logicalEnd() <= added.logicalBlock() || entry.logicalBlock() >= added.logicalEnd(),
          "extent entries overlap at block",
          added.logicalBlock());
      append(result, entry);
    }
    if (!placed) {
      append(result, added);
    }
    return result;
  }

  /**
   * Appends behind the last entry, joining both if they continue each other and stay within the
   * limit.
   */
  public static void append(List<ExtentEntry> entries, ExtentEntry added) {
    ExtentEntry last = entries.isEmpty() ? null : entries.getLast();
    if (last == null
        || last.logicalEnd() != added.logicalBlock()
        || last.extent().end() != added.extent().block()
        || last.checksums().length + added.checksums().length > ExtentEntry.MAX_BLOCKS) {
      entries.add(added);
      return;
    }
    int[] checksums = new int[last.checksums().length + added.checksums().length];
    System.arraycopy(last.checksums(), 0, checksums, 0, last.checksums().length);
    System.arraycopy(
        added.checksums(), 0, checksums, last.checksums().length, added.checksums().length);
    entries.set(
        entries.size() - 1,
        new ExtentEntry(
            last.logicalBlock(), new Extent(last.extent().block(), checksums.length), checksums));
  }

  /** Parts of a layout, one behind the other, by where they lie; which of several is the same. */
  public static Layout.Extents parts(Layout.Extents layout, List<Extent> extents) {
    List<ExtentEntry> parts = new ArrayList<>();
    long at = 0;
    for (Extent extent : extents) {
      for (ExtentEntry entry : layout.entries()) {
        long skip = extent.block() - entry.extent().block();
        if (skip >= 0 && extent.end() <= entry.extent().end()) {
          long from = entry.logicalBlock() + skip;
          ExtentEntry part = entry.slice(from, from + extent.blocks());
          parts.add(new ExtentEntry(at, part.extent(), part.checksums()));
          at = parts.getLast().logicalEnd();
          break;
        }
      }
    }
    long missing = extents.stream().mapToLong(Extent::blocks).sum() - at;
    Invariants.check(missing == 0, "blocks cut out of a layout without them", missing);
    return new Layout.Extents(parts);
  }
}
