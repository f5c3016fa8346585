package dev.upcall.bench.report;

import java.util.List;
import java.util.Optional;

/**
 * The same work by several sides over a rising load.
 *
 * @param id short and unique, for programs
 * @param title what was done, and how
 * @param words how the load and the units are called
 * @param points of all sides
 */
public record Sweep(String id, String title, Words words, List<Point> points) {
  /** Copies the list. */
  public Sweep {
    points = List.copyOf(points);
  }

  /**
   * How things are called.
   *
   * @param load what rises: requests in flight, clients
   * @param unit what is counted, in the plural
   */
  public record Words(String load, String unit) {}

  /** The sides, in the order in which they were measured. */
  public List<String> sides() {
    return points.stream().map(Point::side).distinct().toList();
  }

  /** The points of a side, by rising load. */
  public List<Point> of(String side) {
    return points.stream().filter(point -> point.side().equals(side)).toList();
  }

  /** The point of a side at a load. */
  public Optional<Point> at(String side, int inFlight) {
    return of(side).stream().filter(point -> point.inFlight() == inFlight).findFirst();
  }

  /** The loads, rising. */
  public List<Integer> loads() {
    return points.stream().map(Point::inFlight).distinct().sorted().toList();
  }
}
