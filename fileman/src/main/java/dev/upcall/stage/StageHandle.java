package dev.upcall.stage;

import dev.upcall.FileInfo;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * A file opened for reading and writing ranges; see {@link dev.upcall.FileHandle} for what is seen
 * when. One writing request at a time, reads at any time. Must be closed or abandoned. Buffers are
 * the store's until the stage completes.
 */
public interface StageHandle {
  /** Metadata as of the last commit through this handle or its opening. */
  CompletionStage<FileInfo> info();

  /** Content bytes including what is collected. */
  CompletionStage<Long> sizeBytes();

  /**
   * Reads committed bytes from a position, at most 64 KiB at once; how many bytes it was, -1 at or
   * behind the end.
   */
  CompletionStage<Integer> read(long offset, ByteBuffer into);

  /** Collects a write. The first one since a flush may wait for its place. */
  CompletionStage<Void> write(long offset, ByteBuffer from);

  /** Collects a write at the end. */
  CompletionStage<Void> append(ByteBuffer from);

  /** Collects a change of the size. */
  CompletionStage<Void> truncate(long sizeBytes);

  /**
   * Collects an edit: the bytes come in the place of {@code removed} bytes from {@code offset} on,
   * and what lies behind moves ({@link dev.upcall.FileHandle#splice}).
   */
  CompletionStage<Void> splice(long offset, long removed, ByteBuffer from);

  /** As {@link #splice}: bytes come before what is at an offset, or behind the end. */
  default CompletionStage<Void> insert(long offset, ByteBuffer from) {
    return splice(offset, 0, from);
  }

  /** As {@link #splice}: bytes go, and nothing comes in their place. */
  default CompletionStage<Void> cut(long offset, long lengthBytes) {
    return splice(offset, lengthBytes, ByteBuffer.allocate(0));
  }

  /** Collects a copy of a range ({@link dev.upcall.FileHandle#gather}). */
  CompletionStage<Void> gather(long offset, long lengthBytes);

  /** Commits what is collected: durable when it completes, or a part of the transaction. */
  CompletionStage<Void> flush();

  /** Gives up what is collected and closes. */
  CompletionStage<Void> abandon();

  /** Flushes and closes, whatever comes of the flush: what it could not commit is given up. */
  CompletionStage<Void> close();
}
