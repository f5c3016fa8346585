package dev.upcall.bench.harness;

import dev.upcall.specweb.document.Markup;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Outcomes as drawings. */
final class Drawings {
  /** Lines further apart than that cannot be told from zero on an axis of equal differences. */
  private static final double FAR = 20;

  private Drawings() {}

  /**
   * Latency over the time of a run: a dot for each step, of each row the sample that is in the
   * middle. Null when nobody has looked.
   */
  static @Nullable Markup peaks(Outcome outcome) {
    List<Plot.Series> series = new ArrayList<>();
    int stepMillis = 0;
    for (Outcome.Row row : outcome.rows()) {
      Timeline peaks = middle(outcome, row).peaks();
      if (!peaks.isEmpty()) {
        stepMillis = peaks.stepMillis();
        series.add(Plot.Series.dots(row.entrant().name(), points(peaks)));
      }
    }
    if (series.isEmpty()) {
      return null;
    }
    return Plot.of(
        "latency over time: " + outcome.comparison().title(),
        Plot.Scale.linear("seconds since the first that counts"),
        Plot.Scale.log("longest of each " + stepMillis + " ms, ms"),
        series);
  }

  /**
   * Throughput over the time of a run: of each row the sample that is in the middle, without its
   * last second, which is not whole. Null when nobody has looked, or no run had two seconds.
   */
  static @Nullable Markup rates(Outcome outcome) {
    List<Plot.Series> series = new ArrayList<>();
    for (Outcome.Row row : outcome.rows()) {
      List<Long> units = middle(outcome, row).unitsOfEachSecond();
      List<Plot.Point> points = new ArrayList<>();
      for (int second = 0; second < units.size() - 1; second++) {
        points.add(new Plot.Point(second + 1.0, units.get(second)));
      }
      if (points.size() > 1) {
        series.add(new Plot.Series(row.entrant().name(), points));
      }
    }
    if (series.isEmpty()) {
      return null;
    }
    String unit = outcome.comparison().figure().unit();
    return Plot.of(
        unit + " over time: " + outcome.comparison().title(),
        Plot.Scale.linear("seconds"),
        Plot.Scale.linear(unit + " of each second"),
        series);
  }

  private static Course middle(Outcome outcome, Outcome.Row row) {
    List<Sample> sorted =
        row.samples().stream()
            .sorted(Comparator.comparingDouble(outcome.comparison().figure()::of))
            .toList();
    return sorted.isEmpty() ? Course.NONE : sorted.get(sorted.size() / 2).course();
  }

  private static List<Plot.Point> points(Timeline peaks) {
    List<Plot.Point> points = new ArrayList<>();
    for (int step = 0; step < peaks.longestMicros().size(); step++) {
      long micros = peaks.longestMicros().get(step);
      if (micros > 0) {
        double second = (step + 0.5) * peaks.stepMillis() / 1e3;
        points.add(new Plot.Point(second, micros / 1e3));
      }
    }
    return points;
  }

  /** What comparisons have drawn together. */
  static Markup lines(Plotted plot) {
    return Plot.of(
        plot.title(),
        Plot.Scale.log(plot.axis()),
        new Plot.Scale(plot.number(), isFar(plot)),
        plot.lines().stream().map(Drawings::series).toList());
  }

  private static boolean isFar(Plotted plot) {
    DoubleSummaryStatistics all =
        plot.lines().stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Plotted.Point::median)
            .summaryStatistics();
    return all.getMax() > FAR * all.getMin();
  }

  private static Plot.Series series(Plotted.Line line) {
    return new Plot.Series(
        line.name(),
        line.points().stream().map(point -> new Plot.Point(point.at(), point.median())).toList());
  }
}
