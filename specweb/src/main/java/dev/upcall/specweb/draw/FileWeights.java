package dev.upcall.specweb.draw;

import dev.upcall.specweb.FileSet;
import java.util.Arrays;
import java.util.Locale;

/**
 * How often each of the nine files of a class is asked for. SPEC's distribution is around the
 * middle of the class; its parameter was never printed, so it can be chosen. The mean transfer
 * differs by 3 % at most.
 */
public enum FileWeights {
  /** Poisson with mean 5 over the files 1 to 9. */
  POISSON5,

  /** Poisson with mean 4 over the files counted from 0. */
  POISSON4,

  /** Each as often. */
  UNIFORM,

  /** The ranks of SPECweb99's public clients (5 4 6 3 7 2 8 9 1), each as often as 1/rank. */
  ZIPF99;

  private static final int[] RANKS_99 = {9, 6, 4, 2, 1, 3, 5, 7, 8};

  /** Shares of the files of a class, small file first; together 1. A new array. */
  public double[] shares() {
    double[] weights = new double[FileSet.FILES_PER_CLASS];
    double weight = 1;
    for (int i = 0; i < weights.length; i++) {
      weights[i] =
          switch (this) {
            case POISSON5 -> weight *= 5.0 / (i + 1);
            case POISSON4 -> weight *= i == 0 ? 1 : 4.0 / i;
            case UNIFORM -> 1;
            case ZIPF99 -> 1.0 / RANKS_99[i];
          };
    }
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(one -> one / sum).toArray();
  }

  /** As it is written on the command line and in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
