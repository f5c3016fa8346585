package dev.upcall.fsm;

/** A clock that stands still until it is moved. One thread. */
final class ManualClock implements Clock {
  private long nanos;

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public long epochNanos() {
    return nanos;
  }

  void advance(long byNanos) {
    nanos += byNanos;
  }
}
