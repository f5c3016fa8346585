package dev.upcall.bench;

import java.io.IOException;

/**
 * The {@code upcall bench} command: JMH's own command line over the benchmarks of this module. Try
 * {@code upcall bench -l} for their names and {@code -h} for the options.
 */
public final class Main {
  private Main() {}

  /** Runs the benchmarks whose names match the arguments, or all. */
  public static void main(String[] args) throws IOException {
    org.openjdk.jmh.Main.main(args);
  }
}
