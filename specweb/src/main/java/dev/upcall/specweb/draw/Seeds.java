package dev.upcall.specweb.draw;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Streams of random numbers from the seed of a run. The same seed, stream and worker give the same
 * numbers on every machine.
 */
public enum Seeds {
  /** Which files a worker asks for. */
  FILES,

  /** The gaps between a worker's arrivals, or its think times. */
  GAPS;

  /** The generator, fixed by name: another one would be another sequence. */
  public static final String ALGORITHM = "L64X128MixRandom";

  private static final RandomGeneratorFactory<RandomGenerator> FACTORY =
      RandomGeneratorFactory.of(ALGORITHM);

  /** The numbers of this stream for a worker, or for an arrival stream. */
  public RandomGenerator of(long runSeed, int worker) {
    return FACTORY.create(mix(mix(runSeed + 0x9E3779B97F4A7C15L * (ordinal() + 1)) + worker));
  }

  /** SplitMix64's finalizer: neighbours become strangers. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
