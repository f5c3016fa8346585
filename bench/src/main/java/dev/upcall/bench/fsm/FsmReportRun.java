package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import dev.upcall.bench.report.Cover;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Size;
import dev.upcall.bench.report.Study;
import dev.upcall.bench.report.StudyReport;
import dev.upcall.bench.report.StudyRun;
import dev.upcall.bench.report.Workbench;
import dev.upcall.io.volume.NettyReactor;
import dev.upcall.specweb.document.Markup;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes all studies one after the other. A study that breaks is left out of the report, visibly.
 */
public final class FsmReportRun {
  public static final Cover COVER =
      new Cover(
          "upcall-fsm-report",
          "upcall bench fsm-report: state machines against threads",
          "State machines against threads",
          Markup.of(
              """
              The experiments of <i>Storage System Design using Finite State Machines</i>
              (Deshpande, Lakhamraju, Berkeley), made again by <code>upcall bench fsm-report</code>:
              the same store as state machines and as threads with locks, on the same volumes. Each
              claim of the report stands beside what this machine showed; the sentences are made
              from the data.\
              """),
          "the report");

  private final Lab lab;
  private final Size size;
  private final List<Study> studies;
  private boolean hasFailures;

  /**
   * Of a size, in a lab.
   *
   * @param only experiments with this in their titles, whatever the case; empty for all
   */
  public static FsmReportRun of(Lab lab, Size size, String only) {
    List<Study> all =
        List.of(
            new FileManagerStudy(),
            new StageStudy(),
            new WebStudy(),
            new CodeSizeStudy(SourceTree.find()),
            new DiskStudy());
    String text = only.toLowerCase(Locale.ROOT);
    return new FsmReportRun(
        lab,
        size,
        all.stream()
            .filter(study -> study.title().toLowerCase(Locale.ROOT).contains(text))
            .toList());
  }

  FsmReportRun(Lab lab, Size size, List<Study> studies) {
    this.lab = lab;
    this.size = size;
    this.studies = List.copyOf(studies);
  }

  /**
   * How long it takes at most on two cores like those of the development machine: what its steps
   * were seen to take, and the longest warm-ups.
   */
  public double plannedSeconds() {
    return studies.stream().mapToDouble(study -> study.seconds(size)).sum()
        + Workbench.volumeSeconds(size);
  }

  /**
   * Makes them.
   *
   * @throws IOException when the user stopped it
   */
  public StudyReport run() throws IOException, InterruptedException {
    double planned = plannedSeconds();
    Pace pace =
        new Pace(
            planned, size.time().mostSeconds(), System::nanoTime, words -> lab.say("%s", words));
    lab.say(
        "size %s: planned to take %s, less where processes are warm before their time; %s at most",
        size.label(), Pace.words(planned), Pace.words(size.time().mostSeconds()));
    Workbench bench = new Workbench(lab, size, pace);
    Map<String, String> facts = new LinkedHashMap<>(Machine.describe(lab));
    facts.put("size", size.label());
    facts.put("disk", disk());
    facts.put("warm-up", warmUp());
    StudyRun run = new StudyRun(lab, COVER, facts, planned);
    for (Study study : studies) {
      run.make(study.title(), study.seconds(size), () -> study.run(bench));
    }
    hasFailures = run.hasFailures();
    return run.report();
  }

  /** Whether there is nothing to measure. */
  public boolean isEmpty() {
    return studies.isEmpty();
  }

  /** Whether a study broke. */
  public boolean hasFailures() {
    return hasFailures;
  }

  private String warmUp() {
    return lab.cores().taskset() == null
        ? "NOTHING IS CONFINED, since there is no taskset or only one core: \"one core\" is what"
            + " the operating system gave, and the load was beside the servers"
        : ("each process warms up on all cores until its compiler takes less than 2 %% of one and"
                + " throughput of a second differs from that of the one before by 5 %% at most, or,"
                + " where it scatters by more, that of two and a half seconds from those before by"
                + " no more than the scatter explains and 15 %%, for %d s at most (before rewrites"
                + " %d s); then all of its threads are confined (taskset -acp). It is started"
                + " with -XX:ActiveProcessorCount of the cores that it is measured on, so that"
                + " compiler, collector and carriers of virtual threads are sized for those. The"
                + " kernel's own workers for durable writes of the ring cannot be confined.")
            .formatted(size.time().warmMillis() / 1000, size.load().rewrites().warmMillis() / 1000);
  }

  private static String disk() {
    String why = NettyReactor.ringUnavailable();
    return why == null ? "io_uring" : "thread pool, since io_uring is not available: " + why;
  }
}
