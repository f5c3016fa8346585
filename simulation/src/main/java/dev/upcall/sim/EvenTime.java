package dev.upcall.sim;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import java.util.SplittableRandom;

/**
 * Service times that are drawn evenly and know nothing of each other, so that requests overtake
 * each other: no real device, but the one that finds errors.
 *
 * @param minNanos the shortest
 * @param maxNanos the longest
 */
public record EvenTime(long minNanos, long maxNanos) implements ServiceModel {
  /** Checks the limits. */
  public EvenTime {
    Invariants.check(minNanos > 0 && minNanos <= maxNanos, "latency", minNanos, maxNanos);
  }

  @Override
  public ServiceTime start(SimReactor reactor, Clock clock, SplittableRandom random) {
    long span = maxNanos - minNanos;
    return (request, disturbed, done) -> {
      long nanos = minNanos + (span == 0 ? 0 : random.nextLong(span + 1));
      reactor.after(disturbed.applyAsLong(nanos), done);
    };
  }
}
