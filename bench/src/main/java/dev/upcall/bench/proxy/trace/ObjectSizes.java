package dev.upcall.bench.proxy.trace;

import java.util.SplittableRandom;

/** The law of object sizes: lognormal with a heavy tail, whatever the popularity. */
final class ObjectSizes {
  private static final double BODY_PART = 0.93;
  private static final double BODY_MU = 7.730;
  private static final double BODY_SIGMA = 1.55;
  private static final double TAIL_LEAST_BYTES = 10_000;
  private static final double TAIL_ALPHA = 1.2;
  private static final double TAIL_MOST_BYTES = 20_000_000;
  private static final int LEAST_BYTES = 64;

  private ObjectSizes() {}

  static int draw(SplittableRandom random) {
    double bytes =
        random.nextDouble() < BODY_PART
            ? StrictMath.exp(BODY_MU + BODY_SIGMA * random.nextGaussian())
            : tail(random.nextDouble());
    return (int) Math.clamp(Math.round(bytes), LEAST_BYTES, (long) TAIL_MOST_BYTES);
  }

  /** A bounded Pareto by its inverse. */
  private static double tail(double uniform) {
    double left = 1 - StrictMath.pow(TAIL_LEAST_BYTES / TAIL_MOST_BYTES, TAIL_ALPHA);
    return TAIL_LEAST_BYTES / StrictMath.pow(1 - uniform * left, 1 / TAIL_ALPHA);
  }
}
