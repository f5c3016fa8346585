package dev.upcall.journal.queue;

/**
 * A sequence of entries that only grows at its end and is removed from its beginning. Each has an
 * index; later ones have larger ones, not always by one.
 *
 * <p>What is appended survives the end of its process, and a loss of power once it is synced. A
 * loss of power may take what was not: then the queue ends earlier, and indexes come again. It may
 * also leave bytes that nobody has written; whoever reads looks at the checksum that is in them.
 *
 * <p>One thread at a time; each call may wait for files and for other processes, a bounded time.
 */
public interface EntryQueue extends Entries {
  /**
   * Appends an entry, which all other openings of the queue see at once.
   *
   * @param bytes 1 to {@link dev.upcall.journal.entry.EntryCodec#MAX_ENTRY_BYTES}; free to be
   *     changed afterwards
   * @return its index
   */
  long append(byte[] bytes) throws QueueException;

  /**
   * Makes durable all that was appended by anybody before the call. Any thread, beside other calls;
   * those of one process that come together share one.
   */
  void sync() throws QueueException;

  /**
   * Removes entries before an index where that costs little: whole files, so that others may stay.
   */
  void removeBefore(long index) throws QueueException;

  /**
   * Removes the oldest files as long as all together have more bytes than that; never the newest.
   */
  void keep(long bytes) throws QueueException;

  /**
   * Where entries may be.
   *
   * @param first none has a smaller index; the largest number when there are none
   * @param last none has a larger one; {@link #NONE} when there are none
   */
  record Bounds(long first, long last) {}

  /**
   * An entry in its place, or a range of bytes that are damaged, whatever was in them.
   *
   * @param index where it is
   * @param bytes the reader's; none for a damaged range
   * @param damagedBytes how long that is; 0 for an entry
   */
  record Indexed(long index, byte[] bytes, long damagedBytes) {
    private static final byte[] NOTHING = {};

    /** An entry. */
    public Indexed(long index, byte[] bytes) {
      this(index, bytes, 0);
    }

    /** A damaged range. */
    public static Indexed damaged(long index, long damagedBytes) {
      return new Indexed(index, NOTHING, damagedBytes);
    }
  }
}
