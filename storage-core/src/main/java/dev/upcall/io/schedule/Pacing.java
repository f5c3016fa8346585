package dev.upcall.io.schedule;

/**
 * When the background may go to the device while others read from it: one request at a time, and
 * after each a rest that is a multiple of what it took. It remembers reads for a while, because
 * readers who wait for an answer before they ask again leave gaps, in which a policy that looks at
 * the present only would fill the device. Whoever was read for is slowed down for a part of the
 * time that is known beforehand, and the background is never starved.
 *
 * <p>Times are the caller's, monotonic, in nanoseconds.
 */
final class Pacing {
  private final PacingConfig config;
  private boolean wasRead;
  private long readNanos;
  private long sentNanos;
  private long restUntilNanos;

  Pacing(PacingConfig config) {
    this.config = config;
  }

  /** Somebody reads. */
  void readSeen(long nowNanos) {
    wasRead = true;
    readNanos = nowNanos;
  }

  /** A request of the background goes to the device. */
  void sent(long nowNanos) {
    sentNanos = nowNanos;
  }

  /** A request of the background came back. */
  void completed(long nowNanos) {
    long rest = (nowNanos - sentNanos) * config.restFactor();
    restUntilNanos = nowNanos + Math.min(rest, config.maxRestNanos());
  }

  /** Whether somebody has read of late. */
  boolean isOn(long nowNanos) {
    return leftNanos(nowNanos) > 0;
  }

  /** How long the background has still to rest: 0 if it may go on. */
  long restNanos(long nowNanos) {
    return Math.clamp(restUntilNanos - nowNanos, 0, leftNanos(nowNanos));
  }

  private long leftNanos(long nowNanos) {
    return wasRead ? Math.max(0, readNanos + config.windowNanos() - nowNanos) : 0;
  }
}
