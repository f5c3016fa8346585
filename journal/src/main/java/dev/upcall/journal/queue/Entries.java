package dev.upcall.journal.queue;

import org.jspecify.annotations.Nullable;

/**
 * Entries of a queue, to be read: see {@link EntryQueue}.
 *
 * <p>One thread at a time; each call may wait for files.
 */
public interface Entries extends AutoCloseable {
  /** Before the first entry. */
  long NONE = -1;

  /** The entry at an index; null when there is none. */
  byte @Nullable [] read(long index) throws QueueException;

  /**
   * The first entry behind an index, whether or not there is one at it, or the first range of
   * damaged bytes; null when there is none yet.
   *
   * @param index {@link #NONE} for the oldest
   */
  EntryQueue.@Nullable Indexed next(long index) throws QueueException;

  /** Between which indexes all entries are that are there now; cheaper than to look at them. */
  EntryQueue.Bounds bounds() throws QueueException;

  @Override
  void close();
}
