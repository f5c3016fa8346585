package dev.upcall.fileman.stage;

import dev.upcall.FileInfo;
import dev.upcall.stage.StagePut;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a publisher sends into the store: asks for one buffer when the one before is there,
 * and makes something of all when it ends. Signals come one at a time, as the rules of {@link Flow}
 * have it.
 *
 * @param <T> what is made
 */
final class ContentSink<T> implements Flow.Subscriber<ByteBuffer> {
  private final Target<T> target;
  private final CompletableFuture<T> whole;
  private volatile Flow.@Nullable Subscription subscription;

  /** The buffer before; of who signals. */
  private CompletionStage<Void> last = CompletableFuture.completedFuture(null);

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

  private ContentSink(Target<T> target, CompletableFuture<T> whole) {
    this.target = target;
    this.whole = whole;
  }

  /** Takes all that a publisher sends; ends the whole. */
  static <T> void drain(
      Flow.Publisher<ByteBuffer> content, Target<T> target, CompletableFuture<T> whole) {
    ContentSink<T> sink = new ContentSink<>(target, whole);
    whole.whenComplete(
        (_, failed) -> {
          if (failed != null) {
            sink.giveUp();
          }
        });
    try {
      content.subscribe(sink);
    } catch (RuntimeException thrown) {
      whole.completeExceptionally(thrown);
    }
  }

  /** Whatever failed, or somebody wants it no more. */
  private void giveUp() {
    Flow.Subscription sending = subscription;
    if (sending != null) {
      sending.cancel();
    }
    target.abandon();
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    Objects.requireNonNull(given, "subscription");
    if (subscription != null || whole.isDone()) {
      given.cancel();
      return;
    }
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "bytes");
    if (whole.isDone()) {
      return;
    }
    last = target.append(bytes);
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
            target.finish().whenComplete(this::finished);
          }
        });
  }

  private void finished(T made, @Nullable Throwable failed) {
    if (failed != null) {
      whole.completeExceptionally(Steps.cause(failed));
    } else if (!whole.complete(made)) {
      target.lost(made);
    }
  }
}
