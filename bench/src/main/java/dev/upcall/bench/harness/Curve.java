package dev.upcall.bench.harness;

import java.util.List;

/**
 * Where the medians of a comparison lie in a plot, to which other comparisons of the same
 * experiment give their points.
 *
 * @param plot its title, the same in all of them
 * @param axis what grows from left to right
 * @param points one for each entrant that is drawn
 */
public record Curve(String plot, String axis, List<Point> points) {
  /** Copies the list. */
  public Curve {
    points = List.copyOf(points);
  }

  /**
   * A point.
   *
   * @param entrant whose median it is
   * @param line on which it lies
   * @param at where on the axis, above 0
   */
  public record Point(String entrant, String line, double at) {}

  /** All entrants at one place, each on a line of its own name. */
  public static Curve at(String plot, String axis, double at, List<Entrant> entrants) {
    return new Curve(
        plot, axis, entrants.stream().map(one -> new Point(one.name(), one.name(), at)).toList());
  }
}
