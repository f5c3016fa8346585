package dev.upcall.bench.stages;

import java.util.List;

/**
 * What is read, and how.
 *
 * @param files how many
 * @param fileBytes of each
 * @param warmMemoryBytes memory in which all of them have room
 * @param coldMemoryBytes memory in which few of them have, but their metadata do
 * @param inFlight how many are read at once, rising
 */
public record StagePlan(
    long files, int fileBytes, long warmMemoryBytes, long coldMemoryBytes, List<Integer> inFlight) {
  private static final long MIB = 1L << 20;
  private static final int FILE_BYTES = 16 << 10;
  private static final double START_SECONDS = 3;

  /** Warm-ups of a process, the second of which is shorter. */
  private static final double WARMINGS = 1.5;

  /** Copies the list. */
  public StagePlan {
    inFlight = List.copyOf(inFlight);
  }

  /**
   * What is read unless said otherwise.
   *
   * @param tiny to see that everything works
   */
  public static StagePlan of(boolean tiny) {
    return tiny
        ? new StagePlan(2_000, FILE_BYTES, 64 * MIB, 16 * MIB, List.of(1, 5, 50))
        : new StagePlan(12_000, FILE_BYTES, 320 * MIB, 20 * MIB, List.of(1, 5, 10, 50, 200));
  }

  /**
   * How long it is thought to take.
   *
   * @param pointSeconds all samples of a point
   * @param warmSeconds the longest warm-up of a process
   */
  public double seconds(double pointSeconds, double warmSeconds) {
    double side = START_SECONDS + WARMINGS * warmSeconds + 2 * inFlight.size() * pointSeconds;
    return StageSide.values().length * side;
  }
}
