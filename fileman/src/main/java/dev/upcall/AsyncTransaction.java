package dev.upcall;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.store.Durability;
import java.util.Objects;

/**
 * A {@link FileTransaction} for a single-threaded program on a thread of its own; its completions
 * come where those of the {@link AsyncFiles} come that began it. It must be committed or rolled
 * back before those are closed, or it stays open until nobody has asked anything of it for a while.
 * Changes and the commit are done one after the other, in the order in which they are asked.
 */
public interface AsyncTransaction extends AsyncReads, AsyncChanges {
  /** Which transaction of this opening of the store, counted from 1. */
  long id();

  /** The commit up to which everything that others did is in what it reads. */
  long scn();

  /**
   * Writes a range of a file, as a {@link FileHandle} that is opened for it and closed. A write
   * behind the end leaves a hole that reads as zeros. Gives the file as the transaction sees it.
   *
   * @param bytes must not be changed before the completion
   */
  void write(
      CharSequence path, OpenMode mode, long offset, byte[] bytes, CompletionPort<FileInfo> port);

  /** As {@link #write}, at the end. */
  void append(CharSequence path, OpenMode mode, byte[] bytes, CompletionPort<FileInfo> port);

  /** Sets a file's size; what is behind the old end reads as zeros. */
  void truncate(CharSequence path, OpenMode mode, long sizeBytes, CompletionPort<FileInfo> port);

  /**
   * As {@link #write}: the bytes come in the place of a range, and what lies behind moves ({@link
   * FileHandle#splice}).
   */
  void splice(CharSequence path, OpenMode mode, Splice splice, CompletionPort<FileInfo> port);

  /**
   * An edit in the middle of a file.
   *
   * @param offset where
   * @param removed how many bytes go
   * @param bytes what comes in their place; must not be changed before the completion
   */
  record Splice(long offset, long removed, byte[] bytes) {
    /** Names what is missing. */
    public Splice {
      Objects.requireNonNull(bytes, "bytes");
    }
  }

  /** See {@link FileTransaction#commit}. */
  void commit(Durability durability, CompletionPort<Long> port);

  /** See {@link FileTransaction#rollback}; completes when it is done. */
  void rollback(CompletionPort<Unit> port);
}
