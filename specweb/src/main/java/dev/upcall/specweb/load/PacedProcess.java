package dev.upcall.specweb.load;

import dev.upcall.specweb.draw.Draws;
import dev.upcall.specweb.draw.Gaps;

/**
 * A process of SPEC's harness: it owns a part of the rate, with exponential gaps, and has one
 * request outstanding at most. When it is late it sends at once and keeps its schedule, so that the
 * requests that had to wait show how long.
 */
public final class PacedProcess extends Worker {
  private final Gaps gaps;
  private long nextNanos;

  /** A process. */
  public PacedProcess(LoadContext context, Draws draws, Gaps gaps) {
    super(context, draws);
    this.gaps = gaps;
  }

  @Override
  public void start(long atNanos) {
    nextNanos = atNanos + gaps.nextNanos();
    at(nextNanos, this::arrive);
  }

  private void arrive() {
    if (!isStopped()) {
      long intended = nextNanos;
      nextNanos += gaps.nextNanos();
      issue(intended, Math.max(intended, context().loop().nanoTime()));
    }
  }

  @Override
  void answered(long nowNanos, Answer answer) {
    long next = Math.max(nextNanos, afterNanos(nowNanos, answer));
    if (next <= nowNanos) {
      arrive();
    } else if (!isStopped()) {
      at(next, this::arrive);
    }
  }
}
