package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Journal;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.ecommerce.volume.SimulatedStore;
import dev.upcall.bench.ecommerce.volume.StoreResult;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Section;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.BlockProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/**
 * The traffic of our store, with a file for each table, beside that of the page cache, by the same
 * measures. Not of the paper.
 */
final class VolumeStudy {
  static final String TITLE = "8. Our store's traffic";

  private static final double LEAST_SEQUENTIAL = 0.6;
  private static final double MOST_BYTES = 1.5;
  private static final double SECONDS = 10;
  private static final double BLOCKS_OF_MIB = 256;

  private final Runs runs;
  private final Pace pace;
  private final Map<RunPlan, StoreResult> done = new ConcurrentHashMap<>();

  /** Whose traffic it is: of all seeds, and what is told of it besides. */
  private record Traffic(
      String name,
      List<BlockProfile> profiles,
      List<Double> bytesOfGiven,
      List<Double> logShares,
      List<Double> perMinute) {
    private List<Double> figures(ToDoubleFunction<BlockProfile> figure) {
      return profiles.stream().map(figure::applyAsDouble).toList();
    }
  }

  VolumeStudy(Runs runs, Pace pace) {
    this.runs = runs;
    this.pace = pace;
  }

  static double seconds(StudySize size) {
    return plans(size) * size.seeds().size() * (runSeconds(size) + Runs.seconds(size));
  }

  private static int plans(StudySize size) {
    int all = 0;
    for (Workload.Kind kind : Workload.Kind.values()) {
      all += mixes(size, kind).size();
    }
    return all;
  }

  /** Those that are compared; where nothing is decided, the one that writes most. */
  private static List<Mix> mixes(StudySize size, Workload.Kind kind) {
    Mix last = Load.mix(kind, /* writeRich= */ true);
    return size.decides() ? List.of(Load.mix(kind, /* writeRich= */ false), last) : List.of(last);
  }

  private static double runSeconds(StudySize size) {
    return switch (size) {
      case QUICK -> 1;
      case STANDARD -> SECONDS;
      case FULL -> 9 * SECONDS;
    };
  }

  Section section() {
    List<RunPlan> plans = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      mixes(runs.size(), kind).forEach(mix -> plans.add(plan(kind, mix)));
    }
    runs.ahead(plans);
    plans.stream().flatMap(plan -> ours(plan).stream()).toList().parallelStream()
        .forEach(this::run);
    List<Grid> grids = new ArrayList<>();
    plans.forEach(plan -> grids.add(traffic(plan)));
    grids.add(writers());
    return Section.of(
            TITLE,
            "Heavy load (64, 128 and 300 clients), for half as long as before. A real store on the"
                + " modelled drive under its own scheduler, a file for each table, its memory a quarter of the tables (8 MiB at"
                + " least), its volume four times their size. Changed pages are written after 30 s, as"
                + " the recipes of the workloads have it, those of a file together; TPC-C's commits wait"
                + " for a log in a file. Beside it the page cache as in part 4, with ext3, over the same"
                + " time. A byte given is one of a page or of the log that the database writes. In the end"
                + " all pages are read back, and every byte is compared.",
            List.of(claim()),
            List.of(),
            grids)
        .noting(
            "The page cache asks for what follows before its readers do, which makes two requests one;"
                + " over the store a reader asks for up to 16 pages when it comes to them, and pages"
                + " that were written lie elsewhere: reads are less sequential.");
  }

  private RunPlan plan(Workload.Kind kind, Mix mix) {
    return runs.plan(kind, mix, Load.HEAVY.clients(kind)).halfAsLong();
  }

  private List<RunPlan> ours(RunPlan plan) {
    RunPlan on = plan.on(Policy.FAIR_SHARES, Journal.LOG);
    return runs.size().seeds().stream().map(on::withSeed).toList();
  }

  private StoreResult run(RunPlan plan) {
    StoreResult known = done.get(plan);
    if (known != null) {
      return known;
    }
    synchronized (pace) {
      pace.step(
          runSeconds(runs.size()),
          "%s %s over our store".formatted(plan.kind().label(), plan.mix().name()));
    }
    StoreResult result = SimulatedStore.run(plan);
    done.put(plan, result);
    return result;
  }

  private List<StoreResult> results(RunPlan plan) {
    return ours(plan).stream().map(this::run).toList();
  }

  private static <T> List<Double> each(List<T> results, ToDoubleFunction<T> figure) {
    return results.stream().map(figure::applyAsDouble).toList();
  }

  private Traffic store(RunPlan plan) {
    List<StoreResult> results = results(plan);
    return new Traffic(
        "our store",
        results.stream().map(StoreResult::profile).toList(),
        each(results, StoreResult::deviceBytesOfGiven),
        each(results, one -> logShare(one.profile())),
        each(results, one -> one.answers().perMinute()));
  }

  private Traffic cache(RunPlan plan) {
    List<RunResult> results = runs.all(plan);
    return new Traffic(
        "page cache, ext3",
        results.stream().map(RunResult::profile).toList(),
        each(results, VolumeStudy::bytesOfGiven),
        each(results, one -> logShare(one.profile())),
        each(results, one -> one.answers().perMinute()));
  }

  private static double bytesOfGiven(RunResult result) {
    double written = result.profile().writes().blocks();
    return written / (written - result.places().addedBlocks());
  }

  private static double logShare(BlockProfile profile) {
    BlockProfile.Share log = profile.classes().get(IoClass.LOG);
    double written = profile.writes().blocks();
    return log == null ? 0 / written : log.blocks() / written;
  }

  private Grid traffic(RunPlan plan) {
    return Grid.of(
        "%s, %s, %d clients".formatted(plan.kind().label(), plan.mix().name(), plan.clients()),
        List.of(cache(plan), store(plan)),
        Grid.column("", Traffic::name),
        column("read, %", figure -> 100 * figure.readShareOfSectors()),
        column("read seq", figure -> figure.reads().sequentiality()),
        column("write seq", figure -> figure.writes().sequentiality()),
        column("read stream", figure -> figure.reads().meanStreamSectors()),
        column("write stream", figure -> figure.writes().meanStreamSectors()),
        column("interarrival, ms", figure -> figure.meanInterarrivalNanos() / 1e6),
        column("footprint, MiB", figure -> figure.pages().footprint() / BLOCKS_OF_MIB),
        Grid.column("device bytes for one given", one -> ratio(one.bytesOfGiven)),
        Grid.column("log in writes", one -> ratio(one.logShares)),
        Grid.column("transactions a minute", one -> Judgement.show(one.perMinute)));
  }

  private static Grid.Column<Traffic> column(String head, ToDoubleFunction<BlockProfile> figure) {
    return Grid.column(head, one -> show(one, figure));
  }

  /** Of what is written, which may be nothing. */
  private static String ratio(List<Double> figures) {
    return figures.stream().anyMatch(figure -> figure.isNaN()) ? "-" : Judgement.show(figures);
  }

  private static String show(Traffic traffic, ToDoubleFunction<BlockProfile> figure) {
    return Judgement.show(traffic.figures(figure));
  }

  private Claim claim() {
    Judgement judgement = new Judgement(runs.size().decides());
    for (Mix mix : mixes(runs.size(), Workload.Kind.TPC_C)) {
      RunPlan plan = plan(Workload.Kind.TPC_C, mix);
      Traffic ours = store(plan);
      judgement.atLeast(
          "write sequentiality, %s (page cache %s)"
              .formatted(mix.name(), show(cache(plan), one -> one.writes().sequentiality())),
          ours.figures(one -> one.writes().sequentiality()),
          LEAST_SEQUENTIAL);
      judgement.within("device bytes for one given", ours.bytesOfGiven, 0, MOST_BYTES);
    }
    return judgement.claim(
        "EC-STORE",
        "Ours, not the paper's: under TPC-C our store writes sequentially, 0.6 of its requests,"
            + " where the page cache has 0.07 to 0.14 in the paper, for at most 1.5 bytes at the"
            + " device for each that the database gives it.",
        why());
  }

  /** Of the mix that writes most: who wrote how much, and in what pieces. */
  private String why() {
    List<StoreResult> results =
        results(plan(Workload.Kind.TPC_C, Workload.Kind.TPC_C.mixes().getLast()));
    List<String> words = new ArrayList<>();
    for (String writer : names(results)) {
      words.add(
          "%s %s of what is written, in requests of %s blocks of which %s continue the one before"
              .formatted(
                  writer,
                  Judgement.show(Judgement.mean(each(results, one -> one.writtenShare(writer)))),
                  Judgement.show(Judgement.mean(each(results, one -> blocks(one, writer)))),
                  Judgement.show(Judgement.mean(each(results, one -> sequential(one, writer))))));
    }
    return "With many writes: "
        + String.join("; ", words)
        + ". What is flushed in pieces of up to 64 KiB, the database's log first of all, goes into the"
        + " store's log and from there to its place. Pages die where they lie, scattered, and leave"
        + " free runs of a few blocks, so that a flush goes to as many places as there are runs in its"
        + " length; and whatever comes between two writes of the log ends its stream.";
  }

  private static SortedSet<String> names(List<StoreResult> results) {
    TreeSet<String> names = new TreeSet<>();
    results.forEach(one -> names.addAll(one.writers().keySet()));
    return names;
  }

  private static double blocks(StoreResult result, String writer) {
    StoreResult.Written written = result.writers().get(writer);
    return written == null ? 0 : (double) written.blocks() / written.requests();
  }

  private static double sequential(StoreResult result, String writer) {
    StoreResult.Written written = result.writers().get(writer);
    return written == null ? 0 : (double) written.sequential() / written.requests();
  }

  /** A writer to the device under a mix, and the results of all seeds. */
  private record Writer(String mix, String name, List<StoreResult> results) {}

  /** Who writes, of the mixes that write most. */
  private Grid writers() {
    List<Writer> writers = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      Mix mix = kind.mixes().getLast();
      List<StoreResult> results = results(plan(kind, mix));
      String words = "%s, %s".formatted(kind.label(), mix.name());
      names(results).forEach(name -> writers.add(new Writer(words, name, results)));
    }
    return Grid.of(
        "Who writes to the device of our store",
        writers,
        Grid.column("", one -> one.mix + ": " + one.name),
        writer("part of the blocks", StoreResult::writtenShare),
        writer("blocks of a request", VolumeStudy::blocks),
        writer("requests in sequence", VolumeStudy::sequential));
  }

  private static Grid.Column<Writer> writer(
      String head, ToDoubleBiFunction<StoreResult, String> figure) {
    return Grid.column(
        head,
        one -> Judgement.show(each(one.results, result -> figure.applyAsDouble(result, one.name))));
  }
}
