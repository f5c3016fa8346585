package dev.upcall.bench.securefile.study;

import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.securefile.ObjectSet;
import dev.upcall.bench.securefile.study.SetRuns.Subject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Claims of the paper on gathering, deduplication, compression and snapshots without figures of its
 * own.
 */
final class OptionStudy {
  static final String TITLE = "4. Gathering, duplicates, compression, snapshots";

  private static final int STREAMS = 4;
  private static final int KIB = 1024;
  private static final List<Integer> GATHERS = List.of(64 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB);
  private static final List<Double> DUPLICATES = List.of(0.0, 0.25, 0.75);
  private static final double SAME = 0.03;

  /** So large that the 3 KB of a name are little beside content. */
  private static final ObjectSet SHARED = ObjectSet.IMAGE_HIGH;

  /** Low-res images' sizes with such content and option. */
  private record Coded(String content, String option) {}

  private static final List<Coded> CODED =
      List.of(
          new Coded("random", "NONE"),
          new Coded("random", "BALANCED"),
          new Coded("mixed", "BALANCED"),
          new Coded("text", "NONE"),
          new Coded("text", "FAST"),
          new Coded("text", "BALANCED"));

  /** Where text without compression stands. */
  private static final int PLAIN_TEXT = 3;

  private final SetRuns runs;

  OptionStudy(SetRuns runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    return (gathers(size).size() + DUPLICATES.size() + CODED.size() + 1) * size.runSeconds();
  }

  private static List<Integer> gathers(StudySize size) {
    return size.decides() ? GATHERS : GATHERS.subList(0, 2);
  }

  Section section() throws IOException, InterruptedException {
    boolean decides = runs.size().decides();
    Map<Integer, Ran> gathered = new LinkedHashMap<>();
    Judgement gathering = new Judgement(decides).about("KiB a write");
    double before = 0;
    for (int bytes : gathers(runs.size())) {
      Subject subject = Subject.of("upcall", ObjectSet.IMAGE_HIGH).with("gather", bytes);
      Ran ran = runs.run(subject, STREAMS).load();
      gathered.put(bytes, ran);
      gathering
          .show("%d KiB %s".formatted(bytes / KIB, Judgement.show(ran.writeKib())))
          .need(ran.writeKib() >= before, "%d KiB has fewer".formatted(bytes / KIB));
      before = ran.writeKib();
    }
    Map<Double, Ran> shared = new LinkedHashMap<>();
    Judgement sharing = new Judgement(decides).about("device bytes of those that are there once");
    for (double part : DUPLICATES) {
      Subject subject =
          Subject.of("upcall", SHARED)
              .with("duplicates", part)
              .with("dedup", "file")
              .with("used", true);
      Ran ran = runs.run(subject, STREAMS).load();
      shared.put(part, ran);
    }
    double alone = ofOwn(shared.values().iterator().next());
    shared.forEach(
        (part, ran) ->
            sharing.within(
                "%.0f %% duplicates, beside none".formatted(part * 100),
                ofOwn(ran) / alone,
                1 - SAME,
                1 + SAME));
    Map<Coded, SetRuns.Pair> coded = new LinkedHashMap<>();
    for (Coded one : CODED) {
      Subject subject =
          Subject.of("upcall", ObjectSet.IMAGE_LOW)
              .with("content", one.content)
              .with("compression", one.option);
      coded.put(one, runs.run(subject, STREAMS));
    }
    double text = stored(of(coded, CODED.size() - 1).load());
    double slowed = of(coded, 1).load().megabytes() / of(coded, 0).load().megabytes();
    List<Ran> overwritten =
        runs.run(
            Subject.of("upcall", ObjectSet.IMAGE_LOW),
            STREAMS,
            List.of("load", "read", "overwrite"));
    Ran beside = overwritten.getLast();
    double longest = beside.fields().decimal("longest-read") / 1e3;
    return Section.of(
        TITLE,
        "Sets with %d streams. The snapshot's objects are checked: each object is the one that was"
                .formatted(STREAMS)
            + " there when it began, while all are being overwritten. A duplicate waits until the one"
            + " that it equals is stored; the wait counts as time of the load.",
        List.of(
            gathering.claim(
                "SF-GATHER",
                "The more is gathered, the longer are the writes.",
                "The kernel joins writes that lie side by side, whatever the store has gathered."),
            sharing.claim(
                "SF-DEDUP",
                "Duplicates cost nothing on the device: within 3 % of what is there once."),
            new Judgement(decides)
                .within("text, balanced: stored bytes of its own", text, 0, 0.5)
                .atLeast("random bytes: load of that without", slowed, 0.95)
                .claim(
                    "SF-CODED",
                    "Text takes half of its bytes or less, and what cannot be compressed costs"
                        + " hardly more than without."),
            new Judgement(decides)
                .within(
                    "bytes logged for text, balanced over none",
                    logged(of(coded, CODED.size() - 1).load())
                        / logged(of(coded, PLAIN_TEXT).load()),
                    0,
                    0.9)
                .claim(
                    "SF-LOG",
                    "Compression reduces what is logged.",
                    "Content of more than 64 KiB is never logged, compressed or not, and a unit's"
                        + " entry in the log is longer than that of plain blocks."),
            new Judgement(decides)
                .atLeast(
                    "objects overwritten a second",
                    beside.perSecond() / overwritten.getFirst().perSecond(),
                    0.5)
                .show("the longest read of the snapshot %s ms".formatted(Judgement.show(longest)))
                .claim(
                    "SF-SNAP",
                    "Readers of a snapshot and writers do not wait for each other: at least half of"
                        + " the rate of a load.")),
        List.of(),
        List.of(
            Grid.of(
                "High-res images by what is gathered",
                gathered.entrySet(),
                Grid.column("KiB gathered", one -> "" + one.getKey() / KIB),
                Grid.column("MB/s", one -> Judgement.show(one.getValue().megabytes())),
                Grid.column("KiB a write", one -> Judgement.show(one.getValue().writeKib())),
                Grid.column("p99 ms", one -> Judgement.show(one.getValue().p99Millis()))),
            Grid.of(
                "Objects of 1 MB by content and compression",
                coded.entrySet(),
                Grid.column("content", one -> one.getKey().content),
                Grid.column("compression", one -> one.getKey().option.toLowerCase(Locale.ROOT)),
                Grid.column("load, MB/s", one -> Judgement.show(one.getValue().load().megabytes())),
                Grid.column("CPU us", one -> Judgement.show(one.getValue().load().cpuMicros())),
                Grid.column(
                    "MB/s of a core",
                    one -> Judgement.show(one.getValue().load().megabytesOfCore())),
                Grid.column("read, MB/s", one -> Judgement.show(one.getValue().read().megabytes())),
                Grid.column("CPU us ", one -> Judgement.show(one.getValue().read().cpuMicros())),
                Grid.column(
                    "MB/s of a core ",
                    one -> Judgement.show(one.getValue().read().megabytesOfCore())),
                Grid.column(
                    "stored of its own", one -> Judgement.show(stored(one.getValue().load()))),
                Grid.column(
                    "logged of its own", one -> Judgement.show(logged(one.getValue().load())))),
            Grid.of(
                "High-res images by duplicates, dedup=file",
                shared.entrySet(),
                Grid.column("duplicates", one -> "%.0f %%".formatted(one.getKey() * 100)),
                Grid.column("MB/s", one -> Judgement.show(one.getValue().megabytes())),
                Grid.column("CPU us", one -> Judgement.show(one.getValue().cpuMicros())),
                Grid.column(
                    "device bytes of those there once",
                    one -> Judgement.show(ofOwn(one.getValue()))))));
  }

  private static SetRuns.Pair of(Map<Coded, SetRuns.Pair> coded, int at) {
    return Objects.requireNonNull(coded.get(CODED.get(at)));
  }

  private static double stored(Ran load) {
    return load.fields().decimal("stored-bytes") / load.fields().decimal("bytes");
  }

  private static double logged(Ran load) {
    return load.fields().decimal("log-bytes") / load.fields().decimal("bytes");
  }

  private static double ofOwn(Ran ran) {
    return ran.written() / ran.fields().decimal("own-bytes");
  }
}
