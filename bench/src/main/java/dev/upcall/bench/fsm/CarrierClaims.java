package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Interval;
import dev.upcall.bench.report.Point;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.Warmths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What virtual threads cost that wait for files, looked up in sweeps of the file manager. */
final class CarrierClaims {
  /** The most carriers that were held at once in a sample, as a figure of a reading. */
  static final String MOST = "most carriers held";

  /** The same on average over the sample. */
  static final String MEAN = "carriers held";

  /** Carriers that the scheduler has at the end of a sample; it keeps each for 30 s. */
  private static final String KEPT = "carriers";

  private static final String COLD = "cold-1";
  private static final String WARM = "warm-1";
  private static final int REPORT_MOST = 250;
  private static final double MANY = 10;

  private CarrierClaims() {}

  /** Whether the scheduler adds carriers. */
  static Claim of(List<Sweep> sweeps) {
    String said =
        "Expected of virtual threads, which the report had not: who waits for a file keeps its"
            + " carrier, and the scheduler adds others. Taken as: cold, on one core, with the most"
            + " in flight up to 250, at least 10 carriers are held at once.";
    Optional<Point> cold = last(sweeps, COLD);
    if (cold.isEmpty() || Double.isNaN(cold.get().more(MOST))) {
      return Claim.undecided("VIRT-IO", said, "This run did not measure it.");
    }
    Interval most =
        Interval.ofValues(
            cold.get().readings().stream()
                .map(reading -> reading.more().getOrDefault(MOST, Double.NaN))
                .toList());
    return new Claim(
        "VIRT-IO",
        said,
        most.atLeast(MANY),
        "Cold, with %d in flight on one core, virtual threads hold %s carriers at the most and %s on average, of %s that the scheduler keeps%s."
            .formatted(
                cold.get().inFlight(),
                String.format(
                    Locale.ROOT, "%.1f (%.1f to %.1f)", most.estimate(), most.low(), most.high()),
                Numbers.show(cold.get().more(MEAN)),
                Numbers.show(cold.get().more(KEPT)),
                last(sweeps, WARM)
                    .map(
                        warm ->
                            "; warm, with %d, %s and %s"
                                .formatted(
                                    warm.inFlight(),
                                    Numbers.show(warm.more(MOST)),
                                    Numbers.show(warm.more(MEAN))))
                    .orElse("")));
  }

  private static Optional<Point> last(List<Sweep> sweeps, String id) {
    return sweeps.stream()
        .filter(sweep -> sweep.id().equals(id))
        .flatMap(sweep -> sweep.of(FileManagerClaims.VIRTUAL).stream())
        .filter(point -> point.inFlight() <= REPORT_MOST)
        .max(Comparator.comparing(Point::inFlight));
  }

  /** Carriers, threads, context switches and waiting for locks, of both kinds of threads. */
  static Grid grid(List<Sweep> sweeps) {
    List<List<String>> rows = new ArrayList<>();
    for (Sweep sweep : sweeps) {
      for (Point virtual : sweep.of(FileManagerClaims.VIRTUAL)) {
        Optional<Point> platform = sweep.at(FileManagerClaims.THREADS, virtual.inFlight());
        rows.add(
            List.of(
                sweep.title(),
                Integer.toString(virtual.inFlight()),
                Numbers.show(virtual.more(MEAN)),
                Numbers.show(virtual.more(MOST)),
                Numbers.show(virtual.more(KEPT)),
                Numbers.show(virtual.more("threads")),
                show(platform, "threads"),
                Numbers.show(virtual.more("context switches")),
                show(platform, "context switches"),
                Warmths.percent(virtual.more("lock wait share")),
                platform.map(point -> Warmths.percent(point.more("lock wait share"))).orElse("-")));
      }
    }
    return new Grid(
        "Carriers that virtual threads hold while they run or wait for the disk, looked at every"
            + " 5 ms; how many the scheduler keeps, each for 30 s after it was needed; what a thread of either kind costs beside (all threads of the process, context"
            + " switches of a cycle, waiting for locks as a part of the response time)",
        List.of(
            "",
            "in flight",
            "carriers held",
            "at the most",
            "kept",
            "threads, virtual",
            "threads, platform",
            "switches, virtual",
            "switches, platform",
            "lock wait, virtual",
            "lock wait, platform"),
        rows);
  }

  private static String show(Optional<Point> point, String figure) {
    return point.map(some -> Numbers.show(some.more(figure))).orElse("-");
  }
}
