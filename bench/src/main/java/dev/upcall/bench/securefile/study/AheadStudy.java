package dev.upcall.bench.securefile.study;

import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.securefile.ObjectSet;
import dev.upcall.bench.securefile.study.SetRuns.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The gain of reading ahead, over readers at once. */
final class AheadStudy {
  static final String TITLE = "7. Reading ahead";

  private static final int LOADERS = 4;
  private static final List<Integer> READERS = List.of(1, 2, 4, 8);

  private final SetRuns runs;

  /** Reading by so many at once. */
  record Line(int readers, Ran ahead, Ran without) {
    /** How many times as fast one is that is read ahead of. */
    double gain() {
      return ahead.megabytes() / without.megabytes();
    }
  }

  AheadStudy(SetRuns runs) {
    this.runs = runs;
  }

  private static List<Integer> readers(StudySize size) {
    return size.decides() ? READERS : READERS.subList(0, 1);
  }

  static double seconds(StudySize size) {
    return 2 * size.runSeconds();
  }

  /**
   * Loads high-res images and reads them both ways.
   *
   * @param readers each so many at once
   */
  static List<Line> lines(SetRuns runs, List<Integer> readers)
      throws IOException, InterruptedException {
    List<Line> lines = new ArrayList<>();
    try (SetRuns.Store store = runs.start(Subject.of("upcall", ObjectSet.IMAGE_HIGH))) {
      store.run("load", LOADERS);
      for (int count : readers) {
        lines.add(new Line(count, store.run("read", count), store.run("read pieces=1", count)));
      }
    }
    return lines;
  }

  Section section() throws IOException, InterruptedException {
    runs.step(seconds(runs.size()), "reading ahead");
    List<Line> lines = lines(runs, readers(runs.size()));
    return Section.of(
        TITLE,
        "High-res images, each read once from its begin to its end: as a stream, of which the store"
            + " reads ahead, and by a handle's calls for 64 KiB, of which it does not.",
        List.of(
            new Judgement(runs.size().decides())
                .atLeast("one reader, ahead over without", lines.getFirst().gain(), 1.3)
                .claim("SF-AHEAD", "Reading ahead makes one reader 1.3 times as fast.")),
        List.of(),
        List.of(grid(lines)));
  }

  /** Both ways beside each other. */
  static Grid grid(List<Line> lines) {
    return Grid.of(
        "High-res images, with reading ahead and without",
        lines,
        Grid.column("readers", line -> "" + line.readers),
        Grid.column("ahead, MB/s", line -> Judgement.show(line.ahead.megabytes())),
        Grid.column("KiB a read", line -> Judgement.show(line.ahead.readKib())),
        Grid.column("without, MB/s", line -> Judgement.show(line.without.megabytes())),
        Grid.column("KiB a read ", line -> Judgement.show(line.without.readKib())),
        Grid.column("ahead over without", line -> Judgement.show(line.gain())));
  }
}
