package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A run of placed content.
 *
 * @param logicalBlock the first content block
 * @param extent where it lies
 * @param checksums CRC32C of each whole block on the volume, one for each block of the extent;
 *     never changed
 */
public record ExtentEntry(long logicalBlock, Extent extent, int[] checksums) {
  /** The most blocks of one entry, so that its checksums fit a tree entry. */
  public static final int MAX_BLOCKS = 128;

  /** Checks that every block has a checksum. */
  public ExtentEntry {
    Invariants.check(
        extent.blocks() == checksums.length, "checksums of an extent entry", checksums.length);
  }

  /** The first content block behind the run. */
  public long logicalEnd() {
    return logicalBlock + extent.blocks();
  }

  /** This run in pieces that fit a tree entry. */
  public List<ExtentEntry> pieces() {
    List<ExtentEntry> pieces = new ArrayList<>();
    for (long from = logicalBlock; from < logicalEnd(); from += MAX_BLOCKS) {
      pieces.add(slice(from, Math.min(from + MAX_BLOCKS, logicalEnd())));
    }
    return pieces;
  }

  /** The part of this run inside the content blocks [from, to), which must lie within it. */
  public ExtentEntry slice(long from, long to) {
    if (from == logicalBlock && to == logicalEnd()) {
      return this;
    }
    int skip = Math.toIntExact(from - logicalBlock);
    int blocks = Math.toIntExact(to - from);
    return new ExtentEntry(
        from,
        new Extent(extent.block() + skip, blocks),
        Arrays.copyOfRange(checksums, skip, skip + blocks));
  }
}
