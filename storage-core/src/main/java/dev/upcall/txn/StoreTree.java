package dev.upcall.txn;

import dev.upcall.segment.layout.KnownContent;
import java.util.Arrays;
import java.util.List;

/**
 * The store's trees, one line each. A new one is a line here and what the compiler then asks for;
 * {@code docs/format.md} lists them, too. The numbers are stored and never given twice: 11 is
 * reserved by a design that is to come, 16 is that of the segments' own extent trees ({@code
 * LayoutTrees}) and 17 that of their maps.
 */
public enum StoreTree {
  /** Segment id (u64, big-endian) to inode. */
  INODES(1, KeyForm.SEGMENT, Writer.PLANS_BY_INODE, 1),

  /**
   * Parent id (u64, big-endian) and name (UTF-8) to segment id (u64, little-endian) and kind (u8).
   */
  NAMES(2, KeyForm.SEGMENT_AND_NAME, Writer.PLANS, 1),

  /** Segment id (u64, big-endian) to the inode of a detached segment that is being reclaimed. */
  ORPHANS(3, KeyForm.SEGMENT, Writer.PLANS, 1),

  /**
   * The image of content that was unplaced at the checkpoint: segment and block (u64, big-endian)
   * to an extent entry.
   */
  UNPLACED(4, KeyForm.SEGMENT_AND_BLOCK, Writer.CHECKPOINT, 1),

  /** Small properties of the store by name (UTF-8): importer's state and the like. */
  PROPERTIES(5, KeyForm.NAME, Writer.PLANS, 1),

  /** Snapshots by name (UTF-8). */
  SNAPSHOTS(6, KeyForm.NAME, Writer.PLANS, 2),

  /** Extents that more than one file shares, by their last block (u64, big-endian). */
  SHARED(7, KeyForm.BLOCK, Writer.PLANS, 2),

  /**
   * When files expire ({@code ExpiryKeys}) to the key of the file's name in {@link #NAMES}. One
   * entry for each inode that has an expiry, always of the same change.
   */
  EXPIRY(8, KeyForm.TIME_AND_SEGMENT, Writer.PLANS, 2),

  /** The entries of all tables: {@code TableEntries}. */
  ENTRIES(9, KeyForm.TABLE_AND_KEY, Writer.PLANS, 4),

  /** By which hashes the content of files is found again: {@code KnownContent}. */
  CONTENTS(10, KeyForm.HASHES, Writer.PLANS, 4);

  /**
   * Those whose present state is theirs alone, ascending: a checkpoint and a snapshot freeze them,
   * and the log holds their changes.
   */
  public static final List<StoreTree> FROZEN =
      Arrays.stream(values()).filter(StoreTree::isFrozen).toList();

  private static final int FEATURES_FORMAT = 4;

  private static final StoreTree[] ALL = values();

  private final int number;
  private final KeyForm keyForm;
  private final Writer writer;
  private final int sinceFormat;

  /** What the keys of a tree are made of. */
  public enum KeyForm {
    /** A segment id. */
    SEGMENT(Long.BYTES, Long.BYTES),
    /** A segment id and a name. */
    SEGMENT_AND_NAME(Long.BYTES + 1, KeyForm.MAX_BYTES),
    /** A segment id and a block of its content. */
    SEGMENT_AND_BLOCK(2 * Long.BYTES, 2 * Long.BYTES),
    /** A name. */
    NAME(1, KeyForm.MAX_BYTES),
    /** A block of the volume. */
    BLOCK(Long.BYTES, Long.BYTES),
    /** A time and a segment id. */
    TIME_AND_SEGMENT(2 * Long.BYTES, 2 * Long.BYTES),
    /** A table's segment id and the key of an entry, which may be empty. */
    TABLE_AND_KEY(Long.BYTES, Long.BYTES + TableEntries.MAX_KEY_BYTES),
    /** Two hashes of content, or what says how many there are. */
    HASHES(1, KnownContent.KEY_BYTES);

    /** No key is longer. */
    public static final int MAX_BYTES = 300;

    private final int leastBytes;
    private final int mostBytes;

    KeyForm(int leastBytes, int mostBytes) {
      this.leastBytes = leastBytes;
      this.mostBytes = mostBytes;
    }

    /** Whether a key can be of this form. */
    public boolean fits(byte[] key) {
      return leastBytes <= key.length && key.length <= mostBytes;
    }
  }

  /** Who changes a tree. */
  private enum Writer {
    /** Plans, entry by entry. */
    PLANS,
    /** Plans, but only by what changes a segment and its content together. */
    PLANS_BY_INODE,
    /** The checkpoint, which makes it anew each time; no log record names it. */
    CHECKPOINT
  }

  StoreTree(int number, KeyForm keyForm, Writer writer, int sinceFormat) {
    this.number = number;
    this.keyForm = keyForm;
    this.writer = writer;
    this.sinceFormat = sinceFormat;
  }

  /**
   * The tree with a number that was stored.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static StoreTree of(int number) {
    for (StoreTree tree : ALL) {
      if (tree.number == number) {
        return tree;
      }
    }
    throw new IllegalArgumentException("tree " + number + " is none of the store's");
  }

  /** Whether there is a tree with this number. */
  public static boolean isOne(int number) {
    return Arrays.stream(ALL).anyMatch(tree -> tree.number == number);
  }

  /** How it is named in what is stored. */
  public int number() {
    return number;
  }

  /** What its keys are made of. */
  public KeyForm keyForm() {
    return keyForm;
  }

  /** Whether checkpoints and snapshots freeze it, and records of the log change it. */
  public boolean isFrozen() {
    return writer != Writer.CHECKPOINT;
  }

  /** Whether plans may put and remove single entries. */
  public boolean isWritable() {
    return writer == Writer.PLANS;
  }

  /** Whether only volumes that use a feature have it, so that others must not name it. */
  public boolean isOfFeature() {
    return sinceFormat >= FEATURES_FORMAT;
  }

  /** The first format version that has it; in a volume of an older one it is empty. */
  public int sinceFormat() {
    return sinceFormat;
  }
}
