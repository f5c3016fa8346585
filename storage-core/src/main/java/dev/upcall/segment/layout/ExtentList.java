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
   * @param split receives those of units of which two parts are named where one was
   */
  public static List<ExtentEntry> without(
      List<ExtentEntry> entries, long from, long to, List<Extent> freed, List<Extent> split) {
    List<ExtentEntry> result = new ArrayList<>(entries.size() + 1);
    for (ExtentEntry entry : entries) {
      if (entry.logicalEnd() <= from || entry.logicalBlock() >= to) {
        result.add(entry);
        continue;
      }
      if (entry.logicalBlock() < from) {
        result.add(entry.slice(entry.logicalBlock(), from));
      }
      cut(entry, from, to, freed, split);
      if (entry.logicalEnd() > to) {
        result.add(entry.slice(to, entry.logicalEnd()));
      }
    }
    return result;
  }

  /** As {@link #without}, of entries none of which is coded. */
  public static List<ExtentEntry> withoutPlain(
      List<ExtentEntry> entries, long from, long to, List<Extent> freed) {
    List<Extent> split = new ArrayList<>(0);
    List<ExtentEntry> left = without(entries, from, to, freed, split);
    Invariants.check(split.isEmpty(), "units among plain entries", split.size());
    return left;
  }

  /**
   * Settles the extent of an entry that loses the content blocks [from, to), some of which it has:
   * a part of a unit keeps all of it.
   */
  static void cut(ExtentEntry entry, long from, long to, List<Extent> freed, List<Extent> split) {
    boolean before = entry.logicalBlock() < from;
    boolean behind = entry.logicalEnd() > to;
    if (entry instanceof ExtentEntry.Plain) {
      long first = Math.max(from, entry.logicalBlock());
      freed.add(entry.slice(first, Math.min(to, entry.logicalEnd())).extent());
    } else if (before && behind) {
      split.add(entry.extent());
    } else if (!before && !behind) {
      freed.add(entry.extent());
    }
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
    if (!(last instanceof ExtentEntry.Plain)
        || !(added instanceof ExtentEntry.Plain)
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
        new ExtentEntry.Plain(
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
          parts.add(entry.stored(0).slice(skip, skip + extent.blocks()).at(at));
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
