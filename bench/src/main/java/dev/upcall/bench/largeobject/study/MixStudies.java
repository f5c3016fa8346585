package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Chart;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The sections that the random mix gives: space, reads, updates, and larger objects. */
final class MixStudies {
  static final String UTILIZATION = "2. Space";
  static final String READS = "3. Random reads";
  static final String UPDATES = "4. Inserts and deletes";
  static final String SIZE = "5. Larger objects";

  private final Mixes mixes;
  private final StudySize size;

  MixStudies(Mixes mixes, StudySize size) {
    this.mixes = mixes;
    this.size = size;
  }

  /** Figures 7 and 8. */
  Section utilization() {
    Figure figure =
        new Figure(
            "utilization", "part of pages that is content", Structure.allEos(), Mark::utilization);
    return section(
        UTILIZATION,
        ("An object of 10 MB is updated and read %,d times: 40 %% reads, 30 %% inserts, 30 %%"
                + " deletes. Utilization is content over all pages of the object, those of the index"
                + " included. Here and below claims look at the last mark, which is the mean since the"
                + " mark before; lines and figures are means of %d seeds.")
            .formatted(size.operations(), size.seeds().size()),
        new UtilizationClaims(mixes).all(),
        List.of(figure));
  }

  /** Table 2, figures 9 and 10. */
  Section reads() {
    return section(
        READS,
        "The same objects. A read goes through each segment by the rules of the pool.",
        new ReadClaims(mixes).all(),
        List.of(new Figure("read", "ms of a read", withStarburst(), Mark::readMillis)));
  }

  /** Table 3, figures 11 and 12. */
  Section updates() {
    List<Claim> claims = new ArrayList<>(new UpdateClaims(mixes).all());
    claims.add(new DeleteClaims(mixes).trend());
    return section(
        UPDATES,
        "The same objects. Starburst copies the whole object, as table 3 of the paper does; its"
            + " last column copies from the first segment on that an update touches, which the"
            + " paper leaves open.",
        claims,
        List.of(
            new Figure("insert", "ms of an insert", Structure.allEos(), Mark::insertMillis),
            new Figure("delete", "ms of a delete", Structure.allEos(), Mark::deleteMillis)));
  }

  /** Objects of 100 MB. */
  Section larger() {
    SizeClaims claims = new SizeClaims(mixes, size.largeOperations());
    return Section.of(
        SIZE,
        "The mix with 10 KB, %,d operations on a new object of 10 MB and of 100 MB."
            .formatted(size.largeOperations()),
        List.of(claims.size()),
        List.of(),
        List.of(claims.grid()));
  }

  /**
   * What is shown of marks.
   *
   * @param eosLines what is drawn together with EOS
   */
  private record Figure(
      String id, String unit, List<Structure> eosLines, ToDoubleFunction<Mark> of) {}

  private Section section(String title, String how, List<Claim> claims, List<Figure> figures) {
    List<Chart> charts = new ArrayList<>();
    List<Grid> grids = new ArrayList<>();
    for (Figure figure : figures) {
      for (int mean : Mixes.MEANS) {
        charts.add(chart(figure, mean, "ESM", Structure.allEsm()));
        charts.add(chart(figure, mean, "EOS", figure.eosLines));
      }
      grids.add(grid(figure));
    }
    return Section.of(title, how, claims, charts, grids);
  }

  private Chart chart(Figure figure, int mean, String name, List<Structure> structures) {
    return new Chart(
        "%s-%s-%d".formatted(figure.id, name.toLowerCase(Locale.ROOT), mean),
        "%s, %s".formatted(name, Mixes.words(mean)),
        Plot.Scale.linear("operations"),
        Plot.Scale.linear(figure.unit),
        structures.stream().map(structure -> line(structure, mean, figure)).toList());
  }

  private Plot.Series line(Structure structure, int mean, Figure figure) {
    return new Plot.Series(
        structure.label(),
        mixes.marks(structure, mean).stream()
            .map(mark -> new Plot.Point(mark.operations(), figure.of.applyAsDouble(mark)))
            .toList());
  }

  private Grid grid(Figure figure) {
    return Grid.of(
        "At the last mark: " + figure.unit,
        Mixes.MEANS,
        Grid.columns(
            Grid.column("", Mixes::words),
            columns().stream()
                .map(
                    one ->
                        Grid.column(
                            one.label(),
                            mean ->
                                Judgement.show(figure.of.applyAsDouble(mixes.last(one, mean)))))));
  }

  private static List<Structure> withStarburst() {
    List<Structure> all = new ArrayList<>(Structure.allEos());
    all.add(Structure.STARBURST);
    return all;
  }

  /** All that is compared. */
  static List<Structure> columns() {
    List<Structure> columns = new ArrayList<>(SizeClaims.structures());
    columns.add(Structure.STARBURST_TAIL);
    return columns;
  }
}
