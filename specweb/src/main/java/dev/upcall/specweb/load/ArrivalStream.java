package dev.upcall.specweb.load;

import dev.upcall.specweb.draw.Draws;
import dev.upcall.specweb.draw.Gaps;

/**
 * One Poisson stream of arrivals, sent whatever the server does. With too many outstanding, an
 * arrival is an error and is not sent.
 */
public final class ArrivalStream extends Worker {
  /** Arrivals sent in one go, so that answers are heard in between. */
  private static final int BATCH = 128;

  private final Gaps gaps;
  private final int outstandingLimit;
  private long nextNanos;

  /** A stream. */
  public ArrivalStream(LoadContext context, Draws draws, Gaps gaps, int outstandingLimit) {
    super(context, draws);
    this.gaps = gaps;
    this.outstandingLimit = outstandingLimit;
  }

  @Override
  public void start(long atNanos) {
    nextNanos = atNanos + gaps.nextNanos();
    at(nextNanos, this::arrive);
  }

  private void arrive() {
    if (isStopped()) {
      return;
    }
    long now = Math.max(nextNanos, context().loop().nanoTime());
    for (int sent = 0; sent < BATCH && nextNanos <= now; sent++) {
      if (context().recorder().outstanding() < outstandingLimit) {
        issue(nextNanos, now);
      } else {
        context().recorder().overflowed();
      }
      nextNanos += gaps.nextNanos();
    }
    at(nextNanos, this::arrive);
  }

  @Override
  void answered(long nowNanos, Answer answer) {
    // Arrivals do not wait for answers.
  }
}
