package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Draws;
import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Table;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Mixes and tables (tables 1 to 7). */
final class GeneratorStudy {
  static final String TITLE = "1. Mixes and tables";

  private static final double MOST_POINTS = 0.5;
  private static final double MOST_DIFFERENCE = 0.02;
  private static final double MIB = 1 << 20;

  /** What the paper says of tables of at least a mebibyte, in MiB. */
  private static final Map<Workload.Kind, Map<String, Double>> PRINTED_MIB =
      Map.of(
          Workload.Kind.TPC_W,
          Map.of(
              "customer",
              364.0,
              "address",
              301.0,
              "orders",
              85.0,
              "order line",
              338.0,
              "credit card",
              106.0,
              "item",
              510.0,
              "author",
              87.0),
          Workload.Kind.RUBIS,
          Map.of("users", 104.0, "items", 177.0, "bids", 119.0, "comments", 111.0),
          Workload.Kind.TPC_C,
          Map.of(
              "customer",
              522.0,
              "stock",
              895.0,
              "order line",
              733.0,
              "orders",
              39.0,
              "new order",
              3.4,
              "history",
              54.0,
              "item",
              7.8));

  private final StudySize size;

  GeneratorStudy(StudySize size) {
    this.size = size;
  }

  Section section() {
    List<Claim> claims = new ArrayList<>();
    List<Grid> grids = new ArrayList<>();
    int table = 1;
    for (Workload.Kind kind : Workload.Kind.values()) {
      claims.add(mixes(kind, "EC-T" + table++));
      grids.add(mixGrid(kind));
    }
    claims.add(tables());
    for (Workload.Kind kind : Workload.Kind.values()) {
      grids.add(tableGrid(kind));
    }
    return Section.of(
            TITLE,
            "Interactions are drawn from one seed, and counted; tables are laid out and added up. The"
                + " paper's table 4 is its machine: one 1.5 GHz Xeon, 512 MB, Linux 2.6.16, one drive of"
                + " 15,000 rpm with a command queue of 4.",
            claims,
            List.of(),
            grids)
        .noting(
            "The paper prints 3,347 bytes for a row of RUBiS's items, which contradicts 533,507 rows"
                + " in 177 MB: 348 is taken. TPC-W's address and order line take 109 and 91 bytes"
                + " on its volume, not the 154 and 132 of their rows.");
  }

  private Claim mixes(Workload.Kind kind, String id) {
    Judgement judgement = new Judgement(size.decides());
    for (Mix mix : kind.mixes()) {
      double worst = 0;
      Map<String, Integer> counts = count(kind, mix);
      for (Mix.Share share : mix.shares()) {
        worst = Math.max(worst, Math.abs(observed(counts, share.kind()) - share.percent()));
      }
      judgement.within("largest difference in points, " + mix.name(), worst, 0, MOST_POINTS);
    }
    return judgement.claim(
        id,
        "%s: the shares of interactions of each mix, within %s points over %,d."
            .formatted(kind.label(), MOST_POINTS, size.interactions()));
  }

  private double observed(Map<String, Integer> counts, String kind) {
    return 100.0 * counts.getOrDefault(kind, 0) / size.interactions();
  }

  private Map<String, Integer> count(Workload.Kind kind, Mix mix) {
    Workload workload = kind.load(mix, size.scale());
    RandomGenerator random = Draws.stream(1, kind.label(), 1);
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < size.interactions(); i++) {
      counts.merge(workload.next(random).kind(), 1, Integer::sum);
    }
    return counts;
  }

  private Grid mixGrid(Workload.Kind kind) {
    List<Grid.Column<String>> columns = new ArrayList<>();
    columns.add(Grid.column("interaction", interaction -> interaction));
    for (Mix mix : kind.mixes()) {
      Map<String, Integer> counts = count(kind, mix);
      columns.add(Grid.column(mix.name() + ", %", one -> percent(target(mix, one))));
      columns.add(Grid.column("drawn, %", one -> percent(observed(counts, one))));
    }
    return Grid.of(
        kind.label() + ": what is drawn",
        kind.mixes().getLast().shares().stream().map(Mix.Share::kind).toList(),
        columns);
  }

  private static double target(Mix mix, String kind) {
    return mix.shares().stream()
        .filter(share -> share.kind().equals(kind))
        .mapToDouble(Mix.Share::percent)
        .sum();
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static @Nullable Double printedMib(Workload.Kind kind, Table table) {
    return PRINTED_MIB.getOrDefault(kind, Map.of()).get(table.name());
  }

  private Claim tables() {
    Judgement judgement = new Judgement(size.decides());
    for (Workload.Kind kind : Workload.Kind.values()) {
      double worst = 0;
      for (Table table : kind.load(kind.mixes().getFirst(), size.scale()).tables()) {
        Double printed = printedMib(kind, table);
        if (printed != null) {
          double ours = table.loadedBytes() / MIB / size.scale();
          worst = Math.max(worst, Math.abs(ours / printed - 1));
        }
      }
      judgement.within("largest difference, " + kind.label(), worst, 0, MOST_DIFFERENCE);
    }
    return judgement.claim(
        "EC-T5..T7",
        "Sizes of tables of a mebibyte and more, as parts of the paper's, within 2 % at a scale of"
            + " 1/%.0f.".formatted(1 / size.scale()));
  }

  private Grid tableGrid(Workload.Kind kind) {
    return Grid.of(
        kind.label() + ": tables",
        kind.load(kind.mixes().getFirst(), size.scale()).tables(),
        Grid.column("table", Table::name),
        Grid.column("rows", table -> String.format(Locale.ROOT, "%,d", table.rows())),
        Grid.column("MiB", table -> Judgement.show(table.loadedBytes() / MIB)),
        Grid.column("the paper's MiB at this scale", table -> printed(kind, table)));
  }

  private String printed(Workload.Kind kind, Table table) {
    Double printed = printedMib(kind, table);
    return printed == null ? "-" : Judgement.show(printed * size.scale());
  }
}
