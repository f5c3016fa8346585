package dev.upcall.nio.channel;

import dev.upcall.nio.content.Content;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An operation of an asynchronous channel, from its call to its end. It ends once: with what it
 * came to, or before that because it was cancelled or its channel closed. One that has ended before
 * it began is not done.
 */
public final class AsynchronousOperation<T> extends CompletableFuture<T> {
  private final UpcallAsynchronousChannel channel;
  private final Body<T> body;
  private final @Nullable Heard<T> handler;
  private volatile @Nullable CompletableFuture<T> doing;

  /** What it does. */
  interface Body<T> {
    /** Does it, or begins it; does not wait. Cancelled before its turn it is not done. */
    CompletableFuture<T> begin() throws IOException;
  }

  /** Whom to tell of the end, with what goes along. */
  record Heard<T>(CompletionHandler<T, Object> handler, @Nullable Object attachment) {
    /** As programs give them. */
    @SuppressWarnings("unchecked") // it is given nothing but its own attachment
    static <T, A> Heard<T> of(CompletionHandler<T, ? super A> handler, @Nullable A attachment) {
      return new Heard<>((CompletionHandler<T, Object>) handler, attachment);
    }

    @SuppressWarnings("NullAway") // an attachment may be missing, as the JDK says
    void completed(T value) {
      handler.completed(value, attachment);
    }

    @SuppressWarnings("NullAway") // as above
    void failed(Throwable failure) {
      handler.failed(failure, attachment);
    }
  }

  /** Of a channel; null if nobody but the future's holder hears of it. */
  AsynchronousOperation(
      UpcallAsynchronousChannel channel, Body<T> body, @Nullable Heard<T> handler) {
    this.channel = channel;
    this.body = body;
    this.handler = handler;
  }

  /**
   * Begins it. Does not wait.
   *
   * @param teller runs the handler if it ends within this call
   */
  void begin(Executor teller) {
    if (isDone()) {
      return;
    }
    CompletableFuture<T> begun;
    try {
      begun = channel.isOpen() ? body.begin() : CompletableFuture.failedFuture(closed());
    } catch (Throwable failure) {
      begun = CompletableFuture.failedFuture(failure);
    }
    if (begun.isDone()) {
      end(begun, teller);
      return;
    }
    CompletableFuture<T> going = begun;
    doing = going;
    going.whenComplete((_, _) -> end(going, channel::tell));
    if (isDone()) {
      going.cancel(false); // it ended before that was known
    }
  }

  private static ClosedChannelException closed() {
    return new ClosedChannelException();
  }

  private void end(CompletableFuture<T> begun, Executor teller) {
    if (begun.isCompletedExceptionally()) {
      if (!isDone()) {
        fail(channel.told(begun.exceptionNow()), teller);
      }
      return;
    }
    channel.ended(this);
    Heard<T> heard = handler;
    T value = begun.resultNow();
    if (complete(value) && heard != null) {
      teller.execute(() -> heard.completed(value));
    }
  }

  /** Ends it before it has come to anything. */
  void fail(Throwable failure, Executor teller) {
    channel.ended(this);
    Heard<T> heard = handler;
    if (completeExceptionally(failure)) {
      giveUp();
      if (heard != null) {
        teller.execute(() -> heard.failed(failure));
      }
    }
  }

  private void giveUp() {
    CompletableFuture<T> present = doing;
    if (present != null) {
      present.cancel(false);
    }
  }

  /** Interrupting what may be running means to close the channel, as the JDK has it. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = completeExceptionally(new CancellationException());
    if (cancelled) {
      channel.ended(this);
      giveUp();
      if (mayInterruptIfRunning) {
        channel.closeForCancel();
      }
    }
    return cancelled;
  }

  /** Reads all that there is and fits; complete when it returns where nothing is waited for. */
  static CompletableFuture<Integer> read(Content content, long offset, ByteBuffer into) {
    Reading read = new Reading(content, offset, into);
    read.step();
    return read;
  }

  /**
   * A read that goes on until its buffer is full or the file ends, step by step on whichever thread
   * a step has ended; none waits. Cancelled, it asks for no more.
   */
  private static final class Reading extends CompletableFuture<Integer> {
    private final Content content;
    private final long offset;
    private final ByteBuffer into;
    private int total;
    private volatile @Nullable CompletableFuture<Integer> asked;

    private Reading(Content content, long offset, ByteBuffer into) {
      this.content = content;
      this.offset = offset;
      this.into = into;
    }

    private void step() {
      while (!isDone()) {
        if (!into.hasRemaining()) {
          complete(total);
          return;
        }
        CompletableFuture<Integer> next = content.readLater(offset + total, into);
        if (!next.isDone()) {
          asked = next;
          next.whenComplete(
              (count, failure) -> {
                if (took(count, failure)) {
                  step();
                }
              });
          if (isDone()) {
            next.cancel(false); // it was cancelled before this was known
          }
          return;
        }
        boolean failed = next.isCompletedExceptionally();
        took(failed ? null : next.resultNow(), failed ? next.exceptionNow() : null);
      }
    }

    /** Whether there may be more to read. */
    private boolean took(@Nullable Integer count, @Nullable Throwable failure) {
      if (count == null) {
        completeExceptionally(
            failure == null ? new IllegalStateException("a read without an end") : failure);
        return false;
      }
      if (count < 0) {
        complete(total == 0 ? -1 : total);
        return false;
      }
      total += count;
      return true;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      boolean cancelled = super.cancel(mayInterruptIfRunning);
      CompletableFuture<Integer> present = asked;
      if (present != null) {
        present.cancel(false);
      }
      return cancelled;
    }
  }
}
