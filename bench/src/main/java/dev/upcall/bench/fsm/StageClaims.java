package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Interval;
import dev.upcall.bench.report.Verdict;
import dev.upcall.bench.stages.StageSide;
import dev.upcall.bench.stages.StageTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the report said of the stages of a request. */
public final class StageClaims {
  private static final int FEW = 5;
  private static final int MANY = 50;
  private static final double SHARE = 0.6;
  private static final double GROWTH = 8;
  private static final double STEADY = 2;
  private static final int BATCH_FEW = 10;
  private static final int BATCH_MANY = 200;
  private static final double BATCH_GROWTH = 5;

  /** Shorter stages say nothing when they double. */
  private static final double NOTHING_MICROS = 1;

  private static final String ASYNC =
      "Nearly all of the time of an asynchronous open is waiting until the application's thread has"
          + " its completion, 4 to 6 ms with 5 in flight, 100 to 200 ms with 50. Taken as: that"
          + " stage is over 60 % of the total at 50 and at least 8 times what it is at 5, and the"
          + " other four less than double.";
  private static final String SYNC =
      "Nearly all of the time of a synchronous open lies between the I/O request and the caller"
          + " running again, 5 to 6 ms with 5 threads, 100 to 200 ms with 50. Taken as: that stage"
          + " is over 60 % of the total at 50 and at least 8 times what it is at 5.";
  private static final String BATCH =
      "The more requests there are, the larger the batches in which the storage manager's thread"
          + " serves them. Taken as: a drain with 200 in flight has at least 5 times the upcalls of"
          + " one with 10.";

  private StageClaims() {}

  /** All that the table can tell. */
  public static List<Claim> of(StageTable table) {
    List<Claim> claims = new ArrayList<>();
    for (boolean warm : new boolean[] {true, false}) {
      pair(table, StageSide.ASYNC, warm).ifPresent(pair -> claims.add(async(pair)));
    }
    for (StageSide side : List.of(StageSide.THREADS, StageSide.VIRTUAL)) {
      for (boolean warm : new boolean[] {true, false}) {
        pair(table, side, warm).ifPresent(pair -> claims.add(sync(pair)));
      }
    }
    batch(table).ifPresent(claims::add);
    return claims;
  }

  /** Where requests wait for a thread, when that is not where the report's waited. */
  static Optional<String> line(StageTable table) {
    return table
        .row(StageSide.ASYNC, true, MANY)
        .filter(row -> row.longest() == 0)
        .map(
            row ->
                ("State machines, warm, %d in flight: requests wait for the store's thread and not,"
                        + " as in the report, for the application's (the median from posting to"
                        + " handling is %s µs, of the whole %s). The report's storage manager had"
                        + " the highest priority and drained its queue before the application ran;"
                        + " here both have the same, and a thread that slept until its completion"
                        + " came runs soon.")
                    .formatted(
                        MANY,
                        Numbers.show(row.stages().getLast().p50()),
                        Numbers.show(row.total().p50())));
  }

  /**
   * All samples of two points of a side, those of a repetition at the same place, and the rows that
   * are shown of them.
   */
  private record Pair(StageTable.Row many, List<StageTable.Row> few, List<StageTable.Row> lots) {
    /** How much longer a stage is with many; 1 when it is next to nothing. */
    Interval growth(int stage) {
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < Math.min(few.size(), lots.size()); i++) {
        double before = few.get(i).stages().get(stage).mean();
        double after = lots.get(i).stages().get(stage).mean();
        ratios.add(after <= NOTHING_MICROS ? 1 : after / Math.max(before, NOTHING_MICROS));
      }
      return Interval.ofRatios(ratios);
    }

    /** The part of the time that a stage takes with many. */
    Interval share(int stage) {
      return Interval.ofValues(lots.stream().map(row -> row.share(stage)).toList());
    }

    double compiling() {
      return Stream.of(few, lots)
          .mapToDouble(
              rows ->
                  rows.stream().mapToDouble(StageTable.Row::compiling).average().orElse(Double.NaN))
          .max()
          .orElse(Double.NaN);
    }

    String where() {
      return many.side().title() + (many.warm() ? ", warm" : ", cold");
    }

    String longest() {
      int stage = many.longest();
      return "%s takes the most, %s of %s µs"
          .formatted(
              "\"until " + many.side().stages().get(stage).until() + "\"",
              Numbers.percent(many.share(stage)),
              Numbers.show(many.total().mean()));
    }
  }

  private static Optional<Pair> pair(StageTable table, StageSide side, boolean warm) {
    return table
        .row(side, warm, FEW)
        .flatMap(_ -> table.row(side, warm, MANY))
        .map(
            many ->
                new Pair(many, table.samples(side, warm, FEW), table.samples(side, warm, MANY)));
  }

  private static Claim async(Pair pair) {
    int last = pair.many().stages().size() - 1;
    List<Verdict> verdicts = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < last; i++) {
      Interval growth = pair.growth(i);
      verdicts.add(growth.below(STEADY));
      others.add(Numbers.ratio(growth.estimate()));
    }
    verdicts.add(pair.share(last).atLeast(SHARE));
    verdicts.add(pair.growth(last).atLeast(GROWTH));
    return new Claim(
            "FSM-TA",
            ASYNC,
            Verdict.all(verdicts),
            "%s: with %d in flight the last stage is %s of the total and %s times what it is with %d, the other four %s times; %s."
                .formatted(
                    pair.where(),
                    MANY,
                    percent(pair.share(last)),
                    pair.growth(last),
                    FEW,
                    String.join(", ", others),
                    pair.longest()))
        .compiling(pair.compiling());
  }

  private static Claim sync(Pair pair) {
    if (pair.many().withIo() == 0) {
      return new Claim(
          "FSM-TS",
          SYNC,
          Verdict.UNDECIDED,
          "%s: what is in the store's memory asks for no I/O, so there is no such stage; %s."
              .formatted(pair.where(), pair.longest()));
    }
    return new Claim(
            "FSM-TS",
            SYNC,
            Verdict.all(List.of(pair.share(1).atLeast(SHARE), pair.growth(1).atLeast(GROWTH))),
            "%s: with %d in flight the middle stage is %s of the total and %s times what it is with %d; %s."
                .formatted(
                    pair.where(),
                    MANY,
                    percent(pair.share(1)),
                    pair.growth(1),
                    FEW,
                    pair.longest()))
        .compiling(pair.compiling());
  }

  private static String percent(Interval part) {
    return Double.isNaN(part.low())
        ? Numbers.percent(part.estimate())
        : "%s (%s to %s)"
            .formatted(
                Numbers.percent(part.estimate()),
                Numbers.percent(part.low()),
                Numbers.percent(part.high()));
  }

  private static Optional<Claim> batch(StageTable table) {
    Optional<StageTable.Drains> few = drains(table, BATCH_FEW);
    Optional<StageTable.Drains> many = drains(table, BATCH_MANY);
    if (few.isEmpty() || many.isEmpty()) {
      return Optional.empty();
    }
    List<StageTable.Row> before = table.samples(StageSide.ASYNC, true, BATCH_FEW);
    List<StageTable.Row> after = table.samples(StageSide.ASYNC, true, BATCH_MANY);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
      ratios.add(
          after.get(i).drains().orElseThrow().batch()
              / before.get(i).drains().orElseThrow().batch());
    }
    Interval growth = Interval.ofRatios(ratios);
    return Optional.of(
        new Claim(
            "FSM-BATCH",
            BATCH,
            growth.atLeast(BATCH_GROWTH),
            "Warm, without a web server: a drain has %s upcalls with %d in flight and %s with %d, %s times as many."
                .formatted(
                    Numbers.show(many.get().batch()),
                    BATCH_MANY,
                    Numbers.show(few.get().batch()),
                    BATCH_FEW,
                    growth)));
  }

  private static Optional<StageTable.Drains> drains(StageTable table, int inFlight) {
    return table.row(StageSide.ASYNC, true, inFlight).flatMap(StageTable.Row::drains);
  }
}
