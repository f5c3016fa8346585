package dev.upcall.bench.proxy.study;

import dev.upcall.bench.proxy.disk.DiskCounts;
import dev.upcall.bench.proxy.layout.InfiniteResult;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.layout.ModelConfig;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.report.Chart;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Layouts with a cache that replaces nothing (figures 4, 5 and 6). */
final class LayoutStudy {
  static final String TITLE = "2. Layouts, with a cache that replaces nothing";

  private final Runs runs;
  private final ModelConfig machine;

  /** On a machine of the paper's size. */
  LayoutStudy(Runs runs, ModelConfig machine) {
    this.runs = runs;
    this.machine = machine;
  }

  static double seconds(StudySize size) {
    int runs = size.seeds().size() + SensitivityStudy.machines(size).size();
    return runs * LayoutKind.values().length * size.runSeconds();
  }

  /** Makes all runs, side by side. */
  private LayoutStudy ahead() {
    List<Runs.Infinite> all = new ArrayList<>();
    for (long seed : isPaper() ? runs.size().seeds() : List.of(1L)) {
      for (LayoutKind kind : LayoutKind.values()) {
        all.add(run(kind, TraceConfig.paper(seed)));
      }
    }
    runs.aheadInfinite(all);
    return this;
  }

  private boolean isPaper() {
    return machine.equals(ModelConfig.PAPER);
  }

  /** The claims, each with what it depends on. */
  private List<Claim> sensitive() {
    Map<String, List<Claim>> others = new LinkedHashMap<>();
    SensitivityStudy.machines(runs.size())
        .forEach((label, one) -> others.put(label, new LayoutStudy(runs, one).ahead().claims()));
    return SensitivityStudy.beside(ahead().claims(), others);
  }

  Section section() {
    return Section.of(
            TITLE,
            "Each object is written once, into a file or into the mapped file, and read when it is"
                + " asked for again. Pages of 8 KB in memory by least recent use, 4,096 names,"
                + " cylinder groups of 8 MB, all that is dirty written every 180 requests in the order"
                + " of the disk. 12 ms to another group, 5 ms inside, 1 ms a page. 256 MB of memory,"
                + " of which three eighths are the mapped file's: chosen by figure 4.",
            sensitive(),
            List.of(chart()),
            List.of(grid(), parts()))
        .noting(
            "CERN has one file of metadata in each directory, with a line of 100 bytes for each"
                + " object, and a directory of at most 32 entries is a fragment of 1 KB.",
            "A page of the mapped file to which nothing was written yet is not read: the file has"
                + " a hole there. Section 4 has the other way, too.");
  }

  private Runs.Infinite run(LayoutKind kind, TraceConfig trace) {
    return new Runs.Infinite(kind, trace, machine);
  }

  private List<Double> each(LayoutKind kind, ToDoubleFunction<InfiniteResult> figure) {
    return runs.each(isPaper(), trace -> figure.applyAsDouble(runs.one(run(kind, trace))));
  }

  private List<Double> ratio(
      LayoutKind over, LayoutKind under, ToDoubleFunction<InfiniteResult> figure) {
    return runs.each(
        isPaper(),
        trace ->
            figure.applyAsDouble(runs.one(run(over, trace)))
                / figure.applyAsDouble(runs.one(run(under, trace))));
  }

  private static double requests(InfiniteResult result) {
    return result.counts().requests();
  }

  private Judgement judgement() {
    return isPaper()
        ? new Judgement(runs.size().decides())
        : Judgement.brief(runs.size().decides());
  }

  private List<Double> toSquid(LayoutKind kind) {
    return ratio(kind, LayoutKind.SQUID, LayoutStudy::requests);
  }

  /** The explanation, from the data, of a layout that needs more than the paper's. */
  private String readsAndWrites(LayoutKind kind) {
    return "Of Squid's reads %s has %s, of its writes %s."
        .formatted(
            kind.label(),
            Judgement.show(ratio(kind, LayoutKind.SQUID, result -> result.counts().all().reads())),
            Judgement.show(
                ratio(kind, LayoutKind.SQUID, result -> result.counts().all().writes())));
  }

  private String faults(LayoutKind kind) {
    return "Reads of the mapped file, a page for a hit that is not in memory, are %s of its I/O."
        .formatted(
            Judgement.show(
                each(kind, result -> result.counts().mapped().reads() / requests(result))));
  }

  private List<Claim> claims() {
    Judgement order = judgement();
    List<LayoutKind> kinds =
        List.of(LayoutKind.SQUID, LayoutKind.SQUID_L, LayoutKind.SQUID_M, LayoutKind.SQUID_ML);
    for (int i = 1; i < kinds.size(); i++) {
      LayoutKind over = kinds.get(i);
      LayoutKind under = kinds.get(i - 1);
      order.within(
          "%s over %s, three arms".formatted(over.label(), under.label()),
          ratio(over, under, result -> result.counts().armsNanos()),
          0,
          1);
    }
    return List.of(
        judgement()
            .within("CERN over Squid", toSquid(LayoutKind.CERN), 0.8, 1.25)
            .claim(
                "PX-F4",
                "CERN and Squid need about the same disk I/O. Taken as: a ratio of 0.8 to 1.25.",
                readsAndWrites(LayoutKind.CERN)
                    + " Each request looks up a directory for the server and one for the folder, and a"
                    + " drawn folder has few objects."),
        judgement()
            .within("Squid", each(LayoutKind.SQUID, one -> one.counts().readShare()), 0.25, 0.42)
            .within("CERN", each(LayoutKind.CERN, one -> one.counts().readShare()), 0.25, 0.42)
            .claim(
                "PX-F4R",
                "A third of the disk I/O are reads, although 59 % of requests are hits. Taken as: 25 to"
                    + " 42 %.",
                "The memory was chosen for Squid; CERN reads names and inodes besides."),
        judgement()
            .within("SquidL over Squid", toSquid(LayoutKind.SQUID_L), 0.40, 0.60)
            .claim(
                "PX-F5L",
                "A directory by the server's name halves disk I/O. Taken as: 0.40 to 0.60 of Squid's.",
                readsAndWrites(LayoutKind.SQUID_L)
                    + " Objects of one server share what is written for them; what is read is mostly"
                    + " the data of hits, wherever their directory is, and the directories of popular"
                    + " servers are long to search."),
        judgement()
            .within("SquidM over Squid", toSquid(LayoutKind.SQUID_M), 0.32, 0.48)
            .claim(
                "PX-F5M",
                "A mapped file for small objects saves 60 %. Taken as: 0.32 to 0.48 of Squid's.",
                faults(LayoutKind.SQUID_M)),
        judgement()
            .within("SquidML over Squid", toSquid(LayoutKind.SQUID_ML), 0.20, 0.35)
            .claim(
                "PX-F5ML",
                "Both together save over 70 %. Taken as: 0.20 to 0.35 of Squid's.",
                faults(LayoutKind.SQUID_ML)),
        judgement()
            .within(
                "SquidMLA less SquidML, of Squid's",
                runs.each(isPaper(), this::alignment),
                -0.03,
                0.03)
            .claim(
                "PX-F5A",
                "Keeping small objects inside pages has no visible effect. Taken as: at most 0.03 of"
                    + " Squid's I/O.",
                "A hit that crosses a page needs two, and each of them is a request of its own when"
                    + " memory has neither."),
        order.claim(
            "PX-F5B",
            "The replay is shorter in the same order: Squid, SquidL, SquidM, SquidML. Taken as: the"
                + " time of three arms, each of which writes its part of a flush beside the others."
                + " Without the mapped file directories are split 820, 1,638 and 1,638, else 2,048 and"
                + " 2,048."),
        judgement()
            .atLeast(
                "mapped over files, SquidM",
                each(
                    LayoutKind.SQUID_M,
                    one -> one.counts().mapped().meanBytes() / one.counts().files().meanBytes()),
                1.7)
            .atLeast(
                "SquidL over Squid",
                ratio(
                    LayoutKind.SQUID_L, LayoutKind.SQUID, one -> one.counts().files().meanBytes()),
                1.0)
            .claim(
                "PX-SIZE",
                "A mean transfer has 21 KB in the mapped file, 8 KB in Squid's files, 10 KB in"
                    + " SquidL's. Taken as: 1.7 times for mapped over files, and SquidL above Squid.",
                "Nothing reads ahead in the modelled mapped file: a fault is one page, and faults are"
                    + " most of its requests; its writes are long."),
        judgement()
            .within(
                "directories with more than 1,000 files",
                each(LayoutKind.SQUID_L, one -> one.shape().largeDirectories()),
                20,
                45)
            .claim(
                "PX-DIR",
                "SquidL has about 30 of 4,096 directories with more than 1,000 files. Taken as: 20 to"
                    + " 45."),
        judgement()
            .within(
                "hits in the first quarter of pages",
                each(LayoutKind.SQUID_M, one -> one.shape().earlyHits()),
                0.62,
                0.80)
            .claim(
                "PX-F6",
                "70 % of hits fall into the first 25 % of the mapped file. Taken as: 0.62 to 0.80.",
                "Popular objects appear early, but the draws are independent: the rest of the file"
                    + " keeps being asked for."),
        judgement()
            .within("SquidML saves", minusOne(toSquid(LayoutKind.SQUID_ML)), 0.5, 1)
            .claim(
                "PX-OVER",
                "Layout alone saves 50 to 70 % of disk I/O. Taken as: 0.5 at least.",
                faults(LayoutKind.SQUID_ML)));
  }

  private double alignment(TraceConfig trace) {
    double aligned = requests(runs.one(run(LayoutKind.SQUID_MLA, trace)));
    double crossing = requests(runs.one(run(LayoutKind.SQUID_ML, trace)));
    return (aligned - crossing) / requests(runs.one(run(LayoutKind.SQUID, trace)));
  }

  private static List<Double> minusOne(List<Double> ratios) {
    return ratios.stream().map(ratio -> 1 - ratio).toList();
  }

  private Grid grid() {
    return Grid.of(
        "Requests to the disks on day 2: mean (seeds from to)",
        List.of(LayoutKind.values()),
        Grid.column("", LayoutKind::label),
        Grid.column("of Squid's", kind -> Judgement.show(toSquid(kind))),
        column("reads", one -> one.counts().all().reads()),
        column("writes", one -> one.counts().all().writes()),
        column("for files", one -> one.counts().files().requests()),
        column("mapped", one -> one.counts().mapped().requests()),
        column("KB, files", one -> one.counts().files().meanBytes() / 1024),
        column("KB, mapped", one -> one.counts().mapped().meanBytes() / 1024),
        column("s, one arm", one -> one.counts().oneArmNanos() / 1e9),
        column("s, three", one -> one.counts().armsNanos() / 1e9));
  }

  private Grid.Column<LayoutKind> column(String head, ToDoubleFunction<InfiniteResult> figure) {
    return Grid.column(head, kind -> Judgement.show(each(kind, figure)));
  }

  /** The cost of small objects: in the paper 85 % less by M, and 63 % less by ML than by L. */
  private Grid parts() {
    return new Grid(
        "Saved by the mapped file; what large objects need is taken from the run with it",
        List.of("", "saved", "paper"),
        List.of(
            List.of(
                "SquidM, of Squid's for small objects",
                saved(LayoutKind.SQUID, LayoutKind.SQUID_M),
                "0.85"),
            List.of(
                "SquidML, of SquidL's for small objects",
                saved(LayoutKind.SQUID_L, LayoutKind.SQUID_ML),
                "0.63")));
  }

  private String saved(LayoutKind plain, LayoutKind mapped) {
    return Judgement.show(
        runs.each(
            isPaper(),
            trace -> {
              DiskCounts with = runs.one(run(mapped, trace)).counts();
              double small = requests(runs.one(run(plain, trace))) - with.files().requests();
              return 1 - with.mapped().requests() / small;
            }));
  }

  private Chart chart() {
    return new Chart(
        "layouts",
        "Figures 4 and 5a: requests on day 2, from CERN (1) to SquidMLA (7)",
        Plot.Scale.linear("layout, in the order of the table"),
        Plot.Scale.linear("requests to the disks"),
        List.of(
            line("reads", one -> one.counts().all().reads()),
            line("writes", one -> one.counts().all().writes())));
  }

  private Plot.Series line(String label, ToDoubleFunction<InfiniteResult> figure) {
    return new Plot.Series(
        label,
        Stream.of(LayoutKind.values())
            .map(kind -> new Plot.Point(kind.ordinal() + 1.0, Judgement.mean(each(kind, figure))))
            .toList());
  }
}
