package dev.upcall.base;

import java.time.Instant;
import java.time.InstantSource;

/** The machine's clock. Any thread. The one place of the core that asks the system for the time. */
public final class SystemClock implements Clock {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final InstantSource wall = InstantSource.system();

  /** The clock of this machine. */
  public SystemClock() {}

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }

  @Override
  public long epochNanos() {
    Instant now = wall.instant();
    return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
  }
}
