package dev.upcall.nio.content;

import dev.upcall.Upcall;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** One version of a file, in a snapshot. */
public final class FixedContent implements Content {
  private final ReentrantLock oneAtATime = new ReentrantLock();
  private final OneByOne turns = new OneByOne();
  private final Upcall.ReadStream version;
  private final OpenFiles open;
  private final OpenFile file;

  public FixedContent(Upcall.ReadStream version, OpenFiles open, OpenFile file) {
    this.version = version;
    this.open = open;
    this.file = file;
  }

  @Override
  public long sizeBytes() {
    return version.info().sizeBytes();
  }

  @Override
  public int read(long offset, ByteBuffer into) {
    oneAtATime.lock();
    try {
      return version.read(offset, into);
    } finally {
      oneAtATime.unlock();
    }
  }

  /** One after the other, as whoever waits reads it. */
  @Override
  public CompletableFuture<Integer> readLater(long offset, ByteBuffer into) {
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    turns.execute(
        () -> {
          try {
            if (!ended.isDone()) {
              ended.complete(read(offset, into));
            }
          } catch (Throwable failed) {
            ended.completeExceptionally(failed);
          }
        });
    return ended;
  }

  @Override
  public FileLocks locks() {
    return file.locks();
  }

  @Override
  public void close() {
    oneAtATime.lock();
    try {
      version.close();
    } finally {
      oneAtATime.unlock();
      open.close(file);
    }
  }
}
