package dev.upcall.bench.ecommerce;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** The laws by which keys are drawn, over a generator that is the same on every machine. */
public final class Draws {
  private static final String ALGORITHM = "L64X128MixRandom";

  private Draws() {}

  /** A stream of chance of its own for each worker of each generator of a seed. */
  public static RandomGenerator stream(long seed, String generator, int worker) {
    long mixed = seed;
    for (int i = 0; i < generator.length(); i++) {
      mixed = mix(mixed + generator.charAt(i));
    }
    return RandomGeneratorFactory.of(ALGORITHM).create(mix(mixed + worker));
  }

  /** SplitMix64's finish: neighbours become strangers. */
  static long mix(long value) {
    long z = value + 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
    return z ^ z >>> 31;
  }

  /** An integer from least to most, each as likely. */
  static int between(RandomGenerator random, int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /**
   * TPC-C's NURand(A, 1, most) with a constant of 0, as a part of the keys from 0 to 1 exclusive,
   * so that it serves tables of every scale.
   */
  static double nonUniform(RandomGenerator random, int a, int most) {
    int drawn = (between(random, 0, a) | between(random, 1, most)) % most;
    return (drawn + random.nextDouble()) / most;
  }

  /** A number of failures before a success, of a mean. */
  static int geometric(RandomGenerator random, double mean) {
    return (int) (Math.log(1 - random.nextDouble()) / Math.log(mean / (mean + 1)));
  }

  /** An exponential time, cut off at ten times its mean. */
  public static long exponentialNanos(RandomGenerator random, long meanNanos) {
    double drawn = -Math.log(1 - random.nextDouble()) * meanNanos;
    return (long) Math.min(drawn, 10.0 * meanNanos);
  }

  /** Ranks by Zipf's law: rank i, from 0, is drawn in proportion to (i + 1)^-alpha. */
  static final class Zipf {
    private final double[] upTo;

    Zipf(int ranks, double alpha) {
      upTo = new double[ranks];
      double sum = 0;
      for (int i = 0; i < ranks; i++) {
        sum += Math.pow(i + 1, -alpha);
        upTo[i] = sum;
      }
    }

    int draw(RandomGenerator random) {
      double at = random.nextDouble() * upTo[upTo.length - 1];
      int low = 0;
      int high = upTo.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (upTo[middle] <= at) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /** A place among so many that belongs to a number and looks like chance. */
  static long scattered(long number, long places) {
    return Math.floorMod(mix(number), places);
  }

  /** Shares of interactions, scaled to the per cent of their group. */
  static List<Mix.Share> group(double percent, List<Mix.Share> shares) {
    double sum = shares.stream().mapToDouble(Mix.Share::percent).sum();
    return shares.stream()
        .map(share -> new Mix.Share(share.kind(), share.percent() * percent / sum))
        .toList();
  }
}
