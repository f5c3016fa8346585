package dev.upcall.fileman.stage;

import dev.upcall.stage.StageContent;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber of a content: a piece for each that it has requested, one after the other. Signals
 * come one at a time: whoever takes {@code busy} sends the next, and nobody else meanwhile.
 */
final class ContentSubscription implements Flow.Subscription {
  private final StageContent content;
  private final boolean closes;
  private final Flow.Subscriber<? super ByteBuffer> subscriber;
  private final AtomicLong wanted = new AtomicLong();

  /** Taken from the beginning, until the subscriber has its subscription. */
  private final AtomicBoolean busy = new AtomicBoolean(true);

  private volatile boolean refused;
  private volatile boolean over;

  /** Moved by who is busy. */
  private volatile long offset;

  ContentSubscription(
      StageContent content, boolean closes, Flow.Subscriber<? super ByteBuffer> subscriber) {
    this.content = content;
    this.closes = closes;
    this.subscriber = subscriber;
  }

  void begin() {
    try {
      subscriber.onSubscribe(this);
    } catch (Throwable thrown) {
      end();
      throw thrown;
    }
    free();
  }

  @Override
  public void request(long count) {
    if (count <= 0) {
      refused = true;
    } else {
      wanted.accumulateAndGet(count, ContentSubscription::sum);
    }
    goOn();
  }

  private static long sum(long one, long other) {
    return one + other < 0 ? Long.MAX_VALUE : one + other;
  }

  @Override
  public void cancel() {
    over = true;
    goOn();
  }

  private void free() {
    busy.set(false);
    goOn();
  }

  /** Sends what can be sent, if nobody else does. */
  private void goOn() {
    while ((refused || over || wanted.get() > 0 || isAtEnd()) && busy.compareAndSet(false, true)) {
      if (over) {
        end(); // and stays busy: nothing follows
        return;
      }
      if (refused) {
        end();
        subscriber.onError(new IllegalArgumentException("request of 0 or less pieces"));
        return;
      }
      if (isAtEnd()) {
        end();
        subscriber.onComplete();
        return;
      }
      if (wanted.get() > 0) {
        read();
        return;
      }
      busy.set(false);
    }
  }

  private boolean isAtEnd() {
    return offset >= content.info().sizeBytes();
  }

  private void read() {
    int most = DoorContent.MAX_PIECE_BYTES;
    ByteBuffer piece =
        ByteBuffer.allocate((int) Math.min(most, content.info().sizeBytes() - offset));
    content.read(offset, piece).whenComplete((count, failed) -> arrived(piece, count, failed));
  }

  private void arrived(ByteBuffer piece, Integer count, @Nullable Throwable failed) {
    if (over) {
      end();
    } else if (failed != null) {
      end();
      subscriber.onError(Steps.cause(failed));
    } else {
      long behind = offset + count; // nobody else moves it meanwhile
      offset = behind;
      wanted.decrementAndGet();
      try {
        subscriber.onNext(piece.flip());
      } catch (Throwable thrown) {
        end();
        throw thrown;
      }
      free();
    }
  }

  private void end() {
    over = true;
    if (closes) {
      content.close();
    }
  }
}
