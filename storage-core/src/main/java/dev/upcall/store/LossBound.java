package dev.upcall.store;

import dev.upcall.config.Limits;
import java.time.Duration;
import java.util.Objects;

/**
 * How much of what was acknowledged with {@link Durability#ASYNC} a crash may take. Beyond it such
 * changes are acknowledged when they are durable, as with {@link Durability#SYNC}; they are applied
 * and seen without delay all the same.
 *
 * @param maxBytes log records and new content of changes that are acknowledged and not yet durable;
 *     0 makes every change wait
 * @param maxNanos no change is acknowledged early while one that was has been waiting for the disk
 *     for longer than this: what a crash takes was acknowledged within one such span. (The log
 *     writes at once, so usually it is far less.)
 */
public record LossBound(long maxBytes, long maxNanos) {
  /** 32 MiB and half a second. */
  public static final LossBound DEFAULT = new LossBound(32L << 20, 500_000_000L);

  /** Checks the limits. */
  public LossBound {
    Limits.atLeast("loss.maxBytes", maxBytes, 0);
    Limits.atLeast("loss.maxNanos", maxNanos, 0);
  }

  /** The same with another number of bytes. */
  public LossBound withMaxBytes(long bytes) {
    return new LossBound(bytes, maxNanos);
  }

  /** The same with another span. */
  public LossBound withMax(Duration span) {
    Objects.requireNonNull(span, "span");
    return new LossBound(maxBytes, Limits.nanos(span));
  }
}
