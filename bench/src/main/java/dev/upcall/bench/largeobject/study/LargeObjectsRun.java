package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import dev.upcall.bench.report.Cover;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.StudyReport;
import dev.upcall.bench.report.StudyRun;
import dev.upcall.specweb.document.Markup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the paper's experiments one after the other, and writes the page anew after each, so that
 * whoever ends it has what was measured until then.
 */
public final class LargeObjectsRun {
  private static final Cover COVER =
      new Cover(
          "upcall-large-objects",
          "upcall bench large-objects: ESM, Starburst and EOS",
          "Three ways to store large objects that are edited in the middle",
          Markup.of(
              """
              The experiments of <i>The Performance of Three Database Storage Structures for Managing
              Large Objects</i> (Biliris, SIGMOD 1992), made again by
              <code>upcall bench large-objects</code> on the paper's machine: the store's own edit
              policies over a pool of 12 pages, buddy spaces, count trees of 512 pairs, and a disk of
              33 ms a call and 4 ms a page of 4 KB, which is counted and not used. Each claim of the
              paper stands beside what is found; the sentences are made from the data. A second part
              runs the same streams on the store itself, on this machine.\
              """),
          "the paper");

  private final Lab lab;
  private final StudySize size;
  private final Path html;
  private final Path json;

  /** What of a machine counts; for the first part, which is not timed, only what made the page. */
  private static final List<String> FACTS =
      List.of(
          "date",
          "processor",
          "cores",
          "memory",
          "kernel",
          "file system",
          "jdk",
          "flags",
          "commit");

  private boolean hasFailures;

  private record Experiment(String title, double seconds, StudyRun.Work work) {}

  /**
   * Of a size.
   *
   * @param html where the page goes
   * @param json where its data go
   */
  public LargeObjectsRun(Lab lab, StudySize size, Path html, Path json) {
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
      run.make(experiment.title, experiment.seconds, experiment.work);
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
    return facts;
  }

  private double mixSeconds() {
    int runs = MixStudies.columns().size() * Mixes.MEANS.size();
    return Mixes.seconds(size, runs, size.operations());
  }

  private double largerSeconds() {
    return Mixes.seconds(size, 2 * SizeClaims.structures().size(), size.largeOperations());
  }

  private double plannedSeconds() {
    return Creations.seconds()
        + mixSeconds()
        + largerSeconds()
        + StoreRuns.seconds(size, StoredObject.Placing.LATER)
        + StoreRuns.seconds(size, StoredObject.Placing.AT_ONCE);
  }

  /** All of them; the second makes the objects that the third and the fourth look at, too. */
  private List<Experiment> experiments(Pace pace) {
    Creations creations = new Creations(pace);
    MixStudies studies = new MixStudies(new Mixes(size, pace), size);
    StoreStudy store = new StoreStudy(new StoreRuns(lab, size, pace));
    return List.of(
        new Experiment(CreationStudy.TITLE, Creations.seconds(), () -> CreationStudy.of(creations)),
        new Experiment(MixStudies.UTILIZATION, mixSeconds(), studies::utilization),
        new Experiment(MixStudies.READS, 0, studies::reads),
        new Experiment(MixStudies.UPDATES, 0, studies::updates),
        new Experiment(MixStudies.SIZE, largerSeconds(), studies::larger),
        new Experiment(StoreStudy.TITLE, 0, store::introduction),
        new Experiment(
            StoreStudy.LATER, StoreRuns.seconds(size, StoredObject.Placing.LATER), store::later),
        new Experiment(
            StoreStudy.AT_ONCE,
            StoreRuns.seconds(size, StoredObject.Placing.AT_ONCE),
            store::atOnce));
  }
}
