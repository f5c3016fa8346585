package dev.upcall.bench.proxy.study;

import dev.upcall.bench.proxy.finite.FiniteConfig;
import dev.upcall.bench.proxy.finite.FiniteResult;
import dev.upcall.bench.proxy.finite.PolicyKind;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.layout.ModelConfig;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * The sensitivity of verdicts: one constant is another one at a time. Tables are of the first seed.
 */
final class SensitivityStudy {
  static final String TITLE = "4. Sensitivity of the verdicts";

  private static final List<LayoutKind> KINDS =
      List.of(
          LayoutKind.SQUID,
          LayoutKind.CERN,
          LayoutKind.SQUID_L,
          LayoutKind.SQUID_M,
          LayoutKind.SQUID_ML,
          LayoutKind.SQUID_MLA);
  private static final List<PolicyKind> POLICIES = List.of(PolicyKind.LRU, PolicyKind.FBC);
  private static final TraceConfig TRACE = TraceConfig.paper(1);

  private final Runs runs;

  /** A machine, or a trace, that differs in one thing. */
  private record Setting(String label, TraceConfig trace, ModelConfig model) {}

  /** The same with a bounded file. */
  private record FileSetting(String label, TraceConfig trace, FiniteConfig file) {}

  SensitivityStudy(Runs runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    // The runs of the verdicts are not made again.
    int infinite = (settings(size).size() - machines(size).size()) * KINDS.size();
    int finite = traces().size() * POLICIES.size();
    return (infinite + finite) * size.runSeconds();
  }

  private static List<TraceSetting> traces() {
    return List.of(
        new TraceSetting("alpha 0.64", TRACE.with(TraceConfig.Popularity.FLATTEST)),
        new TraceSetting("alpha 0.83", TRACE.with(TraceConfig.Popularity.STEEPEST)),
        new TraceSetting("59 % over both days", TRACE.with(TraceConfig.Popularity.BOTH_DAYS)),
        new TraceSetting("popularity drifts", TRACE.drifting()));
  }

  /** Another trace. */
  private record TraceSetting(String label, TraceConfig trace) {}

  /** Machines that differ from the paper's in a constant that it does not give. */
  static Map<String, ModelConfig> machines(StudySize size) {
    ModelConfig paper = ModelConfig.PAPER;
    SequencedMap<String, ModelConfig> all = new LinkedHashMap<>();
    for (int megabytes : new int[] {16, 64, 128, 512}) {
      all.put("memory %d MB".formatted(megabytes), paper.withMemory(megabytes));
    }
    for (int requests : new int[] {600, 2_000}) {
      all.put("flush every %,d".formatted(requests), paper.withFlush(requests));
    }
    for (int directories : new int[] {8, 32}) {
      all.put(
          "%d directories a group".formatted(directories),
          paper.withDirectoriesPerGroup(directories));
    }
    return some(size, all);
  }

  /** The same of the bounded file. */
  static Map<String, FiniteConfig> files(StudySize size) {
    FiniteConfig paper = FiniteConfig.PAPER;
    SequencedMap<String, FiniteConfig> all = new LinkedHashMap<>();
    for (int megabytes : new int[] {12, 48}) {
      all.put("memory %d MB".formatted(megabytes), paper.withMemory(megabytes));
    }
    for (int requests : new int[] {600, 2_000}) {
      all.put("flush every %,d".formatted(requests), paper.withFlush(requests));
    }
    return some(size, all);
  }

  /** A size that decides nothing has the last one only. */
  private static <T> Map<String, T> some(StudySize size, SequencedMap<String, T> all) {
    while (!size.decides() && all.size() > 1) {
      all.pollFirstEntry();
    }
    return all;
  }

  /** Claims, and beside each what becomes of it when a constant is another one. */
  static List<Claim> beside(List<Claim> claims, Map<String, List<Claim>> others) {
    List<Claim> all = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      int at = i;
      String words =
          others.entrySet().stream()
              .map(other -> other.getKey() + " " + other.getValue().get(at).found())
              .collect(Collectors.joining("; ", "Sensitivity: ", "."));
      all.add(claims.get(i).and(words));
    }
    return all;
  }

  private static List<Setting> settings(StudySize size) {
    ModelConfig paper = ModelConfig.PAPER;
    List<Setting> all = new ArrayList<>();
    all.add(new Setting("as in section 2", TRACE, paper));
    machines(size).forEach((label, machine) -> all.add(new Setting(label, TRACE, machine)));
    all.add(new Setting("holes are read", TRACE, paper.readingHoles()));
    traces().forEach(one -> all.add(new Setting(one.label, one.trace, paper)));
    return some(size, all);
  }

  private static List<FileSetting> fileSettings(StudySize size) {
    FiniteConfig paper = FiniteConfig.PAPER;
    List<FileSetting> all = new ArrayList<>();
    all.add(new FileSetting("as in section 3", TRACE, paper));
    files(size).forEach((label, file) -> all.add(new FileSetting(label, TRACE, file)));
    traces().forEach(one -> all.add(new FileSetting(one.label, one.trace, paper)));
    return some(size, all);
  }

  /** A size that decides nothing has the first and the last only. */
  private static <T> List<T> some(StudySize size, List<T> all) {
    return size.decides() ? all : List.of(all.getFirst(), all.getLast());
  }

  Section section() {
    List<List<String>> layouts = new ArrayList<>();
    settings(runs.size()).forEach(setting -> layouts.add(row(setting)));
    List<List<String>> policies = new ArrayList<>();
    fileSettings(runs.size()).forEach(setting -> policies.add(row(setting)));
    return new Section(
        TITLE,
        "Of the first seed, as what stands beside the verdicts; those are of all seeds. A star marks what lies outside the band of its claim. Memory and flush interval are the"
            + " constants that the paper does not give: it replayed its traces faster than they"
            + " were recorded, so that more requests than 180 passed in the 30 s between flushes.",
        List.of(),
        List.of(),
        List.of(),
        List.of(
            new Grid(
                "Layouts: requests to the disks on day 2",
                List.of(
                    "",
                    "CERN/Squid",
                    "reads of Squid",
                    "SquidL/Squid",
                    "SquidM/Squid",
                    "SquidML/Squid",
                    "MLA less ML"),
                layouts),
            new Grid(
                "Replacement: day 2",
                List.of("", "I/O of FBC/LRU", "hit rate FBC less LRU", "time of FBC/LRU"),
                policies)),
        List.of());
  }

  private List<String> row(Setting setting) {
    runs.aheadInfinite(
        KINDS.stream().map(kind -> new Runs.Infinite(kind, setting.trace, setting.model)).toList());
    double squid = requests(setting, LayoutKind.SQUID);
    double both = requests(setting, LayoutKind.SQUID_ML) / squid;
    double aligned = requests(setting, LayoutKind.SQUID_MLA) / squid;
    List<String> row =
        List.of(
            setting.label,
            mark(requests(setting, LayoutKind.CERN) / squid, 0.8, 1.25),
            mark(
                runs.one(new Runs.Infinite(LayoutKind.SQUID, setting.trace, setting.model))
                    .counts()
                    .readShare(),
                0.25,
                0.42),
            mark(requests(setting, LayoutKind.SQUID_L) / squid, 0.40, 0.60),
            mark(requests(setting, LayoutKind.SQUID_M) / squid, 0.32, 0.48),
            mark(both, 0.20, 0.35),
            mark(aligned - both, -0.03, 0.03));
    if (!setting.trace.equals(TRACE)) {
      runs.forget(setting.trace);
    }
    return row;
  }

  private double requests(Setting setting, LayoutKind kind) {
    return runs.one(new Runs.Infinite(kind, setting.trace, setting.model)).counts().requests();
  }

  private List<String> row(FileSetting setting) {
    runs.aheadFinite(
        POLICIES.stream().map(kind -> new Runs.Finite(kind, setting.trace, setting.file)).toList());
    FiniteResult lru = runs.one(new Runs.Finite(PolicyKind.LRU, setting.trace, setting.file));
    FiniteResult cyclic = runs.one(new Runs.Finite(PolicyKind.FBC, setting.trace, setting.file));
    double requests = (double) cyclic.counts().requests() / lru.counts().requests();
    double nanos = (double) cyclic.counts().oneArmNanos() / lru.counts().oneArmNanos();
    if (!setting.trace.equals(TRACE)) {
      runs.forget(setting.trace);
    }
    return List.of(
        setting.label,
        mark(requests, 0, 0.8),
        mark(cyclic.hitRate() - lru.hitRate(), -0.03, 0.03),
        mark(nanos, 0, requests));
  }

  private static String mark(double figure, double low, double high) {
    return Judgement.show(figure) + (figure >= low && figure <= high ? "" : " *");
  }
}
