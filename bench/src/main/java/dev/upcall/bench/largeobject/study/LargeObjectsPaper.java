package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.largeobject.study.StoredObject.Placing;
import dev.upcall.bench.report.Cover;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Paper;
import dev.upcall.bench.report.Paper.Part;
import dev.upcall.specweb.document.Markup;
import java.util.List;
import java.util.Map;

/** Three ways to store large objects: the paper's experiments, and the same on the store. */
public final class LargeObjectsPaper {
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

  /** What of a machine counts; for the first part, which is not timed, only what made the page. */
  private LargeObjectsPaper() {}

  /**
   * The paper at a size.
   *
   * @param lab has the volumes of the part that is made on the store
   */
  public static Paper of(Lab lab, StudySize size) {
    return new Paper(
        COVER,
        size.label(),
        Paper.MEASURED,
        Map.of("seeds", size.seeds().toString()),
        pace -> parts(lab, size, pace));
  }

  /** All of them; the second makes the objects that the third and the fourth look at, too. */
  private static List<Part> parts(Lab lab, StudySize size, Pace pace) {
    Creations creations = new Creations(pace);
    MixStudies studies = new MixStudies(new Mixes(size, pace), size);
    StoreStudy store = new StoreStudy(new StoreRuns(lab, size, pace));
    int mixes = MixStudies.columns().size() * Mixes.MEANS.size();
    int larger = 2 * SizeClaims.structures().size();
    return List.of(
        new Part(CreationStudy.TITLE, Creations.seconds(), () -> CreationStudy.of(creations)),
        new Part(
            MixStudies.UTILIZATION,
            Mixes.seconds(size, mixes, size.operations()),
            studies::utilization),
        new Part(MixStudies.READS, 0, studies::reads),
        new Part(MixStudies.UPDATES, 0, studies::updates),
        new Part(
            MixStudies.SIZE, Mixes.seconds(size, larger, size.largeOperations()), studies::larger),
        new Part(StoreStudy.TITLE, 0, store::introduction),
        new Part(StoreStudy.LATER, StoreRuns.seconds(size, Placing.LATER), store::later),
        new Part(StoreStudy.AT_ONCE, StoreRuns.seconds(size, Placing.AT_ONCE), store::atOnce));
  }
}
