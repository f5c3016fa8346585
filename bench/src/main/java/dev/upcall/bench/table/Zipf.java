package dev.upcall.bench.table;

import java.util.SplittableRandom;

/**
 * Numbers of which a few are drawn most of the time: the n-th with a weight of {@code 1 / n^0.99},
 * as YCSB draws them, by the method of Gray and others, <i>Quickly generating billion-record
 * synthetic databases</i> (1994). Any threads.
 */
final class Zipf {
  private static final double THETA = 0.99;

  private final long count;
  private final double zeta;
  private final double alpha = 1 / (1 - THETA);
  private final double eta;

  /** Of so many numbers. */
  Zipf(long count) {
    this.count = count;
    this.zeta = zeta(count);
    this.eta = (1 - Math.pow(2.0 / count, 1 - THETA)) / (1 - zeta(2) / zeta);
  }

  private static double zeta(long count) {
    double sum = 0;
    for (long n = 1; n <= count; n++) {
      sum += 1 / Math.pow((double) n, THETA);
    }
    return sum;
  }

  /** From 0, the most frequent, to one less than there are. */
  long next(SplittableRandom random) {
    double u = random.nextDouble();
    double scaled = u * zeta;
    if (scaled < 1) {
      return 0;
    }
    if (scaled < 1 + Math.pow(0.5, THETA)) {
      return Math.min(1, count - 1);
    }
    return Math.min(count - 1, (long) (count * Math.pow(eta * u - eta + 1, alpha)));
  }
}
