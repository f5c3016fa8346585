package dev.upcall;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import java.nio.ByteBuffer;

/**
 * A file opened for reading and writing ranges. Writes are collected and committed as one by {@link
 * #flush} or {@link #close}: until then nobody sees them, this handle's own reads included. Reads
 * see the newest committed content, whoever wrote it; use {@link FileManager#openRead} for one
 * fixed version. The handle stays with its file when the file is renamed. Dispatcher's thread only;
 * one writing request at a time, reads at any time. A second one is {@code Busy}, and nothing of it
 * was done; if it is a close, the handle ends with the request under way, and what is collected is
 * given up.
 *
 * <p>A handle that was opened through a {@link FileTransaction} sees what that sees, and its flush
 * makes what was collected a part of it instead. The commit flushes what is still collected. When
 * the transaction has ended, further requests get {@code Closed}, and a close is harmless.
 */
public interface FileHandle {
  /** Metadata as of the last commit through this handle or its opening. */
  FileInfo info();

  /** Content bytes including what is collected. */
  long sizeBytes();

  /**
   * Reads at most {@code maxBytes} (at most 1 MiB) from {@code offset}; fewer only at the end or at
   * a natural border; empty at or behind the end. Failures: {@code NotFound} (the file was
   * deleted), {@code Invalid} (a negative number), {@code Corrupt}, {@code Device}, {@code Closed}.
   */
  void read(long offset, int maxBytes, CompletionPort<ContentSlice> port);

  /**
   * Collects a write; the bytes are copied before the completion. A write behind the end leaves a
   * hole that reads as zeros. A negative offset is {@code Invalid}, and so is a write that would
   * end behind 2<sup>62</sup> - 1. The first write since a flush waits while too many other handles
   * have writes to commit, in the order of coming: {@code Busy} when that takes too long, {@code
   * Cancelled} when the handle is abandoned meanwhile.
   */
  void write(long offset, ByteBuffer bytes, CompletionPort<Unit> port);

  /** Collects a write at the end, wherever that is when it is committed. */
  void append(ByteBuffer bytes, CompletionPort<Unit> port);

  /**
   * Collects a change of the size; what is behind the old end reads as zeros. A size below 0 or
   * above 2<sup>62</sup> - 1 is {@code Invalid}.
   */
  void truncate(long sizeBytes, CompletionPort<Unit> port);

  /**
   * Collects an edit: the bytes come in the place of {@code removed} bytes from {@code offset} on,
   * and what lies behind moves; the bytes are copied before the completion. In the file nothing
   * moves: it costs a log record of the bytes and of what shares a block with them, whatever the
   * file's size. The range must end within the file as it is now: {@code Invalid} otherwise, which
   * says what the size is, as for a size above 2<sup>62</sup> - 1. When the flush merges it with
   * what others have committed, the offset stays what it is; if the range does not end within the
   * file then, the flush is {@code Conflict}.
   */
  void splice(long offset, long removed, ByteBuffer bytes, CompletionPort<Unit> port);

  /** As {@link #splice}: bytes come before what is at an offset, or behind the end. */
  default void insert(long offset, ByteBuffer bytes, CompletionPort<Unit> port) {
    splice(offset, 0, bytes, port);
  }

  /** As {@link #splice}: bytes go, and nothing comes in their place. */
  default void cut(long offset, long lengthBytes, CompletionPort<Unit> port) {
    splice(offset, lengthBytes, ByteBuffer.allocate(0), port);
  }

  /**
   * Collects a copy of a range to places that follow each other, and those of the last such copy
   * where it goes on there: for content that was edited in many places. What lies together already,
   * or behind the end, stays where it is; the content stays as it is in any case. If nothing else
   * is collected, so do the file's times, though its version grows. A negative number is {@code
   * Invalid}.
   */
  void gather(long offset, long lengthBytes, CompletionPort<Unit> port);

  /**
   * Commits what is collected; durable at the completion. Failures besides those of every change:
   * {@code NotFound} (the file was deleted), {@code Conflict} (a large collection, and the file was
   * changed meanwhile; {@code Invalid} if the handle's own transaction did it).
   */
  void flush(CompletionPort<Unit> port);

  /**
   * Flushes, then closes, whatever comes of the flush: what it could not commit is given up. Who
   * wants to try again flushes first.
   */
  void close(CompletionPort<Unit> port);

  /** Gives up what is collected, and what waits for its place, and closes. */
  void abandon();
}
