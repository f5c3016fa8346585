package dev.upcall.nio.content;

import dev.upcall.nio.collected.Batch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Writes of a channel whose callers do not wait, though they must: for room, for a commit, for the
 * file's other writers. They are done in the order of coming; those that shall be durable and came
 * together share a commit, as far as a batch goes, so each is all or nothing as before. A write
 * whose future is complete before its turn is not done. Any threads.
 */
public final class WriteLine {
  /** What comes together into one commit, where it lies together. */
  private static final int SHARED_BYTES = 1 << 20;

  private final OneByOne turns = new OneByOne();
  private final Queue<Waiting> line = new ConcurrentLinkedQueue<>();
  private final LiveContent content;
  private final boolean shares;

  /**
   * Of a channel's content.
   *
   * @param shares whether each write is a commit, which others may join
   */
  WriteLine(LiveContent content, boolean shares) {
    this.content = content;
    this.shares = shares;
  }

  /** One write; {@code ended} has its bytes. */
  private record Waiting(long offset, ByteBuffer from, CompletableFuture<Integer> ended) {
    void done() {
      int count = from.remaining();
      from.position(from.limit());
      ended.complete(count);
    }
  }

  /** Whether nothing is before what comes now. */
  boolean isIdle() {
    return turns.isIdle();
  }

  /** Writes all that remains of a buffer, which stays the line's until the future is complete. */
  CompletableFuture<Integer> add(long offset, ByteBuffer from) {
    Waiting write = new Waiting(offset, from, new CompletableFuture<>());
    line.add(write);
    turns.execute(this::next);
    return write.ended();
  }

  /** The next one, with those that join it: their own turns find them gone. */
  private void next() {
    Waiting first = line.poll();
    if (first == null || first.ended().isDone()) {
      return;
    }
    Waiting second = line.peek();
    if (!shares || second == null || first.from().remaining() > SHARED_BYTES) {
      alone(first);
      return;
    }
    Batch batch = new Batch(SHARED_BYTES);
    List<Waiting> together = new ArrayList<>();
    put(first, batch, together);
    for (Waiting next = second; next != null && joins(next, batch); next = line.peek()) {
      line.remove();
      put(next, batch, together);
    }
    writeSome(batch, together);
  }

  private static boolean joins(Waiting next, Batch batch) {
    return next.ended().isDone() || batch.fits(next.offset(), false, next.from().remaining());
  }

  /** Unless nobody waits for it any more, or its memory cannot be read. */
  private static void put(Waiting next, Batch batch, List<Waiting> together) {
    if (next.ended().isDone()) {
      return;
    }
    try {
      batch.put(next.offset(), false, next.from().duplicate());
      together.add(next);
    } catch (Throwable memoryIsGone) {
      next.ended().completeExceptionally(memoryIsGone);
    }
  }

  /** As one commit; where that cannot be, as two, since one of them alone may be too much. */
  private void write(Batch batch, List<Waiting> together) {
    try {
      content.commit(batch.pieces());
    } catch (Throwable failed) {
      int half = together.size() / 2;
      again(together.subList(0, half));
      again(together.subList(half, together.size()));
      return;
    }
    together.forEach(Waiting::done);
  }

  private void again(List<Waiting> some) {
    if (some.size() == 1) {
      alone(some.getFirst());
      return;
    }
    Batch batch = new Batch(SHARED_BYTES);
    List<Waiting> together = new ArrayList<>();
    some.forEach(each -> put(each, batch, together));
    writeSome(batch, together);
  }

  private void writeSome(Batch batch, List<Waiting> together) {
    if (together.size() == 1) {
      alone(together.getFirst());
    } else if (!together.isEmpty()) {
      write(batch, together);
    }
  }

  /** Whatever comes of it is its caller's to hear. */
  private void alone(Waiting write) {
    int count = write.from().remaining();
    try {
      content.write(write.offset(), write.from());
      write.ended().complete(count);
    } catch (Throwable failed) {
      write.ended().completeExceptionally(failed);
    }
  }
}
