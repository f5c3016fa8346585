package dev.upcall.specweb.draw;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Pearson's test, at a probability of one in a thousand. */
final class ChiSquare {
  /** The quantile of the normal distribution for 1 - 0.001. */
  private static final double QUANTILE = 3.0902;

  private ChiSquare() {}

  /** Fails when counts like these are rarer than one in a thousand under the shares. */
  static void assertFits(double[] shares, long[] counts, String what) {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    double statistic = 0;
    for (int i = 0; i < counts.length; i++) {
      double expected = shares[i] * total;
      statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    double limit = limit(counts.length - 1);
    assertTrue(statistic < limit, what + ": chi-square " + statistic + " above " + limit);
  }

  /** Fails when rows and columns of a table are not independent. */
  static void assertIndependent(long[][] table, String what) {
    int columns = table[0].length;
    double[] rowSums = new double[table.length];
    double[] columnSums = new double[columns];
    double total = 0;
    for (int row = 0; row < table.length; row++) {
      for (int column = 0; column < columns; column++) {
        rowSums[row] += table[row][column];
        columnSums[column] += table[row][column];
        total += table[row][column];
      }
    }
    double statistic = 0;
    for (int row = 0; row < table.length; row++) {
      for (int column = 0; column < columns; column++) {
        double expected = rowSums[row] * columnSums[column] / total;
        statistic += Math.pow(table[row][column] - expected, 2) / expected;
      }
    }
    double limit = limit((table.length - 1) * (columns - 1));
    assertTrue(statistic < limit, what + ": chi-square " + statistic + " above " + limit);
  }

  /** Wilson and Hilferty's approximation. */
  static double limit(int freedom) {
    double part = 2.0 / (9 * freedom);
    return freedom * Math.pow(1 - part + QUANTILE * Math.sqrt(part), 3);
  }
}
