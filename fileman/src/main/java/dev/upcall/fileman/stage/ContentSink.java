package dev.upcall.fileman.stage;

import dev.upcall.FileInfo;
import dev.upcall.stage.StagePut;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a publisher sends into the store: subscribes at once, since a publisher may send from
 * then on, asks for one buffer when the store has begun and when the one before is there, and makes
 * something of all when it ends. Signals come one at a time, as the rules of {@link Flow} have it.
 *
 * @param <T> what is made
 */
final class ContentSink<T> implements Flow.Subscriber<ByteBuffer> {
  private final CompletableFuture<T> whole;

  /** The store has begun. */
  private final CompletableFuture<Target<T>> begun = new CompletableFuture<>();

  private volatile Flow.@Nullable Subscription subscription;

  /** The buffer before; of who signals. */
  private CompletionStage<?> last = begun;

  /** What takes the bytes. */
  interface Target<T> {
    CompletionStage<Void> append(ByteBuffer bytes);

    /** Makes something of all. */
    CompletionStage<T> finish();

    /** Gives all up. */
    CompletionStage<Void> abandon();

    /** What was made is wanted by nobody any more. */
    default void lost(T made) {
      // What is visible stays so.
    }
  }

  /** A whole file. */
  record IntoFile(StagePut put) implements Target<FileInfo> {
    @Override
    public CompletionStage<Void> append(ByteBuffer bytes) {
      return put.append(bytes);
    }

    @Override
    public CompletionStage<FileInfo> finish() {
      return put.commit();
    }

    @Override
    public CompletionStage<Void> abandon() {
      return put.abandon();
    }
  }

  private ContentSink(CompletableFuture<T> whole) {
    this.whole = whole;
  }

  /**
   * Takes all that a publisher sends; ends the whole. The publisher has its subscriber when this
   * returns, unless the store has refused by then.
   *
   * @param beginning completes when the store has begun
   * @param target of what it completes with, what takes the bytes
   */
  static <S, T> void drain(
      Flow.Publisher<ByteBuffer> content,
      CompletionStage<S> beginning,
      Function<? super S, ? extends Target<T>> target,
      CompletableFuture<T> whole) {
    ContentSink<T> sink = new ContentSink<>(whole);
    whole.whenComplete(
        (_, failed) -> {
          if (failed != null) {
            sink.giveUp();
          }
        });
    CompletableFuture<S> step = Steps.step(whole, beginning);
    if (!step.isCompletedExceptionally()) {
      sink.subscribeTo(content);
    }
    step.whenComplete(
        (made, failed) -> {
          if (failed == null) {
            sink.begun.complete(target.apply(made));
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
    Flow.Subscription sending = subscription;
    if (sending != null) {
      sending.cancel();
    }
    begun.thenAccept(Target::abandon);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    Objects.requireNonNull(given, "subscription");
    if (subscription != null || whole.isDone()) {
      given.cancel();
      return;
    }
    subscription = given;
    begun.thenAccept(_ -> given.request(1));
    if (whole.isDone()) {
      given.cancel(); // who ended it may not have seen the subscription
    }
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    if (whole.isDone()) {
      return;
    }
    if (bytes == null || !begun.isDone()) {
      RuntimeException wrong =
          bytes == null
              ? new NullPointerException("bytes")
              : new IllegalStateException("the publisher sends what it was not asked for");
      whole.completeExceptionally(wrong);
      throw wrong;
    }
    try {
      last = begun.join().append(bytes);
    } catch (RuntimeException unreadable) {
      whole.completeExceptionally(unreadable);
      throw unreadable;
    }
    last.whenComplete(
        (_, failed) -> {
          Flow.Subscription sending = subscription;
          if (failed != null) {
            whole.completeExceptionally(Steps.cause(failed));
          } else if (sending != null) {
            sending.request(1);
          }
        });
  }

  @Override
  public void onError(Throwable failed) {
    whole.completeExceptionally(Objects.requireNonNull(failed, "failed"));
  }

  @Override
  public void onComplete() {
    last.whenComplete(
        (_, failed) -> {
          if (failed == null && !whole.isDone()) {
            begun.join().finish().whenComplete(this::finished);
          }
        });
  }

  private void finished(T made, @Nullable Throwable failed) {
    if (failed != null) {
      whole.completeExceptionally(Steps.cause(failed));
    } else if (!whole.complete(made)) {
      begun.join().lost(made);
    }
  }
}
