package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.report.Cover;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Paper;
import dev.upcall.bench.report.Paper.Part;
import dev.upcall.specweb.document.Markup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What three e-commerce benchmarks ask of a drive: the paper's tables and figures. */
public final class EcommercePaper {
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

  private EcommercePaper() {}

  /** The paper at a size. */
  public static Paper of(StudySize size) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("seeds", size.seeds().toString());
    facts.put("scale", "1/%.0f".formatted(1 / size.scale()));
    return new Paper(COVER, size.label(), Paper.COUNTED, facts, pace -> parts(size, pace));
  }

  /** All of them; what one has run the next ones look at, too. */
  private static List<Part> parts(StudySize size, Pace pace) {
    Runs runs = new Runs(size, pace);
    return List.of(
        new Part(GeneratorStudy.TITLE, 0, new GeneratorStudy(size)::section),
        new Part(
            ThroughputStudy.TITLE,
            ThroughputStudy.seconds(size),
            new ThroughputStudy(runs)::section),
        new Part(PlacesStudy.TITLE, PlacesStudy.seconds(size), new PlacesStudy(runs)::section),
        new Part(TrafficStudy.TITLE, TrafficStudy.seconds(size), new TrafficStudy(runs)::section),
        new Part(
            FileSystemStudy.TITLE,
            FileSystemStudy.seconds(size),
            new FileSystemStudy(runs)::section),
        new Part(
            SchedulerStudy.TITLE, SchedulerStudy.seconds(size), new SchedulerStudy(runs)::section),
        new Part(
            CheckpointStudy.TITLE,
            CheckpointStudy.seconds(size),
            new CheckpointStudy(size, pace)::section),
        new Part(
            VolumeStudy.TITLE, VolumeStudy.seconds(size), new VolumeStudy(runs, pace)::section));
  }
}
