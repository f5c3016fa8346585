package dev.upcall.bench.proxy.study;

import dev.upcall.bench.proxy.finite.FiniteConfig;
import dev.upcall.bench.proxy.finite.FiniteResult;
import dev.upcall.bench.proxy.finite.PolicyKind;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** Replacement in a mapped file of bounded size (figures 7a and 7b). */
final class PolicyStudy {
  static final String TITLE = "3. Replacement in a bounded mapped file";

  private static final List<PolicyKind> KINDS =
      List.of(
          PolicyKind.LRU,
          PolicyKind.FBC,
          PolicyKind.FUTURE,
          PolicyKind.S3_FIFO,
          PolicyKind.SIEVE,
          new PolicyKind.Cyclic(3, 100, /* isShared= */ true),
          new PolicyKind.Cyclic(2, 100, /* isShared= */ false),
          new PolicyKind.Cyclic(5, 100, /* isShared= */ false),
          new PolicyKind.Cyclic(10, 100, /* isShared= */ false),
          new PolicyKind.Cyclic(3, 10, /* isShared= */ false),
          new PolicyKind.Cyclic(3, 1_000, /* isShared= */ false));

  private static final List<PolicyKind> CLAIMED = KINDS.subList(0, 3);

  private final Runs runs;
  private final FiniteConfig file;

  /** Of a file of the paper's size. */
  PolicyStudy(Runs runs, FiniteConfig file) {
    this.runs = runs;
    this.file = file;
  }

  static double seconds(StudySize size) {
    int claimed = SensitivityStudy.files(size).size() * CLAIMED.size();
    return (KINDS.size() * size.seeds().size() + claimed) * size.runSeconds();
  }

  /** Makes runs, side by side. */
  private PolicyStudy ahead(List<PolicyKind> kinds) {
    List<Runs.Finite> all = new ArrayList<>();
    for (long seed : isPaper() ? runs.size().seeds() : List.of(1L)) {
      kinds.forEach(kind -> all.add(run(kind, TraceConfig.paper(seed))));
    }
    runs.aheadFinite(all);
    return this;
  }

  private boolean isPaper() {
    return file.equals(FiniteConfig.PAPER);
  }

  /** The claims, each with what it depends on. */
  private List<Claim> sensitive() {
    Map<String, List<Claim>> others = new LinkedHashMap<>();
    SensitivityStudy.files(runs.size())
        .forEach(
            (label, one) -> others.put(label, new PolicyStudy(runs, one).ahead(CLAIMED).claims()));
    return SensitivityStudy.beside(ahead(KINDS).claims(), others);
  }

  Section section() {
    return Section.of(
            TITLE,
            "Requests for small objects only. A file of 160 MB, of which 24 MB are in memory; an object"
                + " may take the place only of one of its own segment class. A replacement reads the"
                + " page unless it is in memory or wholly overwritten; dirty pages are written every"
                + " 180 requests.",
            sensitive(),
            List.of(),
            List.of(grid()))
        .noting(
            "S3-FIFO and SIEVE are the store's own policies, one for each segment class.",
            "FBC with Cmax = 2 replaces what SIEVE replaces until SIEVE's hand has gone round once:"
                + " both pass what was hit, and look at what is new in the order in which it came."
                + " Where their rows are the same, the hand never did.");
  }

  private Runs.Finite run(PolicyKind kind, TraceConfig trace) {
    return new Runs.Finite(kind, trace, file);
  }

  private List<Double> each(PolicyKind kind, ToDoubleFunction<FiniteResult> figure) {
    return runs.each(isPaper(), trace -> figure.applyAsDouble(runs.one(run(kind, trace))));
  }

  private List<Double> toLru(PolicyKind kind, ToDoubleFunction<FiniteResult> figure) {
    return compared(kind, PolicyKind.LRU, (one, lru) -> quotient(figure, one, lru));
  }

  private static double quotient(
      ToDoubleFunction<FiniteResult> figure, FiniteResult over, FiniteResult under) {
    return figure.applyAsDouble(over) / figure.applyAsDouble(under);
  }

  /** A figure of two policies on the same trace, for each seed. */
  private List<Double> compared(
      PolicyKind one, PolicyKind other, ToDoubleBiFunction<FiniteResult, FiniteResult> figure) {
    return runs.each(
        isPaper(),
        trace -> figure.applyAsDouble(runs.one(run(one, trace)), runs.one(run(other, trace))));
  }

  private static double requests(FiniteResult result) {
    return result.counts().requests();
  }

  private static double nanos(FiniteResult result) {
    return result.counts().oneArmNanos();
  }

  private List<Double> above(PolicyKind kind, PolicyKind other) {
    return compared(kind, other, (one, two) -> one.hitRate() - two.hitRate());
  }

  private Judgement judgement() {
    return isPaper()
        ? new Judgement(runs.size().decides())
        : Judgement.brief(runs.size().decides());
  }

  private List<Claim> claims() {
    return List.of(
        judgement()
            .within("I/O of FBC over LRU", toLru(PolicyKind.FBC, PolicyStudy::requests), 0, 0.8)
            .within("hit rate of FBC less LRU", above(PolicyKind.FBC, PolicyKind.LRU), -0.03, 0.03)
            .claim(
                "PX-F7A",
                "FBC needs less disk I/O than LRU at the same hit rate. Taken as: at most 0.8 of it, and"
                    + " hit rates within 0.03."),
        judgement()
            .atLeast(
                "hit rate of future-looking less LRU", above(PolicyKind.FUTURE, PolicyKind.LRU), 0)
            .atLeast("less FBC", above(PolicyKind.FUTURE, PolicyKind.FBC), 0)
            .within(
                "I/O over FBC",
                compared(
                    PolicyKind.FUTURE,
                    PolicyKind.FBC,
                    (future, cyclic) -> quotient(PolicyStudy::requests, future, cyclic)),
                0,
                1)
            .claim(
                "PX-F7F",
                "A table made with the whole trace at hand is best at both. Taken as: no hit rate above"
                    + " it, and not more I/O than FBC."),
        judgement()
            .within(
                "time ratio less I/O ratio",
                compared(
                    PolicyKind.FBC,
                    PolicyKind.LRU,
                    (cyclic, lru) ->
                        quotient(PolicyStudy::nanos, cyclic, lru)
                            - quotient(PolicyStudy::requests, cyclic, lru)),
                -1,
                0)
            .claim(
                "PX-F7B",
                "FBC saves more time than I/O, because it goes through the file in order. Taken as: a"
                    + " lower ratio to LRU of modelled time than of requests."));
  }

  private Grid grid() {
    return Grid.of(
        "Day 2: mean (seeds from to)",
        KINDS,
        Grid.column("", PolicyKind::label),
        Grid.column("hit rate", kind -> Judgement.show(each(kind, FiniteResult::hitRate))),
        Grid.column("I/O to LRU", kind -> Judgement.show(toLru(kind, PolicyStudy::requests))),
        Grid.column("time to LRU", kind -> Judgement.show(toLru(kind, PolicyStudy::nanos))),
        Grid.column(
            "reads", kind -> Judgement.show(each(kind, one -> one.counts().mapped().reads()))),
        Grid.column(
            "writes", kind -> Judgement.show(each(kind, one -> one.counts().mapped().writes()))),
        Grid.column("near reads", kind -> Judgement.show(each(kind, FiniteResult::nearShare))));
  }
}
