package dev.upcall.space;

import dev.upcall.base.Invariants;
import java.util.function.Consumer;

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

  /** Each block alone as an extent, as those of a page are, which lie far from each other. */
  public static void each(long[] blocks, Consumer<? super Extent> to) {
    for (long block : blocks) {
      to.accept(new Extent(block, 1));
    }
  }

  /** The first address behind the extent. */
  public long end() {
    return block + blocks;
  }
}
