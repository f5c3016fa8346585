package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Fit;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Interval;
import dev.upcall.bench.report.Point;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What the report says of figures 6 and 7, looked up in our sweeps. */
final class FileManagerClaims {
  /** The report's own asynchronous system. */
  static final String OWN = "state machines, own thread";

  /** Application and store in one thread. */
  static final String SHARED = "state machines, shared thread";

  /** The engine of threads under platform threads. */
  static final String THREADS = "platform threads";

  /** The engine of threads under virtual threads. */
  static final String VIRTUAL = "virtual threads";

  private static final String MAIN = "warm-1";
  private static final int REPORT_MOST = 250;
  private static final int BASE_LOAD = 5;
  private static final int RATIO_LOAD = 50;
  private static final double RATIO_LIMIT = 1.10;
  private static final double FLAT_LOW = 0.8;
  private static final double FLAT_HIGH = 1.4;
  private static final double LINEAR_R2 = 0.95;
  private static final double SLOPE_TOLERANCE = 0.15;
  private static final double LITTLE_LIMIT = 0.05;

  private FileManagerClaims() {}

  /** All of them. */
  static List<Claim> of(List<Sweep> sweeps) {
    Optional<Sweep> warm = sweeps.stream().filter(sweep -> sweep.id().equals(MAIN)).findFirst();
    List<Claim> claims = new ArrayList<>();
    claims.add(flat(warm));
    claims.add(
        ratio(
            warm,
            OWN,
            THREADS,
            "Figure 6: asynchronous throughput is about 20 % higher than synchronous. Taken as: at"
                + " 50 in flight on one core the ratio is at least 1.10."));
    claims.add(ratio(warm, OWN, VIRTUAL, "The same against virtual threads, which it had not."));
    claims.add(ratio(warm, SHARED, THREADS, "The same with application and store in one thread."));
    claims.add(linear(warm, OWN));
    claims.add(linear(warm, THREADS));
    return claims;
  }

  private static Claim flat(Optional<Sweep> warm) {
    String said =
        "Figure 6: throughput is nearly independent of the requests in flight, in both systems."
            + " Taken as: asynchronous, from 1 to 250, it stays within 0.8 and 1.4 of what it is at"
            + " 5.";
    Optional<Range> async = warm.flatMap(sweep -> Range.of(sweep, OWN));
    if (async.isEmpty()) {
      return Claim.undecided("FSM-F6", said, "This run did not measure it.");
    }
    Optional<Range> sync = warm.flatMap(sweep -> Range.of(sweep, THREADS));
    return new Claim(
            "FSM-F6",
            said,
            async.get().within(FLAT_LOW, FLAT_HIGH),
            "On one core, warm, the state machines' throughput is %s of that at 5 in flight%s."
                .formatted(
                    async.get(),
                    sync.map(range -> ", that of platform threads " + range).orElse("")))
        .from(reportPoints(warm.orElseThrow(), OWN));
  }

  /** How far throughput is from that at the base load, over the loads of the report, rising. */
  private record Range(List<Step> steps) {
    /** One load. */
    private record Step(int load, Interval ratio) {
      @Override
      public String toString() {
        return ratio + " at " + load;
      }
    }

    static Optional<Range> of(Sweep sweep, String side) {
      Optional<Point> base = sweep.at(side, BASE_LOAD);
      List<Point> points = reportPoints(sweep, side);
      if (base.isEmpty() || points.size() < 2) {
        return Optional.empty();
      }
      return Optional.of(
          new Range(
              points.stream()
                  .filter(point -> point.inFlight() != BASE_LOAD)
                  .map(
                      point -> new Step(point.inFlight(), Interval.ofThroughput(point, base.get())))
                  .sorted(Comparator.comparing(step -> step.ratio().estimate()))
                  .toList()));
    }

    Verdict within(double least, double most) {
      return Verdict.all(steps.stream().map(step -> step.ratio().within(least, most)).toList());
    }

    @Override
    public String toString() {
      return steps.size() == 1
          ? steps.getFirst().toString()
          : steps.getFirst() + " to " + steps.getLast();
    }
  }

  private static List<Point> reportPoints(Sweep sweep, String side) {
    return sweep.of(side).stream().filter(point -> point.inFlight() <= REPORT_MOST).toList();
  }

  private static Claim ratio(Optional<Sweep> warm, String over, String under, String said) {
    List<Interval> found =
        warm.map(sweep -> Interval.of(sweep, over, under, RATIO_LOAD)).orElse(List.of());
    if (found.isEmpty()) {
      return Claim.undecided("FSM-F6", said, "This run did not measure it.");
    }
    Interval ratio = found.getFirst();
    Sweep sweep = warm.orElseThrow();
    return new Claim(
            "FSM-F6",
            said,
            ratio.atLeast(RATIO_LIMIT),
            "At 50 in flight on one core, warm, %s reach %s times the throughput of %s (%s; %d pairs)."
                .formatted(over, ratio, under, Interval.METHOD, ratio.pairs()))
        .from(Stream.of(over, under).flatMap(side -> sweep.at(side, RATIO_LOAD).stream()).toList());
  }

  private static Claim linear(Optional<Sweep> warm, String side) {
    String said =
        "Figure 7: response time rises with the requests in flight, of "
            + side
            + ". Taken as: from 1 to 250 a straight line (R² at least 0.95) with a slope within"
            + " 15 % of 1/throughput.";
    List<Point> points = warm.map(sweep -> reportPoints(sweep, side)).orElse(List.of());
    if (points.size() < 3) {
      return Claim.undecided("FSM-F7", said, "This run has too few points for a line.");
    }
    List<Line> lines = Line.of(points);
    Interval r2 = Interval.ofValues(lines.stream().map(line -> line.fit().r2()).toList());
    Interval steepness =
        Interval.ofRatios(
            lines.stream().map(line -> line.fit().slope() / line.inverseMicros()).toList());
    return new Claim(
            "FSM-F7",
            said,
            Verdict.all(
                List.of(
                    r2.atLeast(LINEAR_R2),
                    steepness.within(1 - SLOPE_TOLERANCE, 1 + SLOPE_TOLERANCE))),
            String.format(
                Locale.ROOT,
                "R² is %.4f, and each request more in flight costs %.2f µs, %s times the %.2f µs of"
                    + " 1/throughput (a line for each of %d repetitions; 95 %% t interval).",
                r2.estimate(),
                Interval.ofValues(lines.stream().map(line -> line.fit().slope()).toList())
                    .estimate(),
                steepness,
                Interval.ofValues(lines.stream().map(Line::inverseMicros).toList()).estimate(),
                lines.size()))
        .from(points);
  }

  /**
   * Response time over requests in flight in one repetition.
   *
   * @param fit in microseconds
   * @param inverseMicros 1/throughput, on average over loads that keep the store busy
   */
  private record Line(Fit fit, double inverseMicros) {
    static List<Line> of(List<Point> points) {
      int repetitions = points.stream().mapToInt(point -> point.readings().size()).min().orElse(0);
      List<Line> lines = new ArrayList<>();
      for (int i = 0; i < repetitions; i++) {
        int repetition = i;
        Fit fit =
            Fit.of(
                points,
                Point::inFlight,
                point -> point.readings().get(repetition).response().mean());
        double perSecond =
            points.stream()
                .filter(point -> point.inFlight() >= BASE_LOAD)
                .mapToDouble(point -> point.readings().get(repetition).perSecond())
                .average()
                .orElse(Double.NaN);
        lines.add(new Line(fit, 1e6 / perSecond));
      }
      return lines;
    }
  }

  /** Asynchronous over synchronous in each sweep at 50 in flight. */
  static Grid ratios(List<Sweep> sweeps) {
    return Grid.of(
        "Asynchronous over synchronous throughput at 50 in flight (" + Interval.METHOD + ")",
        sweeps,
        Grid.column("", Sweep::title),
        ratios("own thread / platform", OWN, THREADS),
        ratios("own thread / virtual", OWN, VIRTUAL),
        ratios("shared thread / platform", SHARED, THREADS),
        ratios("shared thread / virtual", SHARED, VIRTUAL));
  }

  private static Grid.Column<Sweep> ratios(String head, String over, String under) {
    return Grid.column(
        head,
        sweep ->
            Interval.of(sweep, over, under, RATIO_LOAD).stream()
                .map(Interval::toString)
                .findFirst()
                .orElse("-"));
  }

  /** Where Little's law fails most. */
  static String little(List<Sweep> sweeps) {
    record Worst(Sweep sweep, Point point) {}
    return sweeps.stream()
        .flatMap(sweep -> sweep.points().stream().map(point -> new Worst(sweep, point)))
        .filter(worst -> Double.isFinite(worst.point().littleResidual()))
        .max(Comparator.comparing(worst -> worst.point().littleResidual()))
        .map(
            worst ->
                "Little's law |N - X R| / N fails most by %s (%s, %d in flight, %s)%s."
                    .formatted(
                        Numbers.percent(worst.point().littleResidual()),
                        worst.point().side(),
                        worst.point().inFlight(),
                        worst.sweep().title(),
                        worst.point().littleResidual() < LITTLE_LIMIT
                            ? ""
                            : "; at 5 % and more a sample is too short for its load, or what comes"
                                + " between two cycles is not in the response time"))
        .orElse("Little's law was not looked at: nothing was measured.");
  }
}
