package dev.upcall.segment;

import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.ExtentList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Content that had no place when a named snapshot was made: its blocks are on the volume, in the
 * image that the snapshot's checkpoint wrote, and lie over what the layout says.
 */
public final class ImagedBlocks implements Unplaced {
  private final List<ExtentEntry> entries;

  /** The entries of one segment, ascending. */
  public ImagedBlocks(List<ExtentEntry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** A run of them. */
  record Run(ExtentEntry entry) implements Piece {
    @Override
    public long block() {
      return entry.logicalBlock();
    }

    @Override
    public long end() {
      return entry.logicalEnd();
    }
  }

  @Override
  public @Nullable Run ceiling(long block) {
    ExtentEntry entry = ExtentList.ceiling(entries, block);
    return entry == null ? null : new Run(entry);
  }

  @Override
  public boolean isEmpty() {
    return entries.isEmpty();
  }
}
