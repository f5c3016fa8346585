package dev.upcall.specweb.load;

import dev.upcall.specweb.draw.Draws;
import dev.upcall.specweb.draw.Gaps;

/** A client that asks again when it has its answer and has thought. */
public final class ClosedClient extends Worker {
  private final Gaps thinking;

  /**
   * A client.
   *
   * @param thinking how long it thinks; a mean of 0 is not at all
   */
  public ClosedClient(LoadContext context, Draws draws, Gaps thinking) {
    super(context, draws);
    this.thinking = thinking;
  }

  @Override
  public void start(long atNanos) {
    at(atNanos, this::ask);
  }

  private void ask() {
    if (!isStopped()) {
      long now = context().loop().nanoTime();
      issue(now, now);
    }
  }

  @Override
  void answered(long nowNanos, Answer answer) {
    long next = afterNanos(nowNanos, answer) + thinking.nextNanos();
    if (next <= nowNanos) {
      ask();
    } else {
      at(next, this::ask);
    }
  }
}
