package dev.upcall.bench.securefile.study;

import dev.upcall.bench.host.ControlGroup;
import dev.upcall.bench.host.DeviceTraffic;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.securefile.ObjectSet;
import dev.upcall.bench.securefile.study.SetRuns.Pair;
import dev.upcall.bench.securefile.study.SetRuns.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Our store on a device as slow as the paper's beside its processors. */
final class SlowDeviceStudy {
  static final String TITLE = "9. A slower device";

  private static final int MEGA = 1_000_000;
  private static final int WRITE_MEGABYTES = 100;
  private static final int READ_MEGABYTES = 120;
  private static final int STREAMS = 4;

  private final SetRuns runs;
  private final Path scratch;

  SlowDeviceStudy(SetRuns runs, Path scratch) {
    this.runs = runs;
    this.scratch = scratch;
  }

  /** The smallest size moves little; the others wait for the device. */
  static double seconds(StudySize size) {
    double bytes = (double) size.count(ObjectSet.IMAGE_HIGH) * ObjectSet.IMAGE_HIGH.meanBytes();
    double all = bytes / MEGA * (1.0 / WRITE_MEGABYTES + 1.0 / READ_MEGABYTES);
    return 3 * (all + size.runSeconds());
  }

  private static List<ObjectSet> sets(StudySize size) {
    return size.decides()
        ? List.of(ObjectSet.IMAGE_LOW, ObjectSet.IMAGE_HIGH)
        : List.of(ObjectSet.IMAGE_LOW);
  }

  Section section() throws IOException, InterruptedException {
    StudySize size = runs.size();
    runs.step(seconds(size) - sets(size).size() * size.runSeconds(), "a slower device");
    ControlGroup made;
    try {
      made =
          ControlGroup.ofDevice(
              "upcall-securefiles-" + ProcessHandle.current().pid(),
              DeviceTraffic.disk(scratch),
              (long) READ_MEGABYTES * MEGA,
              (long) WRITE_MEGABYTES * MEGA);
    } catch (IOException none) {
      return Section.leftOut(TITLE, String.valueOf(none.getMessage()));
    }
    try (ControlGroup group = made) {
      return section(runs.inside(group));
    }
  }

  private Section section(SetRuns slowed) throws IOException, InterruptedException {
    boolean decides = runs.size().decides();
    Map<ObjectSet, Pair> found = new EnumMap<>(ObjectSet.class);
    Judgement rates = new Judgement(decides);
    for (ObjectSet set : sets(runs.size())) {
      Pair pair = slowed.run(Subject.of("upcall", set), STREAMS);
      found.put(set, pair);
      rates
          .atLeast(set.label() + " load of W", pair.load().megabytes() / WRITE_MEGABYTES, 0.85)
          .atLeast(set.label() + " read of R", pair.read().megabytes() / READ_MEGABYTES, 0.75);
    }
    List<AheadStudy.Line> ahead = AheadStudy.lines(slowed, List.of(1));
    return Section.of(
            TITLE,
            "The store's processes may write %d and read %d MB/s (W and R), which the kernel sees to."
                    .formatted(WRITE_MEGABYTES, READ_MEGABYTES)
                + " %d streams; then one reader, as above.".formatted(STREAMS),
            List.of(
                rates.claim(
                    "SF-SLOW",
                    "Objects of 1 MB and more load at 0.85 of a slow device's rate and are read at"
                        + " 0.75."),
                new Judgement(decides)
                    .atLeast("ahead over without", ahead.getFirst().gain(), 1.3)
                    .claim(
                        "SF-SLOWAHEAD",
                        "Reading ahead makes one reader of a slow device 1.3 times as fast.",
                        "Without it the reader waits for each 64 KiB, and its own work is all that"
                            + " reading ahead can hide.")),
            List.of(),
            List.of(
                Grid.of(
                    "Our store on the slower device",
                    found.entrySet(),
                    Grid.column("set", one -> one.getKey().label()),
                    Grid.column(
                        "load, MB/s", one -> Judgement.show(one.getValue().load().megabytes())),
                    Grid.column("busy", one -> Judgement.show(one.getValue().load().busy())),
                    Grid.column(
                        "read, MB/s", one -> Judgement.show(one.getValue().read().megabytes())),
                    Grid.column("busy ", one -> Judgement.show(one.getValue().read().busy()))),
                AheadStudy.grid(ahead)))
        .noting(
            "The kernel limits bytes a second. A disk's time to reach another place is not in it.");
  }
}
