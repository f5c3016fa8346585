package dev.upcall.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/** Made-up data. */
public final class Made {
  public static final Sweep.Words WORDS = new Sweep.Words("in flight", "cycles");

  private Made() {}

  /** A sample of a closed loop without any loss: Little's law holds. */
  public static Reading reading(int inFlight, double perSecond) {
    double micros = inFlight / perSecond * 1e6;
    return new Reading(
        perSecond * 2,
        2,
        1,
        new Reading.Response(micros, micros * 0.9, micros * 3),
        Map.of("context switches", 0.5));
  }

  public static Point point(String side, int inFlight, double... perSecond) {
    return new Point(
        side, inFlight, Arrays.stream(perSecond).mapToObj(one -> reading(inFlight, one)).toList());
  }

  /** Points of a side at loads, three samples each that lie one per cent apart. */
  public static List<Point> line(String side, List<Integer> loads, IntToDoubleFunction perSecond) {
    List<Point> points = new ArrayList<>();
    for (int load : loads) {
      double middle = perSecond.applyAsDouble(load);
      points.add(point(side, load, middle * 0.99, middle, middle * 1.01));
    }
    return points;
  }

  public static Sweep sweep(String id, List<List<Point>> lines) {
    return new Sweep(id, "Title of " + id, WORDS, lines.stream().flatMap(List::stream).toList());
  }
}
