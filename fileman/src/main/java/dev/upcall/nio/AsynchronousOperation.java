package dev.upcall.nio;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An operation of an asynchronous channel, from its call to its end. It ends once: with what it
 * came to, or before that because it was cancelled or its channel closed. One that has ended before
 * it began is not done.
 */
final class AsynchronousOperation<T> extends CompletableFuture<T> {
  private final UpcallAsynchronousChannel channel;
  private final Callable<T> body;
  private final @Nullable Heard<T> handler;

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
      UpcallAsynchronousChannel channel, Callable<T> body, @Nullable Heard<T> handler) {
    this.channel = channel;
    this.body = body;
    this.handler = handler;
  }

  /** Does it and tells; on a thread of the channel's executor. */
  void run() {
    if (isDone()) {
      return;
    }
    T value;
    try {
      value = body.call();
    } catch (Exception failure) {
      // It was open when this was asked for.
      boolean closed = failure.getClass() == ClosedChannelException.class;
      fail(closed ? new AsynchronousCloseException() : failure, Runnable::run);
      return;
    } catch (Error broken) {
      fail(broken, Runnable::run);
      throw broken;
    }
    channel.ended(this);
    Heard<T> heard = handler;
    if (complete(value) && heard != null) {
      heard.completed(value);
    }
  }

  /** Ends it before it has come to anything. */
  void fail(Throwable failure, Executor teller) {
    channel.ended(this);
    Heard<T> heard = handler;
    if (completeExceptionally(failure) && heard != null) {
      teller.execute(() -> heard.failed(failure));
    }
  }

  /** Interrupting what may be running means to close the channel, as the JDK has it. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = completeExceptionally(new CancellationException());
    if (cancelled) {
      channel.ended(this);
      if (mayInterruptIfRunning) {
        channel.closeForCancel();
      }
    }
    return cancelled;
  }
}
