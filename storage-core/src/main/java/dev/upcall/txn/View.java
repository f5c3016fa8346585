package dev.upcall.txn;

import dev.upcall.segment.layout.Inode;
import dev.upcall.tree.PageMissing;
import org.jspecify.annotations.Nullable;

/**
 * The committed state as a query or change sees it. Every method may throw {@code PageMissing},
 * which only the engine catches.
 */
public interface View {
  /** The value of a key, or null. The array must not be changed. */
  byte @Nullable [] get(StoreTree tree, byte[] key);

  /** The entries from a key on, ascending in byte order. Valid only inside the present run. */
  Scan from(StoreTree tree, byte[] key);

  /** The entries below a key, descending in byte order. Valid only inside the present run. */
  Scan below(StoreTree tree, byte[] key);

  /** The inode with this id, or null. */
  @Nullable Inode inode(long id);

  /**
   * Fills in the inodes with these ids where none is yet, as far as there are any. When pages are
   * not in memory it fills in the others first, and those pages are read side by side.
   */
  default void inodes(long[] ids, @Nullable Inode[] into) {
    PageMissing missing = null;
    for (int i = 0; i < ids.length; i++) {
      if (into[i] == null) {
        try {
          into[i] = inode(ids[i]);
        } catch (PageMissing one) {
          missing = missing == null ? one : missing.with(one);
        }
      }
    }
    if (missing != null) {
      throw missing;
    }
  }

  /** The SCN of the state seen. */
  long scn();

  /**
   * The time by which the state is looked at, nanoseconds since 1970: the present for the present
   * state, and for a snapshot the moment in which it was taken, for ever.
   */
  long timeNanos();

  /** Walks entries. */
  interface Scan {
    /**
     * Before the first step: entries at or above a key, downwards those below it, are not wanted.
     * It may end there, and needs no page that has no others.
     */
    default Scan to(byte[] bound) {
      return this;
    }

    /** Goes to the next entry (the first call: to the first); false at the end. */
    boolean next();

    /** The entry's key. */
    byte[] key();

    /** The entry's value. */
    byte[] value();
  }
}
