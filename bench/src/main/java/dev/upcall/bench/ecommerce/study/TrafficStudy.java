package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Draws;
import dev.upcall.bench.ecommerce.Step;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.io.trace.BlockProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * The measures of block traffic under both loads (tables 8 to 11, and what the text says of them).
 */
final class TrafficStudy {
  static final String TITLE = "4. Block traffic";

  private final Runs runs;

  TrafficStudy(Runs runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    return Printed.ROWS.size() * size.seeds().size() * Runs.seconds(size);
  }

  Section section() {
    runs.ahead(
        Printed.ROWS.stream()
            .map(row -> runs.plan(new Case(row.kind(), row.writeRich()), row.load()))
            .toList());
    List<Claim> claims = new ArrayList<>();
    List<Grid> grids = new ArrayList<>();
    for (int table = 8; table <= 11; table++) {
      claims.add(table(table));
      grids.add(grid(table));
    }
    claims.add(readsUnderLoad());
    claims.add(writesWhenWriting());
    claims.add(traffic());
    return Section.of(
            TITLE,
            "What the scheduler (anticipatory, 4 ms, as the paper's default) issued to the drive, merged:"
                + " a request is sequential when it begins where the one before of its direction ended, a"
                + " stream is a run of those. Sectors of 512 bytes, of tables of a sixteenth of the"
                + " paper's size in a fraction of its time: sectors cannot be compared with its, the"
                + " other columns can.",
            claims,
            List.of(),
            grids)
        .noting(
            "Rows marked * contradict themselves in the paper: streams = requests x (1 -"
                + " sequentiality), so a write sequentiality of 0.88 with streams of 11.6 sectors"
                + " would need writes of 1.4 sectors. Nothing here was tuned to them.",
            "Three percentages of the paper's text do not follow from its tables: TPC-W's traffic"
                + " under heavy load rises by 34 %, not 10 %, from browsing to ordering; TPC-C's by"
                + " 20 % and 57 %, not 30 % and 40 %.");
  }

  private List<RunResult> results(Load load, boolean writeRich, Workload.Kind kind) {
    return runs.all(runs.plan(new Case(kind, writeRich), load));
  }

  private List<RunResult> results(Printed row) {
    return results(row.load(), row.writeRich(), row.kind());
  }

  private static List<Double> figures(
      List<RunResult> results, ToDoubleFunction<BlockProfile> figure) {
    return results.stream().map(one -> figure.applyAsDouble(one.profile())).toList();
  }

  private Claim table(int number) {
    Judgement judgement = new Judgement(runs.size().decides());
    StringBuilder said = new StringBuilder();
    for (Printed row : Printed.ROWS) {
      if (row.table() == number) {
        List<RunResult> results = results(row);
        Band band = Band.of(row);
        String name = row.kind().label();
        judgement.within(
            name + " read share",
            figures(results, BlockProfile::readShareOfSectors),
            band.leastShare(),
            band.mostShare());
        judgement.within(
            "read sequentiality",
            figures(results, one -> one.reads().sequentiality()),
            band.leastSequential(),
            band.mostSequential());
        judgement.within(
            "read stream",
            figures(results, one -> one.reads().meanStreamSectors()),
            band.leastStream(),
            band.mostStream());
        if (row.kind() == Workload.Kind.TPC_C) {
          judgement.within(
              "write sequentiality",
              figures(results, one -> one.writes().sequentiality()),
              0,
              Band.MOST_WRITE_SEQUENTIAL);
        }
        said.append(said.isEmpty() ? "" : "; ").append(band.words(row));
      }
    }
    return judgement.claim(
        "EC-T" + number,
        "Measures of table %d, each seed: %s.".formatted(number, said),
        number == 9 ? rates() : "");
  }

  /** What RUBiS moves in a second, which says more of a miss than the share. */
  private String rates() {
    List<RunResult> results = results(Load.LIGHT, true, Workload.Kind.RUBIS);
    double seconds = results.getFirst().answers().seconds();
    Printed there = Printed.of(Load.LIGHT, true, Workload.Kind.RUBIS);
    return ("RUBiS reads %s sectors a second here and writes %s; in the paper, whose run lasted %s s"
            + " by its interarrival time, %s and %s.")
        .formatted(
            Judgement.show(mean(results, one -> one.reads().sectors()) / seconds),
            Judgement.show(mean(results, one -> one.writes().sectors()) / seconds),
            Judgement.show(there.seconds()),
            Judgement.show(there.sectors().read() / there.seconds()),
            Judgement.show(there.sectors().write() / there.seconds()));
  }

  private static double mean(List<RunResult> results, ToDoubleFunction<BlockProfile> figure) {
    return Judgement.mean(figures(results, figure));
  }

  private Grid grid(int number) {
    List<List<String>> rows = new ArrayList<>();
    for (Printed row : Printed.ROWS) {
      if (row.table() == number) {
        List<RunResult> results = results(row);
        rows.add(
            List.of(
                row.kind().label() + ", ours",
                whole(results, one -> one.reads().sectors()),
                whole(results, one -> one.writes().sectors()),
                shown(results, one -> 100 * one.readShareOfSectors()),
                shown(results, one -> one.reads().meanStreamSectors()),
                shown(results, one -> one.writes().meanStreamSectors()),
                shown(results, one -> one.reads().sequentiality()),
                shown(results, one -> one.reads().sequentialityToAny()),
                shown(results, one -> one.writes().sequentiality()),
                shown(results, one -> one.meanInterarrivalNanos() / 1e6)));
        rows.add(printed(row));
      }
    }
    return new Grid(
        "Table %d: %s load, %s"
            .formatted(
                number,
                number < 10 ? "light" : "heavy",
                number % 2 == 0 ? "read-rich" : "write-rich"),
        List.of(
            "",
            "sectors read",
            "written",
            "read, %",
            "read stream",
            "write stream",
            "read seq",
            "to any",
            "write seq",
            "interarrival, ms"),
        rows);
  }

  private static List<String> printed(Printed row) {
    String doubt = row.isContradictory() ? " *" : "";
    return List.of(
        "the paper",
        String.format(Locale.ROOT, "%,.0f", row.sectors().read()),
        String.format(Locale.ROOT, "%,.0f", row.sectors().write()),
        Judgement.show(100 * row.readShare()),
        Judgement.show(row.stream().read()),
        Judgement.show(row.stream().write()) + doubt,
        Judgement.show(row.sequential().read()),
        "-",
        Judgement.show(row.sequential().write()) + doubt,
        Judgement.show(row.interarrivalMillis()));
  }

  private static String whole(List<RunResult> results, ToDoubleFunction<BlockProfile> figure) {
    return String.format(Locale.ROOT, "%,.0f", Judgement.mean(figures(results, figure)));
  }

  private static String shown(List<RunResult> results, ToDoubleFunction<BlockProfile> figure) {
    return Judgement.show(figures(results, figure));
  }

  private Claim readsUnderLoad() {
    Judgement judgement = new Judgement(runs.size().decides());
    for (Workload.Kind kind : List.of(Workload.Kind.TPC_W, Workload.Kind.RUBIS)) {
      double light = sequentiality(Load.LIGHT, kind);
      double heavy = sequentiality(Load.HEAVY, kind);
      judgement.expect(
          heavy > light,
          "%s %s light, %s heavy"
              .formatted(kind.label(), Judgement.show(light), Judgement.show(heavy)));
    }
    return judgement.claim(
        "EC-LOAD",
        "More load makes reads more sequential (TPC-W 0.46 to 0.53, RUBiS 0.09 to 0.35, browsing).",
        "More readers interleave, so that something else must have made up for it there. It was the"
            + " size of requests, by the paper's own columns: "
            + requestSizes()
            + ". Its kernel read ahead the farther the more was asked for; the model's read-ahead has"
            + " one size.");
  }

  /** Sectors of a request, streams x (1 - sequentiality), theirs and ours. */
  private String requestSizes() {
    StringBuilder said = new StringBuilder();
    for (Workload.Kind kind : List.of(Workload.Kind.TPC_W, Workload.Kind.RUBIS)) {
      said.append(said.isEmpty() ? "" : "; ")
          .append(
              "%s from %s to %s sectors, ours from %s to %s"
                  .formatted(
                      kind.label(),
                      Judgement.show(Printed.of(Load.LIGHT, false, kind).readRequestSectors()),
                      Judgement.show(Printed.of(Load.HEAVY, false, kind).readRequestSectors()),
                      Judgement.show(requestSectors(Load.LIGHT, kind)),
                      Judgement.show(requestSectors(Load.HEAVY, kind))));
    }
    return said.toString();
  }

  private double requestSectors(Load load, Workload.Kind kind) {
    return mean(
        results(load, false, kind),
        one -> one.reads().meanStreamSectors() * (1 - one.reads().sequentiality()));
  }

  private double sequentiality(Load load, Workload.Kind kind) {
    return Judgement.mean(figures(results(load, false, kind), one -> one.reads().sequentiality()));
  }

  private Claim writesWhenWriting() {
    Judgement judgement = new Judgement(runs.size().decides());
    for (Load load : Load.values()) {
      for (Workload.Kind kind : List.of(Workload.Kind.TPC_W, Workload.Kind.RUBIS)) {
        double before = writeSequentiality(load, false, kind);
        double after = writeSequentiality(load, true, kind);
        judgement.expect(
            after < before,
            "%s %s %s to %s"
                .formatted(
                    kind.label(), load.label(), Judgement.show(before), Judgement.show(after)));
      }
    }
    return judgement.claim(
        "EC-WSEQ",
        "Mixes that write more write less sequentially (TPC-W 0.88 to 0.33, RUBiS 0.99 to 0.22)."
            + " The paper's own figures of the first mixes contradict their streams.",
        "The figures of the first mixes cannot be: by their streams a write would have "
            + impossibleWrites()
            + " sectors, and a page has 8. Reading mixes write next to nothing here, and nothing in"
            + " a row: so there is nothing from which to fall.");
  }

  private static String impossibleWrites() {
    List<String> sizes = new ArrayList<>();
    for (Printed row : Printed.ROWS) {
      if (row.isContradictory()) {
        sizes.add(
            "%s (%s, %s load)"
                .formatted(
                    Judgement.show(row.writeRequestSectors()),
                    row.kind().label(),
                    row.load().label()));
      }
    }
    return String.join(", ", sizes);
  }

  private double writeSequentiality(Load load, boolean writeRich, Workload.Kind kind) {
    return Judgement.mean(
        figures(results(load, writeRich, kind), one -> one.writes().sequentiality()));
  }

  private Claim traffic() {
    Judgement judgement = new Judgement(runs.size().decides());
    for (Load load : Load.values()) {
      double least = load == Load.LIGHT ? 3 : 6;
      judgement.atLeast(
          "browsing over bidding, " + load.label(),
          sectors(load, false) / sectors(load, true),
          least);
    }
    return judgement.claim(
        "EC-FALL",
        "RUBiS's traffic falls from browsing to bidding, 4 times with light load, 10 times with"
            + " heavy. Taken as: more than 3 and 6.",
        demand() + " " + lengths(Load.LIGHT) + " " + lengths(Load.HEAVY));
  }

  /** What interactions ask for, whatever memory has of it. */
  private String demand() {
    double browsing = pagesAsked(false);
    double bidding = pagesAsked(true);
    return ("An interaction asks for %s pages when browsing and for %s when bidding, %s times as many:"
            + " so much can traffic fall in the same time unless memory serves one mix better.")
        .formatted(
            Judgement.show(browsing), Judgement.show(bidding), Judgement.show(browsing / bidding));
  }

  private double pagesAsked(boolean writeRich) {
    Workload.Kind kind = Workload.Kind.RUBIS;
    Workload workload = kind.load(Load.mix(kind, writeRich), runs.size().scale());
    RandomGenerator random = Draws.stream(1, "pages asked for", 0);
    long pages = 0;
    for (int i = 0; i < runs.size().interactions(); i++) {
      for (Step step : workload.next(random).steps()) {
        pages += step.kind() == Step.Kind.APPEND ? 0 : step.pages();
      }
    }
    return (double) pages / runs.size().interactions();
  }

  /** The paper's tables add up runs of different length. */
  private String lengths(Load load) {
    Printed browsing = Printed.of(load, false, Workload.Kind.RUBIS);
    Printed bidding = Printed.of(load, true, Workload.Kind.RUBIS);
    double times = browsing.seconds() / bidding.seconds();
    return ("With %s load the paper's runs lasted about %s and %s s (requests times interarrival, of"
            + " writes of a page): over as long ours fall %s times.")
        .formatted(
            load.label(),
            Judgement.show(browsing.seconds()),
            Judgement.show(bidding.seconds()),
            Judgement.show(times * sectors(load, false) / sectors(load, true)));
  }

  private double sectors(Load load, boolean writeRich) {
    return Judgement.mean(
        figures(
            results(load, writeRich, Workload.Kind.RUBIS),
            one -> one.reads().sectors() + one.writes().sectors()));
  }
}
