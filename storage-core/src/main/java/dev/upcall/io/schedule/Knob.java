package dev.upcall.io.schedule;

/**
 * The setting of a policy's knob.
 *
 * @param value nanoseconds of a time, else a count
 * @param isTime whether people write it with a unit of time
 */
public record Knob(long value, boolean isTime) {
  /** A time. */
  public static Knob time(long nanos) {
    return new Knob(nanos, true);
  }

  /** A number of something. */
  public static Knob count(long number) {
    return new Knob(number, false);
  }
}
