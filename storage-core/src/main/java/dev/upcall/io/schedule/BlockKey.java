package dev.upcall.io.schedule;

/**
 * Orders dispatches by a block, and those at the same block by their age.
 *
 * @param number the older, the lower
 */
record BlockKey(long block, long number) implements Comparable<BlockKey> {
  /** Before all at a block. */
  static BlockKey before(long block) {
    return new BlockKey(block, 0);
  }

  @Override
  public int compareTo(BlockKey other) {
    int byBlock = Long.compare(block, other.block);
    return byBlock != 0 ? byBlock : Long.compare(number, other.number);
  }
}
