package dev.upcall.sim.store.campaign;

import dev.upcall.sim.store.SimLifetime;

/** A program that prints what some lifetimes were, for another JVM to compare. */
final class SimTraces {
  private SimTraces() {}

  /** What the lifetime of a seed was, in one line. */
  static String line(long seed) {
    return seed + " " + SimLifetime.run(seed);
  }

  /**
   * Prints a line for each seed.
   *
   * @param args first seed, number of seeds
   */
  public static void main(String[] args) {
    long first = Long.parseLong(args[0]);
    for (long seed = first; seed < first + Long.parseLong(args[1]); seed++) {
      System.out.println(line(seed));
    }
  }
}
