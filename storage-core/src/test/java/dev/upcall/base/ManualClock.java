package dev.upcall.base;

/** A clock that stands still until it is moved. One thread. */
public final class ManualClock implements Clock {
  private long nanos;

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public long epochNanos() {
    return nanos;
  }

  public void advance(long byNanos) {
    nanos += byNanos;
  }
}
