package dev.upcall.specweb.draw;

import java.util.Arrays;
import java.util.Locale;

/** How often each directory of the set is asked for. */
public enum Popularity {
  /** Each as often, as in SPECweb96. */
  UNIFORM,

  /** The n-th as often as 1/n, as in SPECweb99. */
  ZIPF;

  /** Shares of the directories added up, the last one 1. A new array. */
  double[] cumulative(int directories) {
    double[] sums = new double[directories];
    double sum = 0;
    for (int i = 0; i < directories; i++) {
      sum += this == ZIPF ? 1.0 / (i + 1) : 1;
      sums[i] = sum;
    }
    double total = sum;
    return Arrays.stream(sums).map(one -> one / total).toArray();
  }

  /** As it is written on the command line and in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
