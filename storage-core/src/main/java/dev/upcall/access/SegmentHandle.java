package dev.upcall.access;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.Inode;
import java.nio.ByteBuffer;

/**
 * A segment opened for reading and writing: the raw access method. Writes are collected in the
 * handle and seen by this handle's own reads only after {@link #flush}; flush, force and close
 * commit them as one unit. Dispatcher's thread only, one request at a time for writes; failures
 * leave what was committed before.
 */
public interface SegmentHandle {
  /** Metadata as of the last commit through this handle or its opening. */
  Inode inode();

  /** Content bytes including what is collected and not yet committed. */
  long sizeBytes();

  /** Whether something is collected that a flush would commit. */
  boolean isDirty();

  /**
   * Collects a write; the bytes are copied before the completion. A write behind the end leaves a
   * hole that reads as zeros. A negative offset is {@code Invalid}, and so is a write that would
   * end behind 2<sup>62</sup> - 1. The first write since the last commit waits while too many other
   * handles have writes to commit, in the order of coming; {@code Busy} when that takes too long.
   */
  void write(long offset, ByteBuffer bytes, CompletionPort<Unit> port);

  /** Collects a write at the end, wherever that is when the write is committed. */
  void append(ByteBuffer bytes, CompletionPort<Unit> port);

  /**
   * Collects a change of the size; bytes behind a later growth read as zeros. A size below 0 or
   * above 2<sup>62</sup> - 1 is {@code Invalid}.
   */
  void truncate(long sizeBytes, CompletionPort<Unit> port);

  /**
   * Collects an edit: the bytes come in the place of {@code removed} bytes from {@code offset} on,
   * and what lies behind moves. The range must end within the content as it is at this call, and
   * again at the commit, for which the offset stays what it is whatever others have changed; else
   * {@code Invalid} here and {@code Conflict} there. So is a size above 2<sup>62</sup> - 1.
   */
  void splice(long offset, long removed, ByteBuffer bytes, CompletionPort<Unit> port);

  /**
   * Collects a copy of a range to places that follow each other, and those of the last such copy
   * where it goes on there; the content stays as it is. What lies together already, or lies behind
   * the end, is left where it is. A negative number is {@code Invalid}. If nothing else is
   * collected, the commit leaves the segment's times alone.
   */
  void gather(long offset, long lengthBytes, CompletionPort<Unit> port);

  /**
   * Commits what is collected: durable at the completion, or, in a transaction, a part of that. A
   * large collection of which the segment was changed meanwhile is {@code Conflict}, and {@code
   * Invalid} in the transaction that did it.
   */
  void flush(CompletionPort<Unit> port);

  /**
   * Runs the report's SegmentClose machine: flush if dirty, then close. After a failed flush the
   * handle stays open and dirty.
   */
  void close(CompletionPort<Unit> port);

  /** A request that waits because too many other handles have writes is {@code Cancelled}. */
  void stopWaiting();

  /** Gives up what is collected and closes. */
  void abandon();
}
