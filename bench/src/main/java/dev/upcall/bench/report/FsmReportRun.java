package dev.upcall.bench.report;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import dev.upcall.io.NettyReactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes all studies one after the other. A study that breaks is left out of the report, visibly.
 */
public final class FsmReportRun {
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
  double plannedSeconds() {
    return studies.stream().mapToDouble(study -> study.seconds(size)).sum()
        + Workbench.volumeSeconds(size);
  }

  /**
   * Makes them.
   *
   * @throws IOException when the user stopped it
   */
  public FsmReport run() throws IOException, InterruptedException {
    long beginNanos = System.nanoTime();
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
    List<Section> sections = new ArrayList<>();
    for (Study study : studies) {
      double plan = study.seconds(size);
      lab.say("%s, planned to take %s", study.title(), Pace.words(plan));
      long studyNanos = System.nanoTime();
      try {
        sections.add(study.run(bench));
        lab.say(
            "%s took %s of %s planned",
            study.title(), seconds(secondsSince(studyNanos)), seconds(plan));
      } catch (IOException broken) {
        if (lab.isStopped()) {
          throw broken;
        }
        hasFailures = true;
        String why = "it broke: " + broken.getMessage();
        lab.say("%s is left out, because %s", study.title(), why);
        sections.add(Section.leftOut(study.title(), why));
      }
    }
    facts.put(
        "duration",
        "%s of %s planned".formatted(seconds(secondsSince(beginNanos)), seconds(planned)));
    return new FsmReport(facts, sections);
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%,.0f s", seconds);
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
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
        ? "NOTHING IS CONFINED, since there is no taskset or only one core: \"one core\" is what the"
            + " operating system gave, and the load was beside the servers"
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

  /** Writes a page and a document whole or not at all, over what was there. */
  public static void write(FsmReport report, Path html, Path json) throws IOException {
    replace(json, ReportJson.of(report));
    replace(html, ReportHtml.of(report));
  }

  private static void replace(Path file, String text) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    Files.writeString(unfinished, text);
    Files.move(
        unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
