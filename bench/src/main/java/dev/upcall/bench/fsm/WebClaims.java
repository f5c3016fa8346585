package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Claim;
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

/** What the report says of figures 8 to 11, looked up in our sweeps. */
final class WebClaims {
  /** Sessions as state machines. */
  static final String FSM = "state machines";

  /** A platform thread for each connection. */
  static final String THREADS = "platform threads";

  /** A virtual thread for each connection. */
  static final String VIRTUAL = "virtual threads";

  /** The sweep with a client of many threads. */
  static final String MANY = "web-many";

  /** The sweep with a client of one thread. */
  static final String ONE = "web-one";

  /** The sweep with kept connections. */
  static final String KEPT = "web-kept";

  /** The sweep with and without a limit of requests inside. */
  static final String ADMISSION = "web-admission";

  /** The limit. */
  static final int MOST_INSIDE = 50;

  /** State machines with it. */
  static final String ADMITTED = "state machines, at most " + MOST_INSIDE + " inside";

  private static final double NEAR_THE_BEST = 0.9;
  private static final int REPORT_MOST = 250;
  private static final double BETTER = 1.1;
  private static final double STEADY = 0.8;
  private static final double WORSE_TAIL = 1.5;
  private static final double ALIKE = 0.15;
  private static final double SYNC_SHARE = 0.2;
  private static final int SYNC_CLIENTS = 200;
  private static final int BATCH_CLIENTS = 10;
  private static final double BATCH_GROWTH = 5;
  private static final String NOT_MEASURED = "This run did not measure it.";

  private WebClaims() {}

  /** All of them. */
  static List<Claim> of(List<Sweep> sweeps) {
    Optional<Sweep> report =
        find(sweeps, MANY).map(sweep -> upTo(sweep, REPORT_MOST)).filter(WebClaims::hasBoth);
    Optional<Sweep> kept = find(sweeps, KEPT).filter(WebClaims::hasBoth);
    List<Claim> claims = new ArrayList<>();
    claims.add(few(report));
    claims.add(steady(report, "up to 250 clients"));
    claims.add(steady(kept, "as far as it was measured, over kept connections"));
    claims.add(tail(report, "with the most clients up to 250"));
    claims.add(tail(kept, "with the most clients measured, over kept connections"));
    claims.add(alike(find(sweeps, ONE).filter(WebClaims::hasBoth)));
    claims.add(locks(report));
    claims.add(batches(report));
    claims.add(admission(find(sweeps, ADMISSION)));
    return claims;
  }

  private static Optional<Sweep> find(List<Sweep> sweeps, String id) {
    return sweeps.stream().filter(sweep -> sweep.id().equals(id)).findFirst();
  }

  private static boolean hasBoth(Sweep sweep) {
    return !sweep.of(FSM).isEmpty() && !sweep.of(THREADS).isEmpty();
  }

  private static Sweep upTo(Sweep sweep, int most) {
    return sweep.with(sweep.points().stream().filter(point -> point.inFlight() <= most).toList());
  }

  /** Loads at which both were measured, rising. */
  private static List<Integer> common(Sweep sweep) {
    return sweep.loads().stream()
        .filter(load -> sweep.at(FSM, load).isPresent() && sweep.at(THREADS, load).isPresent())
        .toList();
  }

  private static Claim few(Optional<Sweep> report) {
    String said =
        "Figure 8: with few clients threads are much better. Taken as: with the fewest clients"
            + " their throughput is at least 1.1 times that of state machines.";
    List<Integer> loads = report.map(WebClaims::common).orElse(List.of());
    if (loads.isEmpty()) {
      return Claim.undecided("FSM-F8", said, NOT_MEASURED);
    }
    int fewest = loads.getFirst();
    Interval ratio = Interval.of(report.get(), THREADS, FSM, fewest).getFirst();
    return new Claim(
            "FSM-F8",
            said,
            ratio.atLeast(BETTER),
            "With %d client%s platform threads reach %s times the throughput of state machines (%s)."
                .formatted(fewest, fewest == 1 ? "" : "s", ratio, Interval.METHOD))
        .from(at(report.get(), List.of(fewest)));
  }

  /** The points of both sides at some loads. */
  private static List<Point> at(Sweep sweep, List<Integer> loads) {
    return Stream.of(FSM, THREADS)
        .flatMap(side -> loads.stream().flatMap(load -> sweep.at(side, load).stream()))
        .toList();
  }

  private static Claim steady(Optional<Sweep> sweep, String where) {
    String said =
        "Figure 8: with more clients the threaded server falls drastically, near standstill at 250,"
            + " while the asynchronous one stays steady. Taken as: "
            + where
            + ", state machines keep at least 0.8 of their best, and threads keep less of theirs"
            + " than state machines do.";
    List<Integer> loads = sweep.map(WebClaims::common).orElse(List.of());
    if (loads.size() < 2) {
      return Claim.undecided("FSM-F8", said, NOT_MEASURED);
    }
    Kept fsm = Kept.of(sweep.get(), FSM, loads);
    Kept threads = Kept.of(sweep.get(), THREADS, loads);
    Interval less = Interval.ofRatios(threads.over(fsm));
    return new Claim(
            "FSM-F8",
            said,
            Verdict.all(List.of(fsm.interval().atLeast(STEADY), less.below(1))),
            String.format(
                Locale.ROOT,
                "With %,d clients state machines keep %s of their best throughput and platform"
                    + " threads %s of theirs, %s times as much; %s.",
                loads.getLast(),
                fsm.interval(),
                threads.interval(),
                less,
                crossover(sweep.get(), loads)))
        .from(at(sweep.get(), loads));
  }

  /** Throughput at the highest load as a part of the best, for each repetition. */
  private record Kept(List<Double> parts) {
    static Kept of(Sweep sweep, String side, List<Integer> loads) {
      return of(loads.stream().map(load -> sweep.at(side, load).orElseThrow()).toList());
    }

    static Kept of(List<Point> points) {
      Point best = points.stream().max(Comparator.comparing(Point::perSecond)).orElseThrow();
      Point last = points.getLast();
      List<Double> parts = new ArrayList<>();
      for (int i = 0; i < Math.min(best.readings().size(), last.readings().size()); i++) {
        parts.add(last.readings().get(i).perSecond() / best.readings().get(i).perSecond());
      }
      return new Kept(parts);
    }

    Interval interval() {
      return Interval.ofRatios(parts);
    }

    List<Double> over(Kept other) {
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < Math.min(parts.size(), other.parts.size()); i++) {
        ratios.add(parts.get(i) / other.parts.get(i));
      }
      return ratios;
    }
  }

  private static String crossover(Sweep sweep, List<Integer> loads) {
    List<Integer> ahead =
        loads.stream()
            .filter(
                load ->
                    sweep.at(FSM, load).orElseThrow().perSecond()
                        > sweep.at(THREADS, load).orElseThrow().perSecond())
            .toList();
    if (ahead.isEmpty()) {
      return "state machines are ahead nowhere, so no lines cross";
    }
    return ahead.size() == loads.size()
        ? "state machines are ahead everywhere, so no lines cross"
        : String.format(
            Locale.ROOT,
            "state machines are ahead at %d of %d numbers of clients, first at %,d",
            ahead.size(),
            loads.size(),
            ahead.getFirst());
  }

  private static Claim tail(Optional<Sweep> sweep, String where) {
    String said =
        "Figure 9: response time of the threaded server rises sharply at very high counts, that of"
            + " the asynchronous one steadily. Taken as: "
            + where
            + ", the 99th percentile of threads is over 1.5 times that of state machines.";
    List<Integer> loads = sweep.map(WebClaims::common).orElse(List.of());
    if (loads.isEmpty()) {
      return Claim.undecided("FSM-F9", said, NOT_MEASURED);
    }
    Point fsm = sweep.get().at(FSM, loads.getLast()).orElseThrow();
    Point threads = sweep.get().at(THREADS, loads.getLast()).orElseThrow();
    Interval ratio = Interval.ofRatio(threads, fsm, reading -> reading.response().p99());
    return new Claim(
            "FSM-F9",
            said,
            ratio.atLeast(WORSE_TAIL),
            String.format(
                Locale.ROOT,
                "With %,d clients the 99th percentile is %s ms with platform threads and %s ms with"
                    + " state machines, %s times; the mean %s against %s ms.",
                loads.getLast(),
                Numbers.show(threads.p99Millis()),
                Numbers.show(fsm.p99Millis()),
                ratio,
                Numbers.show(threads.meanMillis()),
                Numbers.show(fsm.meanMillis())))
        .from(List.of(fsm, threads));
  }

  private static Claim alike(Optional<Sweep> one) {
    String said =
        "Figures 10 and 11: with green threads, all on one, there is hardly any difference. Taken"
            + " as: with a client of one thread throughput differs by at most 15 % at each number"
            + " of clients.";
    List<Integer> loads = one.map(WebClaims::common).orElse(List.of());
    if (loads.isEmpty()) {
      return Claim.undecided("FSM-F10", said, NOT_MEASURED);
    }
    record Difference(int load, Interval ratio) {
      double size() {
        return Math.abs(ratio.estimate() - 1);
      }
    }
    List<Difference> all =
        loads.stream()
            .map(
                load -> new Difference(load, Interval.of(one.get(), FSM, THREADS, load).getFirst()))
            .toList();
    Difference worst = all.stream().max(Comparator.comparing(Difference::size)).orElseThrow();
    return new Claim(
            "FSM-F10",
            said,
            Verdict.all(
                all.stream()
                    .map(difference -> difference.ratio().within(1 - ALIKE, 1 + ALIKE))
                    .toList()),
            String.format(
                Locale.ROOT,
                "The throughput of state machines differs most with %,d client%s, where it is %s"
                    + " times that of platform threads.",
                worst.load(),
                worst.load() == 1 ? "" : "s",
                worst.ratio()))
        .from(at(one.get(), loads));
  }

  private static Claim locks(Optional<Sweep> report) {
    String said =
        "In the threaded server up to half of the response time went into synchronisation. Taken"
            + " as: over 20 % with 200 clients.";
    Optional<Point> point = report.flatMap(sweep -> nearest(sweep, THREADS, SYNC_CLIENTS));
    if (point.isEmpty() || Double.isNaN(point.get().more("lock wait share"))) {
      return Claim.undecided("FSM-SYNC", said, NOT_MEASURED);
    }
    Interval share =
        Interval.ofValues(
            point.get().readings().stream()
                .map(reading -> reading.more().getOrDefault("lock wait share", Double.NaN))
                .toList());
    return new Claim(
            "FSM-SYNC",
            said,
            share.atLeast(SYNC_SHARE),
            String.format(
                Locale.ROOT,
                "With %d clients platform threads wait for locks of the store for %.1f %% (%.1f to"
                    + " %.1f %%) of their response time.",
                point.get().inFlight(),
                share.estimate() * 100,
                share.low() * 100,
                share.high() * 100))
        .from(List.of(point.get()));
  }

  private static Claim batches(Optional<Sweep> report) {
    String said =
        "Requests and completions form batches in the queues as load grows. Taken as: with 200"
            + " clients a turn of the store's thread runs at least 5 times as many upcalls as with"
            + " 10.";
    Optional<Point> few = report.flatMap(sweep -> nearest(sweep, FSM, BATCH_CLIENTS));
    Optional<Point> many = report.flatMap(sweep -> nearest(sweep, FSM, SYNC_CLIENTS));
    if (few.isEmpty() || many.isEmpty() || few.get().inFlight() >= many.get().inFlight()) {
      return Claim.undecided("FSM-BATCH", said, NOT_MEASURED);
    }
    Interval growth =
        Interval.ofRatio(
            many.get(), few.get(), reading -> reading.more().getOrDefault("batch", Double.NaN));
    return new Claim(
            "FSM-BATCH",
            said,
            growth.atLeast(BATCH_GROWTH),
            String.format(
                Locale.ROOT,
                "A turn runs %s upcalls with %d clients and %s with %d, %s times as many.",
                Numbers.show(few.get().more("batch")),
                few.get().inFlight(),
                Numbers.show(many.get().more("batch")),
                many.get().inFlight(),
                growth))
        .from(List.of(few.get(), many.get()));
  }

  private static Claim admission(Optional<Sweep> sweep) {
    String said =
        "Admission control keeps throughput up. Taken as: with at most %d requests inside, throughput with the most clients is within 10 %% of the best."
            .formatted(MOST_INSIDE);
    List<Point> points = sweep.map(some -> some.of(ADMITTED)).orElse(List.of());
    if (points.size() < 2) {
      return Claim.undecided("FSM-BATCH", said, NOT_MEASURED);
    }
    Point last = points.getLast();
    Kept kept = Kept.of(points);
    List<Interval> over = Interval.of(sweep.orElseThrow(), ADMITTED, FSM, last.inFlight());
    return new Claim(
            "FSM-BATCH",
            said,
            kept.interval().atLeast(NEAR_THE_BEST),
            String.format(
                Locale.ROOT,
                "With %,d clients state machines keep %s of their best throughput with the limit,"
                    + " and reach %s times the throughput without it (99th percentile %s against %s"
                    + " ms).",
                last.inFlight(),
                kept.interval(),
                over.stream().map(Interval::toString).findFirst().orElse("-"),
                Numbers.show(last.p99Millis()),
                sweep
                    .orElseThrow()
                    .at(FSM, last.inFlight())
                    .map(point -> Numbers.show(point.p99Millis()))
                    .orElse("-")))
        .from(points);
  }

  /** The point whose load is nearest to one, by ratio. */
  private static Optional<Point> nearest(Sweep sweep, String side, int load) {
    return sweep.of(side).stream()
        .min(Comparator.comparing(point -> Math.abs(Math.log((double) point.inFlight() / load))));
  }

  /** Errors, memory, and where the load itself was the limit. */
  static List<String> notes(List<Sweep> sweeps) {
    List<String> notes = new ArrayList<>();
    for (Sweep sweep : sweeps) {
      for (Point point : sweep.points()) {
        double errors =
            point.readings().stream()
                .mapToDouble(reading -> reading.more().getOrDefault("errors", 0.0))
                .sum();
        if (errors > 0) {
          notes.add(
              String.format(
                  Locale.ROOT,
                  "%s, %s, %,d clients: %,.0f requests failed and are not counted.",
                  sweep.title(),
                  point.side(),
                  point.inFlight(),
                  errors));
        }
      }
    }
    find(sweeps, KEPT).ifPresent(sweep -> notes.add(memory(sweep)));
    return notes;
  }

  private static String memory(Sweep kept) {
    List<String> words = new ArrayList<>();
    for (String side : kept.sides()) {
      List<Point> points = kept.of(side);
      Point first = points.getFirst();
      Point last = points.getLast();
      if (last.inFlight() > first.inFlight()) {
        double each =
            (last.more("resident MiB") - first.more("resident MiB"))
                * 1024
                / (last.inFlight() - first.inFlight());
        words.add(
            String.format(
                Locale.ROOT,
                "%s %.1f KiB (%.0f to %.0f MiB from %,d to %,d clients)",
                side,
                each,
                first.more("resident MiB"),
                last.more("resident MiB"),
                first.inFlight(),
                last.inFlight()));
      }
    }
    return words.isEmpty()
        ? "Memory for each connection was not measured."
        : "Resident memory for each active connection more, garbage included: "
            + String.join("; ", words)
            + ".";
  }
}
