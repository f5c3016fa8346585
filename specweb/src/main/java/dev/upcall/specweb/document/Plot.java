package dev.upcall.specweb.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Lines over two axes, as an {@code svg} element inside a {@link HtmlPage}. Each line has its own
 * mark besides its own colour, and each point says its numbers when it is pointed at.
 */
public final class Plot {
  /** What a page needs in its style sheet, besides the colours {@code --c0} to {@code --c5}. */
  static final String STYLE =
      """
      svg.plot { width: 100%; max-width: 60rem; height: auto; font: 12px system-ui, sans-serif; }
      svg.plot text { fill: var(--soft); } svg.plot .end { text-anchor: end; }
      svg.plot .middle { text-anchor: middle; } svg.plot .grid { stroke: var(--line); }
      svg.plot path.line { fill: none; stroke: var(--ink); stroke-width: 2; }
      svg.plot path.mark { fill: var(--ink); }
      svg.plot path.dots { fill: none; stroke: var(--ink); stroke-width: 2.5;
        stroke-linecap: round; opacity: .6; }
      svg.plot path.invalid { fill: var(--page); stroke: var(--bad); stroke-width: 2; }
      .c0 { --ink: var(--c0); } .c1 { --ink: var(--c1); } .c2 { --ink: var(--c2); }
      .c3 { --ink: var(--c3); } .c4 { --ink: var(--c4); } .c5 { --ink: var(--c5); }
      """;

  private static final int WIDTH = 720;
  private static final int HEIGHT = 340;
  private static final int LEFT = 92;
  private static final int RIGHT = 24;
  private static final int TOP = 34;
  private static final int BOTTOM = 48;
  private static final int TICKS = 5;
  private static final int MAX_LOG_TICKS = 9;
  private static final int LEGEND_LETTER = 6;
  private static final int LEGEND_GAP = 28;
  private static final int LEGEND_LINE = 16;

  /**
   * One for each colour, drawn around the origin: a disc, a square, a triangle, a diamond, a bar, a
   * cross.
   */
  private static final List<String> MARKS =
      List.of(
          "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
          "M-3.5 -3.5h7v7h-7z",
          "M0 -4.5L4.5 3.5h-9z",
          "M0 -5L5 0L0 5L-5 0z",
          "M-5 -2h10v4h-10z",
          "M-2 -5h4v3h3v4h-3v3h-4v-3h-3v-4h3z");

  private final Axis x;
  private final Axis y;
  private final Markup svg = new Markup();

  private Plot(Axis x, Axis y) {
    this.x = x;
    this.y = y;
  }

  /**
   * What an axis shows.
   *
   * @param title with the unit
   * @param logarithmic whether equal ratios are equally long; values must then be above 0
   */
  public record Scale(String title, boolean logarithmic) {
    /** Equal differences are equally long. */
    public static Scale linear(String title) {
      return new Scale(title, /* logarithmic= */ false);
    }

    /** Equal ratios are equally long. */
    public static Scale log(String title) {
      return new Scale(title, /* logarithmic= */ true);
    }
  }

  /**
   * A line, or dots.
   *
   * @param label for the legend
   * @param points from left to right
   * @param joined whether a line goes through them; else they are dots, of which there may be
   *     thousands, and which say no numbers
   */
  public record Series(String label, List<Point> points, boolean joined) {
    /** Copies the list. */
    public Series {
      points = List.copyOf(points);
    }

    /** A line. */
    public Series(String label, List<Point> points) {
      this(label, points, /* joined= */ true);
    }

    /** Dots. */
    public static Series dots(String label, List<Point> points) {
      return new Series(label, points, /* joined= */ false);
    }
  }

  /**
   * A measured point.
   *
   * @param valid whether it counts; else it is drawn hollow
   */
  public record Point(double x, double y, boolean valid) {
    /** One that counts. */
    public Point(double x, double y) {
      this(x, y, /* valid= */ true);
    }
  }

  /** The drawing. */
  public static Markup of(String description, Scale x, Scale y, List<Series> series) {
    List<Point> all =
        series.stream().flatMap(line -> line.points().stream().filter(drawable(x, y))).toList();
    Plot plot = new Plot(Axis.of(x, all, Point::x), Axis.of(y, all, Point::y));
    List<Place> legend = legend(series);
    int above = legend.isEmpty() ? 0 : legend.getLast().down();
    plot.svg.line(
        "<svg class=\"plot\" viewBox=\"0 %d %d %d\" role=\"img\" aria-label=\"%s\">",
        -above, WIDTH, HEIGHT + above, description);
    plot.axes();
    for (int i = 0; i < series.size(); i++) {
      // With more lines than colours, those of one colour have different marks.
      int colour = i % MARKS.size();
      String mark = MARKS.get((i + i / MARKS.size()) % MARKS.size());
      Place place = legend.get(i);
      plot.svg.line("<g class=\"c%d\">", colour);
      plot.series(series.get(i), mark, drawable(x, y));
      plot.mark(place.across() + 5, place.down() - above + 12, mark, "mark", "");
      plot.svg.line(
          "<text x=\"%.0f\" y=\"%d\">%s</text></g>",
          place.across() + 14, place.down() - above + 16, series.get(i).label());
    }
    return plot.svg.add("</svg>");
  }

  /** Where a word of the legend stands. */
  private record Place(double across, int down) {}

  /** In lines as long as the drawing is wide. */
  private static List<Place> legend(List<Series> series) {
    List<Place> places = new ArrayList<>();
    double across = LEFT;
    int down = 0;
    for (Series one : series) {
      double width = LEGEND_GAP + (double) LEGEND_LETTER * one.label().length();
      if (across > LEFT && across + width > WIDTH) {
        across = LEFT;
        down += LEGEND_LINE;
      }
      places.add(new Place(across, down));
      across += width;
    }
    return places;
  }

  private static Predicate<Point> drawable(Scale x, Scale y) {
    return point ->
        Double.isFinite(point.x())
            && Double.isFinite(point.y())
            && (!x.logarithmic() || point.x() > 0)
            && (!y.logarithmic() || point.y() > 0);
  }

  private void axes() {
    for (double tick : y.ticks()) {
      svg.line(
          "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
          LEFT, WIDTH - RIGHT, down(tick), down(tick));
      svg.line(
          "<text x=\"%d\" y=\"%.1f\" class=\"end\">%s</text>",
          LEFT - 8, down(tick) + 4, HtmlPage.show(tick));
    }
    for (double tick : x.ticks()) {
      svg.line(
          "<text x=\"%.1f\" y=\"%d\" class=\"middle\">%s</text>",
          across(tick), HEIGHT - BOTTOM + 18, HtmlPage.show(tick));
    }
    svg.line(
        "<text x=\"%d\" y=\"%d\" class=\"middle\">%s</text>",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x.scale().title());
    svg.line(
        "<text transform=\"translate(14 %d) rotate(-90)\" class=\"middle\">%s</text>",
        (TOP + HEIGHT - BOTTOM) / 2, y.scale().title());
  }

  private void series(Series series, String mark, Predicate<Point> drawable) {
    List<Point> points = series.points().stream().filter(drawable).toList();
    if (points.isEmpty()) {
      return;
    }
    if (!series.joined()) {
      dots(points);
      return;
    }
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(path.isEmpty() ? "M" : "L")
          .append(String.format(Locale.ROOT, "%.1f %.1f", across(point.x()), down(point.y())));
    }
    svg.line("<path class=\"line\" d=\"%s\"/>", path);
    for (Point point : points) {
      mark(
          across(point.x()),
          down(point.y()),
          mark,
          point.valid() ? "mark" : "mark invalid",
          "%s: %s at %s%s"
              .formatted(
                  series.label(),
                  HtmlPage.show(point.y()),
                  HtmlPage.show(point.x()),
                  point.valid() ? "" : " (invalid)"));
    }
  }

  private void dots(List<Point> points) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(String.format(Locale.ROOT, "M%.1f %.1fh0", across(point.x()), down(point.y())));
    }
    svg.line("<path class=\"dots\" d=\"%s\"/>", path);
  }

  private void mark(double across, double down, String shape, String style, String title) {
    svg.line(
        "<path class=\"%s\" transform=\"translate(%.1f %.1f)\" d=\"%s\">%s</path>",
        style, across, down, shape, title.isEmpty() ? "" : Markup.of("<title>%s</title>", title));
  }

  private double across(double value) {
    return LEFT + (WIDTH - RIGHT - LEFT) * x.part(value);
  }

  private double down(double value) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * y.part(value);
  }

  /** The next number of the form 1, 2, 2.5 or 5 times a power of ten, so that ticks are round. */
  static double ceiling(double most) {
    if (!(most > 0)) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(most)));
    for (double step : new double[] {1, 2, 2.5, 5}) {
      if (most <= step * power) {
        return step * power;
      }
    }
    return 10 * power;
  }

  /** A scale with its ends and its ticks. */
  private record Axis(Scale scale, List<Double> ticks) {
    static Axis of(Scale scale, List<Point> points, ToDoubleFunction<Point> number) {
      double most = points.stream().mapToDouble(number).max().orElse(1);
      if (!scale.logarithmic()) {
        double end = ceiling(most);
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i <= TICKS; i++) {
          ticks.add(end * i / TICKS);
        }
        return new Axis(scale, List.copyOf(ticks));
      }
      double least = points.stream().mapToDouble(number).min().orElse(1);
      List<Double> fine = steps(least, most, List.of(1.0, 2.0, 5.0));
      return new Axis(
          scale, fine.size() <= MAX_LOG_TICKS ? fine : steps(least, most, List.of(1.0)));
    }

    /** Round numbers from the last at or below the least to the first at or above the most. */
    private static List<Double> steps(double least, double most, List<Double> digits) {
      List<Double> ticks = new ArrayList<>();
      double power = Math.pow(10, Math.floor(Math.log10(least)));
      while (ticks.isEmpty() || ticks.getLast() < most || ticks.size() < 2) {
        for (double digit : digits) {
          double tick = digit * power;
          if (ticks.size() < 2 || ticks.getLast() < most) {
            ticks.add(tick);
          }
        }
        power *= 10;
      }
      while (ticks.size() > 2 && ticks.get(1) <= least) {
        ticks.removeFirst();
      }
      return List.copyOf(ticks);
    }

    /** Where a value lies, from 0 at the low end to 1. */
    double part(double value) {
      double low = ticks.getFirst();
      double high = ticks.getLast();
      return scale.logarithmic()
          ? Math.log(value / low) / Math.log(high / low)
          : (value - low) / (high - low);
    }
  }
}
