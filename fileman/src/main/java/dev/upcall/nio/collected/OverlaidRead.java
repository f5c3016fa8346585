package dev.upcall.nio.collected;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One read of a file, of which writes are collected: what is collected lies over what is committed,
 * and zeros lie between the end of that and a write behind it. No lock is held while the store is
 * asked; when something was committed meanwhile where it had nothing, it is asked again.
 */
final class OverlaidRead {
  private final PendingReads pending;
  private final long offset;
  private final ByteBuffer into;

  /**
   * What is collected from an offset on.
   *
   * @param count bytes that were copied; -1 at or behind the end; {@link #ASK}: none are collected
   * @param until where the next collected byte lies
   * @param through batches that were committed by then
   */
  record Look(int count, long until, long through) {
    static final int ASK = -2;

    boolean isAnswer() {
      return count != ASK;
    }
  }

  /** Of a file with writes that are collected, or were a moment ago. */
  OverlaidRead(PendingReads pending, long offset, ByteBuffer into) {
    this.pending = pending;
    this.offset = offset;
    this.into = into;
  }

  /** As {@link FilesById#read}. */
  int now() {
    while (true) {
      Look look = pending.look(offset, into);
      if (look.isAnswer()) {
        return look.count();
      }
      Integer count = taken(look, pending.readCommitted(offset, committed(look)));
      if (count != null) {
        return count;
      }
    }
  }

  /** As {@link FilesById#readLater}. */
  CompletableFuture<Integer> later() {
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    step(ended);
    return ended;
  }

  private void step(CompletableFuture<Integer> ended) {
    while (!ended.isDone()) {
      Look look = pending.look(offset, into);
      if (look.isAnswer()) {
        ended.complete(look.count());
        return;
      }
      CompletableFuture<Integer> asked = pending.readCommittedLater(offset, committed(look));
      if (!asked.isDone()) {
        asked.whenComplete(
            (count, failure) -> {
              if (!hasEnded(ended, look, count, failure)) {
                step(ended);
              }
            });
        ended.whenComplete((_, _) -> asked.cancel(false));
        return;
      }
      boolean failed = asked.isCompletedExceptionally();
      hasEnded(
          ended, look, failed ? null : asked.resultNow(), failed ? asked.exceptionNow() : null);
    }
  }

  /** Takes what the store has answered; false if it must be asked again. */
  private boolean hasEnded(
      CompletableFuture<Integer> ended,
      Look look,
      @Nullable Integer committed,
      @Nullable Throwable failure) {
    if (committed == null) {
      ended.completeExceptionally(
          failure == null ? new IllegalStateException("a read without an end") : failure);
      return true;
    }
    Integer count = taken(look, committed);
    if (count != null) {
      ended.complete(count);
    }
    return count != null;
  }

  /** Where the store's bytes go: no further than what is collected behind them. */
  private ByteBuffer committed(Look look) {
    int count = (int) Math.min(look.until() - offset, into.remaining());
    return into.slice(into.position(), count);
  }

  /** Null if the store must be asked again. */
  private @Nullable Integer taken(Look look, int committed) {
    if (committed > 0) {
      into.position(into.position() + committed);
      return committed;
    }
    return pending.behindCommitted(offset, into, look);
  }
}
