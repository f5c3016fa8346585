package dev.upcall.space;

import dev.upcall.base.Invariants;

/**
 * Contiguous blocks of the volume.
 *
 * @param block the first block's address
 * @param blocks how many, at least one
 */
public record Extent(long block, long blocks) {
  /** Checks that the extent is one. */
  public Extent {
    Invariants.check(block >= 0 && blocks > 0, "not an extent", block, blocks);
  }

  /** The first address behind the extent. */
  public long end() {
    return block + blocks;
  }
}
