package dev.upcall.fileman.stage;

import dev.upcall.FileInfo;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a publisher sends into the store: subscribes at once, since a publisher may send from
 * then on, asks for one buffer when the store has begun and when the one before is there, and makes
 * something of all when it ends. Signals come one at a time, as the rules of {@link Flow} have it.
 * An exception of the publisher or its subscription fails the whole.
 *
 * @param <T> what is made
 */
final class ContentSink<T> implements Flow.Subscriber<ByteBuffer> {
  private static final System.Logger LOG = System.getLogger(ContentSink.class.getName());

  private final CompletableFuture<T> whole;

  /** The store has begun. */
  private final CompletableFuture<Target<T>> begun = new CompletableFuture<>();

  private volatile Flow.@Nullable Subscription subscription;

  private final AtomicBoolean cancelled = new AtomicBoolean();

  /** The buffer before; of who signals. */
  private CompletionStage<?> last = begun;

  /** What takes the bytes. */
  interface Target<T> {
    CompletionStage<Void> append(ByteBuffer bytes);

    /** Makes something of all. */
    CompletionStage<T> finish();

    /** Gives all up. */
    void abandon();

    /** What was made is wanted by nobody any more. */
    default void lost(T made) {
      // What is visible stays so.
    }
  }

  /**
   * A whole file.
   *
   * @param result what is made of it when it is there
   */
  record IntoFile<T>(DoorPut put, Function<? super FileInfo, ? extends T> result)
      implements Target<T> {
    @Override
    public CompletionStage<Void> append(ByteBuffer bytes) {
      return put.append(bytes);
    }

    @Override
    public CompletionStage<T> finish() {
      return put.commit().thenApply(result);
    }

    @Override
    public void abandon() {
      put.giveUp();
    }
  }

  private ContentSink(CompletableFuture<T> whole) {
    this.whole = whole;
  }

  /**
   * Takes all that a publisher sends; ends the whole. The publisher has its subscriber when this
   * returns, unless the store has refused by then.
   *
   * @param beginning completes when the store has begun, with what takes the bytes
   */
  static <T> void drain(
      Flow.Publisher<ByteBuffer> content,
      CompletionStage<Target<T>> beginning,
      CompletableFuture<T> whole) {
    ContentSink<T> sink = new ContentSink<>(whole);
    whole.whenComplete(
        (_, failed) -> {
          if (failed != null) {
            sink.giveUp();
          }
        });
    CompletableFuture<Target<T>> step = Steps.step(whole, beginning);
    if (!step.isCompletedExceptionally()) {
      sink.subscribeTo(content);
    }
    step.whenComplete(
        (made, failed) -> {
          if (failed == null) {
            sink.begun.complete(made);
          } else {
            whole.completeExceptionally(Steps.cause(failed));
          }
        });
  }

  private void subscribeTo(Flow.Publisher<ByteBuffer> content) {
    try {
      content.subscribe(this);
    } catch (Throwable thrown) {
      whole.completeExceptionally(thrown);
    }
  }

  /** Whatever failed, or somebody wants it no more. */
  private void giveUp() {
    begun.thenAccept(Target::abandon); // first: the publisher's code may never return
    Flow.Subscription sending = subscription;
    if (sending != null) {
      cancel(sending);
    }
  }

  /** Tells the publisher, once, that no more is wanted. */
  private void cancel(Flow.Subscription sending) {
    if (!cancelled.getAndSet(true)) {
      try {
        sending.cancel();
      } catch (Throwable thrown) {
        // The whole has failed by then, with what its caller hears.
        LOG.log(System.Logger.Level.DEBUG, "a subscription throws when it is cancelled", thrown);
      }
    }
  }

  private void request(Flow.Subscription sending) {
    if (!whole.isDone()) {
      try {
        sending.request(1);
      } catch (Throwable thrown) {
        whole.completeExceptionally(thrown);
      }
    }
  }

  /** A signal that breaks the rules: the whole fails with it, and the publisher hears it. */
  private <S> S required(@Nullable S signal, String what) {
    if (signal == null) {
      NullPointerException wrong = new NullPointerException(what);
      whole.completeExceptionally(wrong);
      throw wrong;
    }
    return signal;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    required(given, "subscription");
    if (subscription != null || whole.isDone()) {
      given.cancel();
      return;
    }
    subscription = given;
    begun.thenAccept(_ -> request(given));
    if (whole.isDone()) {
      cancel(given); // who ended it may not have seen the subscription
    }
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    if (whole.isDone()) {
      return;
    }
    required(bytes, "bytes");
    if (!begun.isDone()) {
      IllegalStateException wrong =
          new IllegalStateException("the publisher sends what it was not asked for");
      whole.completeExceptionally(wrong);
      throw wrong;
    }
    try {
      last = begun.join().append(bytes);
    } catch (RuntimeException | Error unreadable) {
      whole.completeExceptionally(unreadable);
      throw unreadable;
    }
    last.whenComplete(
        (_, failed) -> {
          Flow.Subscription sending = subscription;
          if (failed != null) {
            whole.completeExceptionally(Steps.cause(failed));
          } else if (sending != null) {
            request(sending);
          }
        });
  }

  @Override
  public void onError(Throwable failed) {
    whole.completeExceptionally(required(failed, "failed"));
  }

  @Override
  public void onComplete() {
    last.whenComplete(
        (_, failed) -> {
          if (failed == null && !whole.isDone()) {
            finish();
          }
        });
  }

  private void finish() {
    try {
      begun.join().finish().whenComplete(this::finished);
    } catch (Throwable thrown) {
      whole.completeExceptionally(thrown);
    }
  }

  private void finished(T made, @Nullable Throwable failed) {
    if (failed != null) {
      whole.completeExceptionally(Steps.cause(failed));
    } else if (!whole.complete(made)) {
      begun.join().lost(made);
    }
  }
}
