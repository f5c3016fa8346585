package dev.upcall.nio.collected;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Files of a store by their id, whatever they are called by now: what an open channel asks. Any
 * threads; calls wait. Every call may throw {@link UpcallException} with {@code NotFound} when no
 * name leads to the file any more.
 */
public interface FilesById {
  /** The offset of what goes to the end, wherever that is at the commit. */
  long AT_END = -1;

  /** No byte lies at or behind this offset: what is added to one below it is a number, too. */
  long MAX_BYTES = Long.MAX_VALUE / 2;

  /**
   * What is written.
   *
   * @param offset where; or {@link #AT_END}
   * @param bytes all that remains in it; backed by an array
   */
  record Piece(long offset, ByteBuffer bytes) {}

  /** What a path leads to, by what is committed; null where that is nothing. */
  @Nullable FileInfo find(StorePath path, LinkPolicy links);

  /** Content bytes of the newest version. */
  long sizeBytes(long id);

  /**
   * Reads the newest content from an offset that is not negative on, as much as there is and fits,
   * or less; -1 at or behind the end.
   */
  int read(long id, long offset, ByteBuffer into);

  /**
   * As {@link #read}, for a caller that does not wait: complete when this returns where the bytes
   * are in memory, else completed on a thread that nobody else needs. Failures are those that
   * {@link #read} throws. Where too many are asked for they stand in line; one that is cancelled
   * before its turn is not done.
   */
  CompletableFuture<Integer> readLater(long id, long offset, ByteBuffer into);

  /**
   * Writes pieces in their order, as one commit, which everybody sees when this returns; without
   * pieces nothing is committed. Positions of their buffers do not move.
   *
   * @return the size afterwards
   */
  long write(long id, List<Piece> pieces, Durability durability);

  /**
   * Sets metadata, without attributes and expiry, as one commit.
   *
   * @param change not nothing
   */
  void change(long id, MetadataChange change, Durability durability);

  /**
   * Commits a batch as {@link #write} or {@link #change} with {@code ASYNC}, for who is on the
   * store's thread already: the completion comes there, later. Called only from what was given to
   * that thread.
   */
  void commit(long id, Batch batch, CompletionPort<Unit> port);

  /** Cuts, or grows by zeros, as one commit. */
  void truncate(long id, long sizeBytes, Durability durability);

  /**
   * All that was committed before, of all files, is durable when this returns; does not wait where
   * that is known already.
   */
  void flush();

  /**
   * Bytes for which the volume had room at the last commit through this: free ones, and those that
   * it may grow by. 0 before the first. Does not wait.
   */
  long roomBytes();
}
