package dev.upcall.bench.securefile.study;

import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.securefile.ObjectSet;
import dev.upcall.bench.securefile.study.SetRuns.Pair;
import dev.upcall.bench.securefile.study.SetRuns.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Two stores on one device, each with a process of its own, in the place of the paper's two nodes
 * on one segment: a volume of ours has one process, so these share nothing but the machine.
 */
final class TwoVolumesStudy {
  static final String TITLE = "8. Two volumes on one device";

  private static final int STREAMS = 4;
  private static final List<ObjectSet> SETS = List.of(ObjectSet.EMAIL, ObjectSet.IMAGE_LOW);

  private final SetRuns runs;

  private record Line(ObjectSet set, Pair alone, List<Pair> both) {
    /** The rate of both over that of one with as many streams. */
    double gain(Function<Pair, Ran> phase) {
      double seconds = both.stream().map(phase).mapToDouble(Ran::seconds).max().orElseThrow();
      double bytes =
          both.stream().map(phase).mapToDouble(ran -> ran.fields().decimal("bytes")).sum();
      return bytes / 1e6 / seconds / phase.apply(alone).megabytes();
    }
  }

  TwoVolumesStudy(SetRuns runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    return 3 * SETS.size() * size.runSeconds();
  }

  Section section() throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    Judgement judgement =
        new Judgement(runs.size().decides()).about("two over one with as many streams");
    for (ObjectSet set : SETS) {
      Subject subject = Subject.of("upcall", set);
      Line line = new Line(set, runs.run(subject, STREAMS), runs.runTwice(subject, STREAMS / 2));
      lines.add(line);
      judgement
          .atLeast(set.label() + " loaded", line.gain(Pair::load), 0.9)
          .show("%s read %s".formatted(set.label(), Judgement.show(line.gain(Pair::read))));
    }
    return Section.of(
        TITLE,
        "One store with %d streams, then two at once with %d each, which share nothing but processors and device."
            .formatted(STREAMS, STREAMS / 2),
        List.of(
            judgement.claim(
                "SF-TWO",
                "Aim: two stores on one device load at 0.9 of the rate of one, or more.")),
        List.of(),
        List.of(
            Grid.of(
                "Two beside one",
                lines,
                Grid.column("set", line -> line.set.label()),
                Grid.column(
                    "one, load MB/s", line -> Judgement.show(line.alone.load().megabytes())),
                Grid.column("two over it", line -> Judgement.show(line.gain(Pair::load))),
                Grid.column(
                    "one, read MB/s", line -> Judgement.show(line.alone.read().megabytes())),
                Grid.column("two over it ", line -> Judgement.show(line.gain(Pair::read))))));
  }
}
