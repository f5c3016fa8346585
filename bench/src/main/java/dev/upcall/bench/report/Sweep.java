package dev.upcall.bench.report;

import dev.upcall.bench.harness.Warmth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The same work by several sides over a rising load.
 *
 * @param id short and unique, for programs
 * @param title what was done, and how
 * @param words how the load and the units are called
 * @param points of all sides
 * @param warmths how warm the sides were, by name
 */
public record Sweep(
    String id, String title, Words words, List<Point> points, Map<String, Warmth> warmths) {
  /** Copies the list and the map, whose order stays. */
  public Sweep {
    points = List.copyOf(points);
    warmths = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(warmths));
  }

  /** One of which nobody knows how warm its sides were. */
  public Sweep(String id, String title, Words words, List<Point> points) {
    this(id, title, words, points, Map.of());
  }

  /** The same with some of its points. */
  public Sweep with(List<Point> some) {
    return new Sweep(id, title, words, some, warmths);
  }

  /** Whether the compiler worked while a point was measured, or its side was not steady before. */
  public boolean isDoubtful(Point point) {
    Warmth warmth = warmths.get(point.side());
    return point.isCompiling() || (warmth != null && !warmth.steady());
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
