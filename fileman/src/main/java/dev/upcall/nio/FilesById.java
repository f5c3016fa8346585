package dev.upcall.nio;

import dev.upcall.UpcallException;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;

/**
 * Files of a store by their id, whatever they are called by now: what an open channel asks. Any
 * threads; calls wait. Every call may throw {@link UpcallException} with {@code NotFound} when no
 * name leads to the file any more.
 */
public interface FilesById {
  /** Content bytes of the newest version. */
  long sizeBytes(long id);

  /**
   * Reads the newest content from an offset that is not negative on, as much as there is and fits,
   * or less; -1 at or behind the end.
   */
  int read(long id, long offset, ByteBuffer into);

  /**
   * Writes all that remains in a buffer, as one commit, which everybody sees when this returns.
   *
   * @param from backed by an array; its position does not move
   */
  void write(long id, long offset, ByteBuffer from, Durability durability);

  /**
   * As {@link #write}, at the end, wherever that is then.
   *
   * @return the size afterwards
   */
  long append(long id, ByteBuffer from, Durability durability);

  /** Cuts, or grows by zeros, as one commit. */
  void truncate(long id, long sizeBytes, Durability durability);
}
