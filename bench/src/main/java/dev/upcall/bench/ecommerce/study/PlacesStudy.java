package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Table;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.ecommerce.machine.Traffic;
import dev.upcall.bench.report.Chart;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Section;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Addresses over time (figures 3 to 5). */
final class PlacesStudy {
  static final String TITLE = "3. Where requests go";

  private static final double ITEMS_SHARE = 0.5;
  private static final double MOST_RUN_MIB = 1;
  private static final int MOST_DOTS = 1_200;
  private static final double PAGES_OF_MIB = 256;

  private final Runs runs;

  PlacesStudy(Runs runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    return 6 * Runs.seconds(size);
  }

  Section section() {
    List<Chart> charts = new ArrayList<>();
    int figure = 3;
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (boolean writeRich : new boolean[] {false, true}) {
        charts.add(chart(figure, kind, writeRich));
      }
      figure++;
    }
    return new Section(
        TITLE,
        "Some of the requests that were issued to the drive, light load, the first seed. Tables lie"
            + " one behind the other in the order of the grid below, the log and the journal last.",
        List.of(tpcW(), rubis(), tpcC()),
        List.of(),
        charts,
        List.of(layout()),
        List.of());
  }

  private List<RunResult> light(Workload.Kind kind, boolean writeRich) {
    return runs.all(runs.plan(kind, Load.mix(kind, writeRich), Load.LIGHT.clients(kind)));
  }

  private static List<Double> shares(List<RunResult> results, String table) {
    return results.stream().map(one -> one.places().readShare(table)).toList();
  }

  private Claim tpcW() {
    return new Judgement(runs.size())
        .within(
            "items, browsing", shares(light(Workload.Kind.TPC_W, false), "item"), ITEMS_SHARE, 1)
        .within("items, ordering", shares(light(Workload.Kind.TPC_W, true), "item"), ITEMS_SHARE, 1)
        .claim(
            "EC-F3",
            "TPC-W's traffic is mostly in the table of items. Taken as: half of the sectors read.");
  }

  private Claim rubis() {
    List<RunResult> browsing = light(Workload.Kind.RUBIS, false);
    Judgement judgement = new Judgement(runs.size());
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
    return new Judgement(runs.size())
        .within("longest run in MiB", longest, 0, MOST_RUN_MIB)
        .claim(
            "EC-F5",
            "TPC-C reads all over its tables, without long scans. Taken as: no run of consecutive"
                + " reads above 1 MB.");
  }

  private Chart chart(int figure, Workload.Kind kind, boolean writeRich) {
    Mix mix = Load.mix(kind, writeRich);
    RunResult result = light(kind, writeRich).getFirst();
    return new Chart(
        "places-%s-%s".formatted(kind.label(), mix.name()),
        "Figure %d: %s, %s".formatted(figure, kind.label(), mix.name()),
        new Plot.Scale("seconds", /* logarithmic= */ false),
        new Plot.Scale("MiB from the begin", /* logarithmic= */ false),
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
              Math.round(dots.get(i).block() / PAGES_OF_MIB * 10) / 10.0,
              /* valid= */ true));
    }
    return Plot.Series.dots(reads ? "reads" : "writes", points);
  }

  private Grid layout() {
    List<List<String>> rows = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (Table table : kind.load(kind.mixes().getFirst(), runs.size().scale()).tables()) {
        rows.add(
            List.of(
                kind.label(),
                table.name(),
                mib(table.firstPage()),
                percent(light(kind, false), table),
                percent(light(kind, true), table)));
      }
    }
    return new Grid(
        "Where tables begin, and their parts of what was read",
        List.of("", "table", "MiB from the begin", "read-rich", "write-rich"),
        rows);
  }

  private static String mib(long page) {
    return String.format(Locale.ROOT, "%.1f", page / PAGES_OF_MIB);
  }

  private static String percent(List<RunResult> results, Table table) {
    return String.format(
        Locale.ROOT, "%.1f %%", 100 * Judgement.mean(shares(results, table.name())));
  }
}
