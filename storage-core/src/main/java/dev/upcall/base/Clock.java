package dev.upcall.base;

/** The only source of time. Real, or driven by the simulator. */
public interface Clock {
  /** Nanoseconds since some fixed instant; never goes back. For durations and timers. */
  long monotonicNanos();

  /** Nanoseconds since 1970-01-01T00:00Z; may jump. For the times that users see. */
  long epochNanos();
}
