package dev.upcall.fileman.blocking;

import dev.upcall.base.Clock;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Numbers that tell one volume, and one opening of it, from another. */
final class Incarnations {
  private Incarnations() {}

  /** Differs from opening to opening, by time and process. */
  static RandomGenerator random(Clock clock) {
    long process = ProcessHandle.current().pid();
    return new SplittableRandom(
        clock.epochNanos() ^ Long.rotateLeft(process, 40) ^ clock.monotonicNanos());
  }
}
