package dev.upcall.edit;

import dev.upcall.base.Invariants;

/**
 * What pieces are made of.
 *
 * @param blockBytes the unit of places
 * @param longestRun blocks of the longest run that is given out at once
 */
public record Geometry(int blockBytes, int longestRun) {
  /** Checks the limits. */
  public Geometry {
    Invariants.check(blockBytes > 0 && longestRun > 0, "no geometry", blockBytes, longestRun);
  }

  /** Blocks that so many bytes need. */
  public int blocks(long bytes) {
    return Math.toIntExact((bytes + blockBytes - 1) / blockBytes);
  }

  /** Bytes that so many blocks hold. */
  public long bytes(int blocks) {
    return (long) blocks * blockBytes;
  }

  /** Bytes in the last block, if it is not full; else 0. */
  public int partial(long bytes) {
    return (int) (bytes % blockBytes);
  }
}
