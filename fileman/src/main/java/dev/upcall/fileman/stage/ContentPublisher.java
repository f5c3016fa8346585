package dev.upcall.fileman.stage;

import dev.upcall.stage.StageContent;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/**
 * Contents as they are asked for.
 *
 * @param open opens the content for one subscriber
 * @param closes whether it is that subscriber's alone, and closed behind it
 */
record ContentPublisher(
    Supplier<? extends CompletableFuture<? extends StageContent>> open, boolean closes)
    implements Flow.Publisher<ByteBuffer> {
  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    open.get()
        .whenComplete(
            (content, failed) -> {
              if (failed == null) {
                new ContentSubscription(content, closes, subscriber).begin();
              } else {
                subscriber.onSubscribe(new Nothing());
                subscriber.onError(Steps.cause(failed));
              }
            });
  }

  /** Of what could not be opened. */
  private static final class Nothing implements Flow.Subscription {
    @Override
    public void request(long count) {
      // There is nothing: the error follows.
    }

    @Override
    public void cancel() {
      // There is nothing to give up.
    }
  }
}
