package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Interval;
import dev.upcall.bench.report.Point;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.Warmths;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;

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
    return Grid.of(
        "Carriers that virtual threads hold while they run or wait for the disk, looked at every"
            + " 5 ms; how many the scheduler keeps, each for 30 s after it was needed; what a thread of either kind costs beside (all threads of the process, context"
            + " switches of a cycle, waiting for locks as a part of the response time)",
        sweeps.stream()
            .flatMap(
                sweep ->
                    sweep.of(FileManagerClaims.VIRTUAL).stream().map(one -> new Held(sweep, one)))
            .toList(),
        Grid.column("", one -> one.sweep.title()),
        Grid.column("in flight", one -> Integer.toString(one.virtual.inFlight())),
        virtual("carriers held", MEAN),
        virtual("at the most", MOST),
        virtual("kept", KEPT),
        virtual("threads, virtual", "threads"),
        platform("threads, platform", "threads", Numbers::show),
        virtual("switches, virtual", "context switches"),
        platform("switches, platform", "context switches", Numbers::show),
        Grid.column(
            "lock wait, virtual", one -> Warmths.percent(one.virtual.more("lock wait share"))),
        platform("lock wait, platform", "lock wait share", Warmths::percent));
  }

  /** A point of virtual threads in a sweep. */
  private record Held(Sweep sweep, Point virtual) {}

  private static Grid.Column<Held> virtual(String head, String figure) {
    return Grid.column(head, one -> Numbers.show(one.virtual.more(figure)));
  }

  private static Grid.Column<Held> platform(
      String head, String figure, DoubleFunction<String> show) {
    return Grid.column(
        head,
        one ->
            one.sweep
                .at(FileManagerClaims.THREADS, one.virtual.inFlight())
                .map(point -> show.apply(point.more(figure)))
                .orElse("-"));
  }
}
