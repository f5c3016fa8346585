package dev.upcall.bench.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What comparisons of an experiment have drawn together ({@link Curve}).
 *
 * @param experiment its name
 * @param title of the plot
 * @param axis what grows from left to right
 * @param number what is drawn
 * @param lines one for each side, in the order of their first points
 */
record Plotted(String experiment, String title, String axis, String number, List<Line> lines) {
  /**
   * A line.
   *
   * @param points from left to right
   */
  record Line(String name, List<Point> points) {}

  /** A point; what is not known has none. */
  record Point(double at, double median) {}

  /** All plots: of each curve by the number that decides, and where that is another by time. */
  static List<Plotted> of(List<Outcome> outcomes) {
    Map<Key, List<Part>> parts = new LinkedHashMap<>();
    for (Outcome outcome : outcomes) {
      Figure figure = outcome.comparison().figure();
      for (Curve curve : outcome.comparison().curves()) {
        for (Figure drawn : drawn(figure)) {
          Key key =
              new Key(outcome.comparison().experiment(), curve.plot(), curve.axis(), drawn.label());
          parts.computeIfAbsent(key, _ -> new ArrayList<>()).add(new Part(outcome, curve, drawn));
        }
      }
    }
    List<Plotted> plots = new ArrayList<>();
    parts.forEach((key, of) -> plots.add(key.plot(lines(of))));
    return plots;
  }

  private static List<Figure> drawn(Figure figure) {
    Figure perSecond = Figure.perSecond(figure.unit());
    return figure.kind() == Figure.Kind.PER_SECOND ? List.of(figure) : List.of(figure, perSecond);
  }

  private static List<Line> lines(List<Part> parts) {
    Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();
    for (Part part : parts) {
      for (Curve.Point point : part.curve().points()) {
        Outcome.Row row = part.outcome().row(point.entrant());
        double median = row == null ? Double.NaN : row.median(part.drawn()::of);
        if (Double.isFinite(median)) {
          lines.computeIfAbsent(point.line(), _ -> new TreeMap<>()).put(point.at(), median);
        }
      }
    }
    List<Line> all = new ArrayList<>();
    lines.forEach(
        (name, points) ->
            all.add(
                new Line(
                    name,
                    points.entrySet().stream()
                        .map(point -> new Point(point.getKey(), point.getValue()))
                        .toList())));
    return all;
  }

  private record Key(String experiment, String title, String axis, String number) {
    Plotted plot(List<Line> lines) {
      return new Plotted(experiment, title, axis, number, lines);
    }
  }

  private record Part(Outcome outcome, Curve curve, Figure drawn) {}
}
