package dev.upcall.txn.volume;

/**
 * What a volume may use beyond format version 3: a bit each in the superblock, set durably in all
 * copies before the first use and never taken back. A program refuses a volume with a bit that it
 * does not know, by its number.
 */
public enum StoreFeature {
  /** Files that were edited in the middle: inodes with a map of pieces. */
  PIECES(0),
  /** Content of which some is stored coded. */
  CODED(1),
  /** Contents that are found again by their hashes: entries of a tree. */
  DEDUPLICATION(2),
  /** All blocks but the superblocks are encrypted: from the formatting on. */
  SEALED(3),
  /** Files with so many pieces that a tree has them. */
  PIECE_TREES(5),
  /** Tables: segments of a kind of their own, whose entries a tree has. */
  TABLES(6),
  /** Values of entries of tables that are content of their own. */
  LARGE_VALUES(7),
  /** Leaves of the tree of tables' entries that have one copy. */
  SINGLE_LEAVES(8);

  /** All that this program knows. */
  public static final long KNOWN = known();

  private final int number;

  StoreFeature(int number) {
    this.number = number;
  }

  /** The bit. */
  public long bit() {
    return 1L << number;
  }

  /** Whether it is among these. */
  public boolean isIn(long features) {
    return (features & bit()) != 0;
  }

  private static long known() {
    long known = 0;
    for (StoreFeature feature : values()) {
      known |= feature.bit();
    }
    return known;
  }
}
