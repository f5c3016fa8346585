package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Table;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.ecommerce.machine.Traffic;
import dev.upcall.bench.report.Chart;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Addresses over time (figures 3 to 5). */
record PlacesStudy(Runs runs) {
  static final String TITLE = "3. Where requests go";

  private static final double ITEMS_SHARE = 0.5;
  private static final double MOST_RUN_MIB = 1;
  private static final int MOST_DOTS = 1_200;
  private static final double PAGES_OF_MIB = 256;

  static double seconds(StudySize size) {
    return 6 * Runs.seconds(size);
  }

  Section section() {
    List<Chart> charts = new ArrayList<>();
    for (Case one : Case.ALL) {
      charts.add(chart(3 + one.kind().ordinal(), one));
    }
    return Section.of(
        TITLE,
        "Some of the requests that were issued to the drive, light load, the first seed. Tables lie"
            + " one behind the other in the order of the grid below, the log and the journal last.",
        List.of(tpcW(), rubis(), tpcC()),
        charts,
        List.of(layout()));
  }

  private List<RunResult> light(Workload.Kind kind, boolean writeRich) {
    return runs.all(runs.plan(new Case(kind, writeRich), Load.LIGHT));
  }

  private static List<Double> shares(List<RunResult> results, String table) {
    return results.stream().map(one -> one.places().readShare(table)).toList();
  }

  private Claim tpcW() {
    return new Judgement(runs.size().decides())
        .within(
            "items, browsing", shares(light(Workload.Kind.TPC_W, false), "item"), ITEMS_SHARE, 1)
        .within("items, ordering", shares(light(Workload.Kind.TPC_W, true), "item"), ITEMS_SHARE, 1)
        .claim(
            "EC-F3",
            "TPC-W's traffic is mostly in the table of items. Taken as: half of the sectors read.");
  }

  private Claim rubis() {
    List<RunResult> browsing = light(Workload.Kind.RUBIS, false);
    Judgement judgement = new Judgement(runs.size().decides());
    double items = Judgement.mean(shares(browsing, "items"));
    for (String other : List.of("users", "bids", "comments")) {
      double share = Judgement.mean(shares(browsing, other));
      judgement.expect(
          items > share,
          "items %s, %s %s".formatted(Judgement.show(items), other, Judgement.show(share)));
    }
    return judgement.claim(
        "EC-F4", "RUBiS's traffic is mostly in the table of items when browsing.");
  }

  private Claim tpcC() {
    List<Double> longest = new ArrayList<>();
    for (boolean writeRich : new boolean[] {false, true}) {
      for (RunResult one : light(Workload.Kind.TPC_C, writeRich)) {
        longest.add(one.places().longestReadRunBlocks() / PAGES_OF_MIB);
      }
    }
    return new Judgement(runs.size().decides())
        .within("longest run in MiB", longest, 0, MOST_RUN_MIB)
        .claim(
            "EC-F5",
            "TPC-C reads all over its tables, without long scans. Taken as: no run of consecutive"
                + " reads above 1 MB.");
  }

  private Chart chart(int figure, Case one) {
    RunResult result = light(one.kind(), one.writeRich()).getFirst();
    return new Chart(
        "places-%s-%s".formatted(one.kind().label(), one.mix().name()),
        "Figure %d: %s".formatted(figure, one.label()),
        Plot.Scale.linear("seconds"),
        Plot.Scale.linear("MiB from the begin"),
        List.of(dots(result, /* reads= */ true), dots(result, /* reads= */ false)));
  }

  private static Plot.Series dots(RunResult result, boolean reads) {
    List<Traffic.Dot> dots =
        result.places().dots().stream().filter(dot -> dot.reads() == reads).toList();
    int every = 1 + dots.size() / MOST_DOTS;
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < dots.size(); i += every) {
      points.add(
          new Plot.Point(
              Math.round(dots.get(i).seconds() * 10) / 10.0,
              Math.round(dots.get(i).block() / PAGES_OF_MIB * 10) / 10.0));
    }
    return Plot.Series.dots(reads ? "reads" : "writes", points);
  }

  private Grid layout() {
    record Placed(Workload.Kind kind, Table table) {}
    return Grid.of(
        "Where tables begin, and their parts of what was read",
        Stream.of(Workload.Kind.values())
            .flatMap(
                kind ->
                    kind.load(kind.mixes().getFirst(), runs.size().scale()).tables().stream()
                        .map(table -> new Placed(kind, table)))
            .toList(),
        Grid.column("", one -> one.kind.label()),
        Grid.column("table", one -> one.table.name()),
        Grid.column("MiB from the begin", one -> mib(one.table.firstPage())),
        Grid.column("read-rich", one -> percent(light(one.kind, false), one.table)),
        Grid.column("write-rich", one -> percent(light(one.kind, true), one.table)));
  }

  private static String mib(long page) {
    return String.format(Locale.ROOT, "%.1f", page / PAGES_OF_MIB);
  }

  private static String percent(List<RunResult> results, Table table) {
    return String.format(
        Locale.ROOT, "%.1f %%", 100 * Judgement.mean(shares(results, table.name())));
  }
}
