package dev.upcall.bench.proxy.trace;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws numbers from 0 on, of which the i-th has the weight (i + 1)^-alpha. */
final class WeightedDraw {
  private final double[] upTo;

  WeightedDraw(int numbers, double alpha) {
    upTo = new double[numbers];
    double sum = 0;
    for (int i = 0; i < numbers; i++) {
      // Math.pow may differ in its last bit from one machine to the next.
      sum += StrictMath.pow(i + 1.0, -alpha);
      upTo[i] = sum;
    }
  }

  int draw(SplittableRandom random) {
    int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
    return Math.min(found < 0 ? -found - 1 : found + 1, upTo.length - 1);
  }
}
