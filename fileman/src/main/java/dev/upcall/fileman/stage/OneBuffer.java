package dev.upcall.fileman.stage;

import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** A content that is there, as a publisher of one buffer. */
record OneBuffer(ByteBuffer bytes) implements Flow.Publisher<ByteBuffer> {
  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    subscriber.onSubscribe(new Once(bytes, subscriber));
  }

  /** Sends it when it is asked for. */
  private static final class Once implements Flow.Subscription {
    private final ByteBuffer bytes;
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private boolean over;

    Once(ByteBuffer bytes, Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.bytes = bytes;
      this.subscriber = subscriber;
    }

    @Override
    public void request(long count) {
      if (!over) {
        over = true;
        subscriber.onNext(bytes);
        subscriber.onComplete();
      }
    }

    @Override
    public void cancel() {
      over = true;
    }
  }
}
