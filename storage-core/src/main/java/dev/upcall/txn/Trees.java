package dev.upcall.txn;

/** The store's trees by number; the numbers are stored. */
public final class Trees {
  /** Segment id (u64, big-endian) to inode. */
  public static final int INODES = 1;

  /**
   * Parent id (u64, big-endian) and name (UTF-8) to segment id (u64, little-endian) and kind (u8).
   */
  public static final int NAMES = 2;

  /** Segment id (u64, big-endian) to the inode of a detached segment that is being reclaimed. */
  public static final int ORPHANS = 3;

  /**
   * The image of content that was unplaced at the checkpoint: segment and block (u64, big-endian)
   * to an extent entry.
   */
  public static final int UNPLACED = 4;

  /** Small properties of the store by name (UTF-8): importer's state and the like. */
  public static final int PROPERTIES = 5;

  /** Snapshots by name (UTF-8); since format version 2. */
  public static final int SNAPSHOTS = 6;

  /** Extents that more than one file shares; since format version 2. */
  public static final int SHARED = 7;

  /**
   * When files expire ({@link ExpiryKeys}) to the key of the file's name in {@link #NAMES}; since
   * format version 2. One entry for each inode that has an expiry, always of the same change.
   */
  public static final int EXPIRY = 8;

  /** How many there are. */
  static final int COUNT = 8;

  private Trees() {}
}
