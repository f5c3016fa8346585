package dev.upcall.bench.stages;

import dev.upcall.bench.harness.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the time went. All times are in microseconds.
 *
 * @param plan what was read, by how many at once
 * @param rows by side, warm before cold, few in flight before many
 */
public record StageTable(StagePlan plan, List<Row> rows) {
  /** By so much stages and total may differ. */
  public static final double TOLERANCE_MICROS = 1;

  /** Copies the list. */
  public StageTable {
    rows = List.copyOf(rows);
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
      Optional<Drains> drains) {
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
          ran.number("units") / (ran.number("nanos") / 1e9),
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
              : Optional.empty());
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
    return rows.stream()
        .filter(row -> row.side() == side && row.warm() == warm && row.inFlight() == inFlight)
        .findFirst();
  }

  /** Whether all stages add up. */
  public boolean sumsHold() {
    return rows.stream().allMatch(Row::sumsHold);
  }
}
