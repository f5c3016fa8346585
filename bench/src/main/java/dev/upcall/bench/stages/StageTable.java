package dev.upcall.bench.stages;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Warmth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the time went. All times are in microseconds.
 *
 * @param plan what was read, by how many at once
 * @param rows by side, warm before cold, few in flight before many: of each point the sample with
 *     the median of mean totals
 * @param samples all of them, in the order of taking
 * @param warmths how warm the sides were, as in {@code async warm}
 */
public record StageTable(
    StagePlan plan, List<Row> rows, List<Row> samples, Map<String, Warmth> warmths) {
  /** By so much stages and total may differ. */
  public static final double TOLERANCE_MICROS = 1;

  /** Copies the lists and the map, whose order stays. */
  public StageTable {
    rows = List.copyOf(rows);
    samples = List.copyOf(samples);
    warmths = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(warmths));
  }

  /** Of all samples. */
  public static StageTable of(StagePlan plan, List<Row> samples, Map<String, Warmth> warmths) {
    List<Row> rows = new ArrayList<>();
    for (StageSide side : StageSide.values()) {
      for (boolean warm : new boolean[] {true, false}) {
        for (int inFlight : plan.inFlight()) {
          List<Row> some =
              of(samples, side, warm, inFlight).stream()
                  .sorted(Comparator.comparingDouble(sample -> sample.total().mean()))
                  .toList();
          if (!some.isEmpty()) {
            rows.add(some.get((some.size() - 1) / 2));
          }
        }
      }
    }
    return new StageTable(plan, rows, samples, warmths);
  }

  private static List<Row> of(List<Row> rows, StageSide side, boolean warm, int inFlight) {
    return rows.stream()
        .filter(row -> row.side() == side && row.warm() == warm && row.inFlight() == inFlight)
        .toList();
  }

  /** Units in a second of a worker's answer. */
  static double perSecond(Fields ran) {
    return ran.number("units") / (ran.number("nanos") / 1e9);
  }

  /**
   * Of a time.
   *
   * @param mean exact
   * @param p50 the median, too high by a sixteenth at most
   * @param p99 the 99th percentile, the same
   */
  public record Times(double mean, double p50, double p99) {
    static Times parse(String text) {
      String[] parts = text.split("/", -1);
      return new Times(
          Double.parseDouble(parts[0]), Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
    }
  }

  /**
   * The drains of the store's thread: turns that ran something.
   *
   * @param batch upcalls and timers of one, on average
   * @param micros how long one took
   * @param before upcalls that waited when it began to run them
   * @param after upcalls that it left
   */
  public record Drains(double batch, double micros, double before, double after) {}

  /**
   * One side with so many in flight.
   *
   * @param warm whether all files are in the store's memory; then nothing asks for I/O, and its
   *     stages are empty
   * @param requests how many were stamped
   * @param withIo the part of them that asked the disk
   * @param perSecond how many there were in a second
   * @param applicationMicros what the application's own clock says of one on average, its check of
   *     the content included
   * @param stages as many as the side has
   * @param total from the first stamp to the last
   * @param residualMicros by how much the stages of a single request differed from its total at
   *     worst
   * @param drains of the state machines
   * @param compiling the part of a core that the compiler took meanwhile; NaN when nobody looked
   */
  public record Row(
      StageSide side,
      boolean warm,
      int inFlight,
      long requests,
      double withIo,
      double perSecond,
      double applicationMicros,
      List<Times> stages,
      Times total,
      double residualMicros,
      Optional<Drains> drains,
      double compiling) {
    /** Copies the list. */
    public Row {
      stages = List.copyOf(stages);
    }

    /** Takes a worker's answer apart. */
    static Row of(StageSide side, boolean warm, int inFlight, Fields ran) {
      List<Times> stages = new ArrayList<>();
      for (StageSide.Stage stage : side.stages()) {
        stages.add(Times.parse(ran.text(stage.key())));
      }
      long requests = ran.number("requests");
      return new Row(
          side,
          warm,
          inFlight,
          requests,
          (double) ran.number("io") / Math.max(1, requests),
          StageTable.perSecond(ran),
          ran.decimal("mean"),
          stages,
          Times.parse(ran.text("total")),
          ran.decimal("residual"),
          side == StageSide.ASYNC
              ? Optional.of(
                  new Drains(
                      ran.decimal("batch"),
                      ran.decimal("drain"),
                      ran.decimal("before"),
                      ran.decimal("after")))
              : Optional.empty(),
          Double.NaN);
    }

    /** The same with what the compiler took. */
    Row compiling(double part) {
      return new Row(
          side,
          warm,
          inFlight,
          requests,
          withIo,
          perSecond,
          applicationMicros,
          stages,
          total,
          residualMicros,
          drains,
          part);
    }

    /** The part of the time that a stage takes. */
    public double share(int stage) {
      return total.mean() == 0 ? 0 : stages.get(stage).mean() / total.mean();
    }

    /** The longest stage. */
    public int longest() {
      int longest = 0;
      for (int i = 1; i < stages.size(); i++) {
        longest = stages.get(i).mean() > stages.get(longest).mean() ? i : longest;
      }
      return longest;
    }

    /** Whether the stages add up to the total, of each request and on average. */
    public boolean sumsHold() {
      double sum = stages.stream().mapToDouble(Times::mean).sum();
      return requests > 0
          && residualMicros <= TOLERANCE_MICROS
          && Math.abs(sum - total.mean()) <= TOLERANCE_MICROS;
    }
  }

  /** The row of a side, if it was measured. */
  public Optional<Row> row(StageSide side, boolean warm, int inFlight) {
    return of(rows, side, warm, inFlight).stream().findFirst();
  }

  /** All samples of a point, in the order of taking. */
  public List<Row> samples(StageSide side, boolean warm, int inFlight) {
    return of(samples, side, warm, inFlight);
  }

  /** Whether all stages add up. */
  public boolean sumsHold() {
    return samples.stream().allMatch(Row::sumsHold);
  }
}
