package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Chart;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.specweb.document.Plot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The second part: the same streams on the store, on this machine's device, measured. */
record StoreStudy(StoreRuns runs) {
  static final String TITLE = "This machine";
  static final String LATER = "6. This machine: edits that ride in the log";
  static final String AT_ONCE = "7. This machine: edits that are placed at once";

  private static final long GIB = 1L << 30;
  private static final double MEDIAN = 50;
  private static final double LATE = 99;
  private static final List<Operations.Kind> KINDS = List.of(Operations.Kind.values());

  /** What is the same in both of the next sections. */
  Section introduction() {
    return Section.of(
        TITLE,
        ("Until here all was counted; from here on it is measured, on the store and the device"
                + " under this page. One thread does %,d operations of a stream of the first part,"
                + " one after the other, each edit durable before the next, on an object of %s, with"
                + " each of the three policies that a file can be given; blocks are of 4 KiB, as the"
                + " paper's pages. Starburst, which copies what is behind an edit, does a"
                + " %dth of the operations. Leaves of ESM take only blocks that they have bytes for,"
                + " other than the paper's. The store has 64 MiB of memory. Device bytes are all that it wrote, log, trees and what it copied"
                + " included, until everything had its place, for each byte that inserts brought."
                + " Utilization is content over blocks with content. Scans read the object from a"
                + " store that was just opened. One run of each.")
            .formatted(runs.operations(), String.join(" and of ", sizes()), StoreRuns.TAIL_PART),
        List.of(),
        List.of(),
        List.of());
  }

  private List<String> sizes() {
    return runs.sizes().stream().map(StoreStudy::words).toList();
  }

  private static String words(long bytes) {
    return bytes < GIB ? "%d MB".formatted(bytes >> 20) : "%d GB".formatted(bytes / GIB);
  }

  /** Edits as they are usually done. */
  Section later() throws IOException {
    return section(
        LATER,
        "Bytes of an edit ride in the log with its commit and get their place later, with others.",
        StoredObject.Placing.LATER,
        List.of());
  }

  /** Edits as the paper's managers do them. */
  Section atOnce() throws IOException {
    return section(
        AT_ONCE,
        "A checkpoint follows each edit, and is a part of its time: all that the log holds is"
            + " placed, as the paper's managers do with each edit. So the fixed cost of a"
            + " checkpoint is in each of them.",
        StoredObject.Placing.AT_ONCE,
        new StoreClaims(runs).all());
  }

  private Section section(
      String title, String how, StoredObject.Placing placing, List<Claim> claims)
      throws IOException {
    List<Chart> charts = new ArrayList<>();
    List<Grid> grids = new ArrayList<>();
    for (long bytes : runs.sizes()) {
      Map<StoredObject, StoreMark> marks = runs.of(bytes, placing);
      String id = "%s-%d".formatted(placing.name().toLowerCase(Locale.ROOT), bytes >> 20);
      grids.add(grid(words(bytes), marks));
      charts.add(chart(id + "-rate", words(bytes), "operations/s", marks, StoreMark::perSecond));
      charts.add(
          chart(
              id + "-device",
              words(bytes),
              "device bytes for each inserted",
              marks,
              StoreMark::amplification));
    }
    return Section.of(title, how, claims, charts, grids);
  }

  private static Chart chart(
      String id,
      String object,
      String unit,
      Map<StoredObject, StoreMark> marks,
      ToDoubleFunction<StoreMark> figure) {
    Map<String, List<Plot.Point>> lines = new LinkedHashMap<>();
    marks.forEach(
        (stored, mark) -> {
          double found = figure.applyAsDouble(mark);
          List<Plot.Point> points =
              lines.computeIfAbsent(
                  stored.structure().name() + ", " + Mixes.words(stored.meanBytes()),
                  name -> new ArrayList<>());
          for (int pages : pages(stored.structure())) {
            points.add(new Plot.Point(pages, found));
          }
        });
    return new Chart(
        id,
        "%s: %s".formatted(object, unit),
        Plot.Scale.log("T, or blocks of a leaf"),
        Plot.Scale.log(unit),
        lines.entrySet().stream()
            .map(line -> new Plot.Series(line.getKey(), line.getValue()))
            .toList());
  }

  /** Where a figure stands in a chart; Starburst, which has no parameter, is level. */
  private static List<Integer> pages(Structure structure) {
    return structure.equals(Structure.STARBURST_TAIL)
        ? Structure.PAGES
        : List.of(structure.pages());
  }

  private static Grid grid(String object, Map<StoredObject, StoreMark> marks) {
    List<Grid.Column<Map.Entry<StoredObject, StoreMark>>> columns = new ArrayList<>();
    columns.add(Grid.column("", one -> one.getKey().label()));
    columns.add(column("operations/s", mark -> Numbers.show(mark.perSecond())));
    for (Operations.Kind kind : KINDS) {
      columns.add(
          column(
              kind.name().toLowerCase(Locale.ROOT) + " µs, p50 / p99",
              mark -> pair(mark.micros(kind, MEDIAN), mark.micros(kind, LATE))));
    }
    columns.add(column("device bytes", mark -> Numbers.show(mark.amplification())));
    columns.add(column("utilization", mark -> Judgement.show(mark.utilization())));
    columns.add(column("pieces", mark -> "%,d".formatted(mark.pieces())));
    columns.add(
        column("scan MiB/s before / after", mark -> pair(mark.scanBefore(), mark.scanAfter())));
    columns.add(column("scan left", mark -> Numbers.ratio(mark.scanLeft())));
    return Grid.of("An object of " + object, marks.entrySet(), columns);
  }

  private static Grid.Column<Map.Entry<StoredObject, StoreMark>> column(
      String head, Function<StoreMark, String> cell) {
    return Grid.column(head, one -> cell.apply(one.getValue()));
  }

  private static String pair(double first, double second) {
    return Numbers.show(first) + " / " + Numbers.show(second);
  }
}
