package dev.upcall.bench.proxy.study;

import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.proxy.trace.TraceMarks;
import dev.upcall.bench.report.Chart;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The trace proves its own marks before anything is derived from it (figures 1 and 2). */
final class GeneratorStudy {
  static final String TITLE = "1. The trace";

  private static final double MB = 1e6;

  private final Runs runs;
  private final List<TraceMarks> marks;

  GeneratorStudy(Runs runs) {
    this.runs = runs;
    this.marks =
        runs.size().seeds().parallelStream()
            .map(seed -> TraceMarks.of(runs.trace(TraceConfig.paper(seed))))
            .toList();
  }

  Section section() {
    return Section.of(
        TITLE,
        "Two days of requests, drawn from a seed: 522,376 and 495,664 of them, or a tenth. Day 1"
            + " fills caches that are empty; day 2 is measured. Objects are popular by rank^-0.75;"
            + " sizes are lognormal with a Pareto tail; servers come in bursts.",
        claims(),
        List.of(
            chart(
                "reference-sizes",
                "Figure 1: references up to a size",
                "bytes",
                mark -> mark.sizes().steps()),
            chart(
                "server-stack",
                "Figure 2: requests for one of the most recent servers",
                "servers",
                mark -> mark.locality().stack())),
        List.of(grid()));
  }

  private List<Claim> claims() {
    return List.of(
        judgement()
            .within("hit rate of day 2", each(mark -> mark.hits().secondDay()), 0.58, 0.60)
            .claim(
                "PX-HIT", "An infinite cache finds 59 % of the requests. Taken as: 0.58 to 0.60."),
        judgement()
            .within(
                "references up to 8 KB", each(mark -> mark.sizes().smallReferences()), 0.73, 0.75)
            .claim("PX-F1", "74 % of references are for at most 8 KB. Taken as: 0.73 to 0.75."),
        judgement()
            .within("fitted exponent", each(mark -> mark.locality().alpha()), 0.70, 0.80)
            .claim("PX-ZIPF", "Popularity falls as rank^-0.64 to -0.83. Taken as: 0.70 to 0.80."),
        judgement()
            .atLeast(
                "requests for one of the 8 servers asked most recently",
                each(mark -> mark.locality().recentHosts()),
                0.45)
            .within("shuffled", each(mark -> mark.locality().shuffledHosts()), 0, 0.05)
            .claim(
                "PX-F2",
                "Servers are strongly clustered in time. The paper gives no number. Taken as: at least"
                    + " 0.45, and at most 0.05 of the same requests in random order."),
        judgement()
            .within("objects", each(mark -> mark.crossing().objects()), 0.30, 0.34)
            .within("hits", each(mark -> mark.crossing().hits()), 0.30, 0.34)
            .claim(
                "PX-CROSS",
                "Without alignment 32 % of small objects and 30 % of hits on them cross a page. Taken"
                    + " as: 0.30 to 0.34.",
                "Few objects have many of the hits; whether the most popular ones cross is chance."));
  }

  private List<Double> each(ToDoubleFunction<TraceMarks> figure) {
    return marks.stream().map(figure::applyAsDouble).toList();
  }

  private Judgement judgement() {
    return new Judgement(runs.size().decides());
  }

  private Chart chart(
      String id, String title, String x, Function<TraceMarks, List<TraceMarks.Step>> steps) {
    List<Plot.Point> points =
        steps.apply(marks.getFirst()).stream()
            .map(step -> new Plot.Point(step.at(), step.share()))
            .toList();
    return new Chart(
        id,
        title,
        Plot.Scale.log(x),
        Plot.Scale.linear("share of requests"),
        List.of(new Plot.Series("first seed", points)));
  }

  private Grid grid() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("hit rate of both days", mark -> mark.hits().bothDays()));
    rows.add(row("distinct objects", mark -> mark.hits().distinct()));
    rows.add(row("asked for once, share of objects", mark -> mark.hits().once()));
    rows.add(row("distinct MB (paper: below 8,000)", mark -> mark.hits().distinctBytes() / MB));
    rows.add(row("requests for small objects", mark -> mark.sizes().smallRequests()));
    rows.add(row("of them on day 1", mark -> mark.sizes().smallFirstDay()));
    for (int i = 0; i < Segments.CLASSES; i++) {
      int segmentClass = i;
      rows.add(
          row(
              "small objects in segments of %,d bytes".formatted(Segments.bytes(i)),
              mark -> mark.sizes().classes().get(segmentClass)));
    }
    rows.add(
        row(
            "of the 1,000 most popular, asked for in the first tenth of day 1",
            mark -> mark.locality().popularEarly()));
    return new Grid("Other marks: mean (seeds from to)", List.of("", "found"), rows);
  }

  private List<String> row(String what, ToDoubleFunction<TraceMarks> figure) {
    return List.of(what, Judgement.show(each(figure)));
  }
}
