package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** How much is run. */
public enum StudySize {
  /**
   * Seconds, to see that everything works: tables too small and runs too short to decide anything.
   */
  QUICK(1, 1.0 / 128, 2, 6, 20_000),
  /** A sixteenth of the paper's tables, more than 100,000 requests of most runs, three seeds. */
  STANDARD(3, 1.0 / 16, 60, 200, 100_000),
  /** Half an hour of each run, five seeds. */
  FULL(5, 1.0 / 16, 300, 1800, 100_000);

  private static final int RUBIS_FACTOR = 4;

  private final int seeds;
  private final double scale;
  private final int warmUpSeconds;
  private final int seconds;
  private final int interactions;

  StudySize(int seeds, double scale, int warmUpSeconds, int seconds, int interactions) {
    this.seeds = seeds;
    this.scale = scale;
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = seconds;
    this.interactions = interactions;
  }

  /** Whether its figures decide claims. */
  boolean decides() {
    return this != QUICK;
  }

  /** Seeds of the runs that are judged together. */
  List<Long> seeds() {
    return LongStream.rangeClosed(1, seeds).boxed().toList();
  }

  /** The part of the paper's rows. */
  double scale() {
    return scale;
  }

  /** Interactions over which shares are counted. */
  int interactions() {
    return interactions;
  }

  /** How large and how long; RUBiS has fewer requests a second, and runs for longer. */
  RunPlan.Length length(Workload.Kind kind, long seed) {
    int factor = kind == Workload.Kind.RUBIS && this == STANDARD ? RUBIS_FACTOR : 1;
    return new RunPlan.Length(
        scale,
        TimeUnit.SECONDS.toNanos(warmUpSeconds),
        TimeUnit.SECONDS.toNanos((long) seconds * factor),
        seed);
  }

  /** As it is written on the command line and on the page. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
