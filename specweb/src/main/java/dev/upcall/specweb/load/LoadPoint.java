package dev.upcall.specweb.load;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One level of load.
 *
 * @param mode how requests follow each other
 * @param opsPerSecond the rate that is requested; 0 in a closed loop
 * @param workers processes or clients; in an open stream it has no meaning
 */
public record LoadPoint(Mode mode, double opsPerSecond, int workers) {
  /** More processes or clients than this are refused. */
  public static final int MAX_WORKERS = 20_000;

  /** A higher rate than this is refused. */
  public static final double MAX_OPS_PER_SECOND = 1e6;

  /** Checks the limits. */
  public LoadPoint {
    if (workers < 1 || workers > MAX_WORKERS) {
      throw new IllegalArgumentException(
          "processes or clients must be 1 to " + MAX_WORKERS + ", not " + workers);
    }
    if (mode != Mode.CLOSED && !(opsPerSecond > 0 && opsPerSecond <= MAX_OPS_PER_SECOND)) {
      throw new IllegalArgumentException(
          "the rate must be above 0 and at most %.0f, not %s"
              .formatted(MAX_OPS_PER_SECOND, opsPerSecond));
    }
  }

  /** Evenly spaced rates up to the highest. */
  public static List<LoadPoint> upTo(Mode mode, double opsPerSecond, int workers, int points) {
    return IntStream.rangeClosed(1, points)
        .mapToObj(i -> new LoadPoint(mode, opsPerSecond * i / points, workers))
        .toList();
  }

  /**
   * The workers of one of {@code loops} threads: each worker is on one of them, and numbered the
   * same however many threads there are.
   *
   * @param pointSeed the seed of this point
   */
  public List<Worker> workers(
      LoadContext context, Behaviour behaviour, long pointSeed, int loop, int loops) {
    List<Worker> mine = new ArrayList<>();
    if (mode == Mode.OPEN) {
      mine.add(
          new ArrivalStream(
              context,
              behaviour.draws(pointSeed, loop),
              behaviour.gaps(1e9 * loops / opsPerSecond, pointSeed, loop),
              Math.max(1, behaviour.outstandingLimit() / loops)));
      return mine;
    }
    for (int worker = loop; worker < workers; worker += loops) {
      mine.add(
          mode == Mode.SPEC
              ? new PacedProcess(
                  context,
                  behaviour.draws(pointSeed, worker),
                  behaviour.gaps(1e9 * workers / opsPerSecond, pointSeed, worker))
              : new ClosedClient(
                  context,
                  behaviour.draws(pointSeed, worker),
                  behaviour.gaps(behaviour.thinkMillis() * 1e6, pointSeed, worker)));
    }
    return mine;
  }
}
