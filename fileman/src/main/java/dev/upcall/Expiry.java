package dev.upcall;

import dev.upcall.config.Limits;
import dev.upcall.content.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * When a file is gone by itself. From that moment on nobody who looks finds it, whatever its space
 * is still doing; who has it open keeps it. Only files expire, no directories and links.
 */
public sealed interface Expiry {
  /** It stays; takes an expiry back. */
  Expiry NEVER = new Never();

  /** When it is gone, if a request with this was made at a time; nanoseconds since 1970. */
  long nanosFrom(long nowNanos);

  /** It stays until somebody deletes it. */
  record Never() implements Expiry {
    @Override
    public long nanosFrom(long nowNanos) {
      return Times.NEVER;
    }
  }

  /**
   * At a moment. One in the past makes a file that nobody will find.
   *
   * @param epochNanos nanoseconds since 1970, not negative
   */
  record At(long epochNanos) implements Expiry {
    /** Checks it. */
    public At {
      Limits.atLeast("epochNanos of an expiry", epochNanos, 0);
    }

    @Override
    public long nanosFrom(long nowNanos) {
      return epochNanos;
    }
  }

  /**
   * A while after the request that sets it; for an upload that is its commit.
   *
   * @param nanos more than 0
   */
  record After(long nanos) implements Expiry {
    /** Checks it. */
    public After {
      Limits.atLeast("timeToLive in nanoseconds", nanos, 1);
    }

    /** Beyond the year 2262 is never. */
    @Override
    public long nanosFrom(long nowNanos) {
      return Math.max(0, nowNanos) > Long.MAX_VALUE - nanos
          ? Times.NEVER
          : Math.max(0, nowNanos + nanos);
    }
  }

  /**
   * At a moment. One in the past makes a file that nobody will find; one beyond the year 2262 is
   * never.
   */
  static Expiry at(Instant moment) {
    Objects.requireNonNull(moment, "moment");
    return moment.isAfter(Times.instantOf(Times.NEVER - 1))
        ? NEVER
        : new At(Times.nanosOf(moment.isBefore(Instant.EPOCH) ? Instant.EPOCH : moment, "moment"));
  }

  /** A while after the request that sets it, which is more than nothing. */
  static Expiry after(Duration timeToLive) {
    Objects.requireNonNull(timeToLive, "timeToLive");
    Limits.require(
        timeToLive.isPositive(), "timeToLive is " + timeToLive + ", must be more than nothing");
    long seconds = timeToLive.toSeconds();
    return seconds >= Long.MAX_VALUE / 1_000_000_000L ? NEVER : new After(timeToLive.toNanos());
  }
}
