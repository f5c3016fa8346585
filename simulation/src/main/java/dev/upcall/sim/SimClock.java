package dev.upcall.sim;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;

/** Time that moves only when told. Wall-clock time may be made to jump on its own. */
public final class SimClock implements Clock {
  /** 2026-01-01T00:00Z, where simulated wall-clock time starts. */
  public static final long EPOCH_START_NANOS = 1_767_225_600_000_000_000L;

  private long monotonicNanos;
  private long epochOffsetNanos = EPOCH_START_NANOS;

  @Override
  public long monotonicNanos() {
    return monotonicNanos;
  }

  @Override
  public long epochNanos() {
    return monotonicNanos + epochOffsetNanos;
  }

  /** Moves both times forward. */
  public void advance(long nanos) {
    Invariants.check(nanos >= 0, "time goes back by", nanos);
    monotonicNanos += nanos;
  }

  /** Lets the wall clock jump, forward or back, as an administrator would. */
  public void jumpEpoch(long nanos) {
    epochOffsetNanos += nanos;
  }
}
