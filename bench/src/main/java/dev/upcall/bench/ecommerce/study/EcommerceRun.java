package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import dev.upcall.bench.report.Cover;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.report.StudyReport;
import dev.upcall.bench.report.StudyRun;
import dev.upcall.specweb.document.Markup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Makes the paper's tables and figures one after the other, and writes the page anew after each, so
 * that whoever ends it has what was measured until then.
 */
public final class EcommerceRun {
  private static final Cover COVER =
      new Cover(
          "upcall-ecommerce",
          "upcall bench ecommerce: block traffic of TPC-W, RUBiS and TPC-C",
          "What three e-commerce benchmarks ask of a drive",
          Markup.of(
              """
              The tables and figures of <i>Characterization of the E-commerce Storage Subsystem
              Workload</i>, made again by <code>upcall bench ecommerce</code>: seeded clients over a
              model of a page cache, the store's own I/O schedulers and a modelled drive of 15,000
              rpm, in virtual time, so that the same seeds give the same figures on every machine.
              What was free was turned until traffic was like the paper's: pages in memory, the age
              at which changes are written, read-ahead, think times. Each claim stands beside what is
              found; the sentences are made from the data.\
              """),
          "the paper");

  private final Lab lab;
  private final StudySize size;
  private final Path html;
  private final Path json;

  /** What of a machine counts where all is counted. */
  private static final List<String> FACTS = List.of("date", "jdk", "commit");

  private boolean hasFailures;

  private record Experiment(String title, double seconds, Supplier<Section> section) {}

  /**
   * Of a size.
   *
   * @param html where the page goes
   * @param json where its data go
   */
  public EcommerceRun(Lab lab, StudySize size, Path html, Path json) {
    this.lab = lab;
    this.size = size;
    this.html = html;
    this.json = json;
  }

  /**
   * Makes them.
   *
   * @throws IOException when the page cannot be written, or the user stopped it
   */
  public StudyReport run() throws IOException, InterruptedException {
    double planned = plannedSeconds();
    Pace pace =
        new Pace(planned, Double.MAX_VALUE, System::nanoTime, words -> lab.say("%s", words));
    List<Experiment> experiments = experiments(pace);
    lab.say("size %s: planned to take %s", size.label(), Pace.words(planned));
    StudyRun run = new StudyRun(lab, COVER, facts(), planned);
    for (Experiment experiment : experiments) {
      run.make(experiment.title, experiment.seconds, experiment.section::get);
      run.note("experiments", "%d of %d".formatted(run.made(), experiments.size()));
      run.report().write(html, json);
    }
    hasFailures = run.hasFailures();
    return run.report();
  }

  /** Whether an experiment broke. */
  public boolean hasFailures() {
    return hasFailures;
  }

  private Map<String, String> facts() throws InterruptedException {
    Map<String, String> machine = Machine.describe(lab);
    Map<String, String> facts = new LinkedHashMap<>();
    FACTS.forEach(name -> facts.put(name, machine.getOrDefault(name, "unknown")));
    facts.put("size", size.label());
    facts.put("seeds", size.seeds().toString());
    facts.put("scale", "1/%.0f".formatted(1 / size.scale()));
    return facts;
  }

  private double plannedSeconds() {
    return ThroughputStudy.seconds(size)
        + PlacesStudy.seconds(size)
        + TrafficStudy.seconds(size)
        + FileSystemStudy.seconds(size)
        + SchedulerStudy.seconds(size)
        + CheckpointStudy.seconds(size)
        + VolumeStudy.seconds(size);
  }

  /** All of them; what one has run the next ones look at, too. */
  private List<Experiment> experiments(Pace pace) {
    Runs runs = new Runs(size, pace);
    return List.of(
        new Experiment(GeneratorStudy.TITLE, 0, () -> new GeneratorStudy(size).section()),
        new Experiment(
            ThroughputStudy.TITLE,
            ThroughputStudy.seconds(size),
            () -> new ThroughputStudy(runs).section()),
        new Experiment(
            PlacesStudy.TITLE, PlacesStudy.seconds(size), () -> new PlacesStudy(runs).section()),
        new Experiment(
            TrafficStudy.TITLE, TrafficStudy.seconds(size), () -> new TrafficStudy(runs).section()),
        new Experiment(
            FileSystemStudy.TITLE,
            FileSystemStudy.seconds(size),
            () -> new FileSystemStudy(runs).section()),
        new Experiment(
            SchedulerStudy.TITLE,
            SchedulerStudy.seconds(size),
            () -> new SchedulerStudy(runs).section()),
        new Experiment(
            CheckpointStudy.TITLE,
            CheckpointStudy.seconds(size),
            () -> new CheckpointStudy(size, pace).section()),
        new Experiment(
            VolumeStudy.TITLE,
            VolumeStudy.seconds(size),
            () -> new VolumeStudy(runs, pace).section()));
  }
}
