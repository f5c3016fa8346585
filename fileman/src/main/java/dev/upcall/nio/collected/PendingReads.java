package dev.upcall.nio.collected;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The content of one file as all who have it open see it: what is collected over what is committed.
 * Any threads.
 */
public final class PendingReads {
  private final FilesById files;
  private final long id;
  private final ReentrantLock lock;
  private final Batches batches;

  /**
   * Of a file.
   *
   * @param lock guards the batches
   */
  PendingReads(FilesById files, long id, ReentrantLock lock, Batches batches) {
    this.files = files;
    this.id = id;
    this.lock = lock;
    this.batches = batches;
  }

  /** The file's size. */
  public long sizeBytes() {
    if (batches.isAny()) {
      lock.lock();
      try {
        if (batches.isAny()) {
          return batches.sizeBytes();
        }
      } finally {
        lock.unlock();
      }
    }
    return files.sizeBytes(id);
  }

  /** As {@link FilesById#read}. */
  public int read(long offset, ByteBuffer into) {
    return batches.isAny()
        ? new OverlaidRead(this, offset, into).now()
        : readCommitted(offset, into);
  }

  /** As {@link FilesById#read}, of what is committed. */
  int readCommitted(long offset, ByteBuffer into) {
    return files.read(id, offset, into);
  }

  /** As {@link FilesById#readLater}. */
  public CompletableFuture<Integer> readLater(long offset, ByteBuffer into) {
    return batches.isAny()
        ? new OverlaidRead(this, offset, into).later()
        : readCommittedLater(offset, into);
  }

  /** As {@link FilesById#readLater}, of what is committed. */
  CompletableFuture<Integer> readCommittedLater(long offset, ByteBuffer into) {
    return files.readLater(id, offset, into);
  }

  /** Copies some of what is collected from an offset on; waits for nobody but for moments. */
  OverlaidRead.Look look(long offset, ByteBuffer into) {
    lock.lock();
    try {
      return batches.look(offset, into);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The bytes from an offset on, where the committed content ends at or before it; as {@link
   * FilesById#read}, or null: something was committed since a look, and may lie there.
   */
  @Nullable Integer behindCommitted(long offset, ByteBuffer into, OverlaidRead.Look before) {
    lock.lock();
    try {
      if (batches.through() != before.through()) {
        return null;
      }
      OverlaidRead.Look now = batches.look(offset, into);
      return now.isAnswer() ? now.count() : Batches.zeros(now, offset, into);
    } finally {
      lock.unlock();
    }
  }
}
