package dev.upcall.segment.paging;

import dev.upcall.base.Invariants;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.List;

/** Deals out the single blocks of some extents, in order. */
public final class BlockSource {
  private final List<Extent> extents;
  private int extent;
  private long used;

  /** A source over extents that belong to the caller. */
  public BlockSource(List<Extent> extents) {
    this.extents = List.copyOf(extents);
  }

  /** The next block; asking for more than there are is a programmer's error. */
  long next() {
    Invariants.check(extent < extents.size(), "more blocks wanted than were allocated");
    Extent present = extents.get(extent);
    long block = present.block() + used++;
    if (used == present.blocks()) {
      extent++;
      used = 0;
    }
    return block;
  }

  /** What was not dealt out. */
  public List<Extent> rest() {
    List<Extent> rest = new ArrayList<>();
    for (int i = extent; i < extents.size(); i++) {
      Extent whole = extents.get(i);
      rest.add(
          i == extent && used > 0
              ? new Extent(whole.block() + used, whole.blocks() - used)
              : whole);
    }
    return rest;
  }
}
