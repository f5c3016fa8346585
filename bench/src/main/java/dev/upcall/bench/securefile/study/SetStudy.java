package dev.upcall.bench.securefile.study;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.securefile.ObjectSet;
import dev.upcall.bench.securefile.study.SetRuns.Pair;
import dev.upcall.bench.securefile.study.SetRuns.Subject;
import dev.upcall.config.ContentConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** Our store under each set, by streams. */
final class SetStudy {
  static final String TITLE = "2. Five sets over streams";

  private static final List<ObjectSet> LARGE =
      List.of(ObjectSet.IMAGE_LOW, ObjectSet.IMAGE_HIGH, ObjectSet.VIDEO);
  private static final double NEARLY = 0.95;

  /** The least that a large object's write or read of the device has. */
  private static final double TOGETHER_KIB = 256;

  /** The most extents for each request for space: one, and one more for twenty. */
  private static final double SPLIT = 1.05;

  private final SetRuns runs;
  private final Map<ObjectSet, List<Line>> lines = new EnumMap<>(ObjectSet.class);
  private final Map<ObjectSet, Double> spreads = new EnumMap<>(ObjectSet.class);

  private record Line(ObjectSet set, int streams, Pair ran) {}

  SetStudy(SetRuns runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    return size.sets().stream()
            .mapToInt(set -> size.streams(set).size() + size.repetitions() - 1)
            .sum()
        * size.runSeconds();
  }

  Section section(DeviceRates device) throws IOException, InterruptedException {
    for (ObjectSet set : runs.size().sets()) {
      List<Line> all = new ArrayList<>();
      for (int streams : runs.size().streams(set)) {
        all.add(new Line(set, streams, runs.run(Subject.of("upcall", set), streams)));
      }
      lines.put(set, all);
      repeat(set, all.getLast());
    }
    return Section.of(
        TITLE,
        "Each set is loaded by so many threads, an object a durable call; then the store is opened"
            + " anew and each object is read once, in random order. Device figures are the"
            + " kernel's; processors are all of this machine's.",
        claims(device),
        List.of(),
        List.of(grid()));
  }

  private void repeat(ObjectSet set, Line first) throws IOException, InterruptedException {
    List<Double> rates = new ArrayList<>(List.of(first.ran.load().perSecond()));
    for (int i = 1; i < runs.size().repetitions(); i++) {
      rates.add(runs.run(Subject.of("upcall", set), first.streams).load().perSecond());
    }
    double least = rates.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double most = rates.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    spreads.put(set, (most - least) / Judgement.mean(rates));
  }

  private Grid grid() {
    return Grid.of(
        "Our store",
        lines.values().stream().flatMap(List::stream).toList(),
        Grid.column("set", line -> line.set.label()),
        Grid.column("streams", line -> "" + line.streams),
        column("load, MB/s", line -> line.ran.load().megabytes()),
        column("objects/s", line -> line.ran.load().perSecond()),
        column("CPU us", line -> line.ran.load().cpuMicros()),
        column("busy", line -> line.ran.load().busy()),
        column("device MB/s", line -> line.ran.load().writtenMegabytes()),
        column("KiB a write", line -> line.ran.load().writeKib()),
        column("extents", line -> line.ran.load().extents()),
        column("KiB an extent", line -> line.ran.load().extentKib()),
        column("p99 ms", line -> line.ran.load().p99Millis()),
        column("read, MB/s", line -> line.ran.read().megabytes()),
        column("objects/s ", line -> line.ran.read().perSecond()),
        column("CPU us ", line -> line.ran.read().cpuMicros()),
        column("KiB a read", line -> line.ran.read().readKib()),
        column("p99 ms ", line -> line.ran.read().p99Millis()));
  }

  private static Grid.Column<Line> column(String head, ToDoubleFunction<Line> figure) {
    return Grid.column(head, line -> Judgement.show(figure.applyAsDouble(line)));
  }

  private Line best(ObjectSet set, ToDoubleFunction<Pair> rate) {
    return Objects.requireNonNull(lines.get(set)).stream()
        .max(Comparator.comparingDouble(line -> rate.applyAsDouble(line.ran)))
        .orElseThrow();
  }

  private double peak(ObjectSet set, ToDoubleFunction<Pair> rate) {
    return rate.applyAsDouble(best(set, rate).ran);
  }

  private static double load(Pair ran) {
    return ran.load().megabytes();
  }

  private static double read(Pair ran) {
    return ran.read().megabytes();
  }

  /** The least number of streams that nearly reaches the peak. */
  private int enough(ObjectSet set) {
    double peak = peak(set, SetStudy::load);
    return Objects.requireNonNull(lines.get(set)).stream()
        .filter(line -> load(line.ran) >= NEARLY * peak)
        .mapToInt(Line::streams)
        .min()
        .orElseThrow();
  }

  private List<Claim> claims(DeviceRates device) {
    boolean decides = runs.size().decides();
    List<ObjectSet> sets = runs.size().sets();
    String noDevice =
        !decides
            ? "tables and runs of this size are too small"
            : Double.isNaN(device.writeMegabytes()) ? "there is no fio" : "";
    Judgement rises = new Judgement(decides);
    Judgement saturates = new Judgement(decides).about("streams that reach 95 % of the peak");
    for (int i = 0; i < sets.size(); i++) {
      ObjectSet set = sets.get(i);
      rises.show("%s %s MB/s".formatted(set.label(), Judgement.show(peak(set, SetStudy::load))));
      saturates.show("%s %d".formatted(set.label(), enough(set)));
      if (i > 0 && i <= ObjectSet.IMAGE_LOW.ordinal()) {
        rises.below(
            sets.get(i - 1).label(),
            peak(sets.get(i - 1), SetStudy::load),
            set.label(),
            peak(set, SetStudy::load));
      }
      if (i > 0) {
        saturates.need(
            enough(set) <= enough(sets.get(i - 1)),
            set.label() + " needs more than the one before");
      }
    }
    Judgement rates = new Judgement(noDevice);
    Judgement together = new Judgement(decides).about("KiB of a device's request");
    Judgement ratios = new Judgement(decides).about("MB/s read for each loaded");
    ratios.atLeast(ObjectSet.EMAIL.label(), ratio(ObjectSet.EMAIL), 1.2);
    for (ObjectSet set : LARGE) {
      if (sets.contains(set)) {
        rates.atLeast(
            set.label() + " load of W", peak(set, SetStudy::load) / device.writeMegabytes(), 0.85);
        rates.atLeast(
            set.label() + " read of R", peak(set, SetStudy::read) / device.readMegabytes(), 0.75);
        ratios.within(set.label(), ratio(set), 0.9, 1.15);
        Pair most = Objects.requireNonNull(lines.get(set)).getLast().ran;
        together.atLeast(set.label() + " written", most.load().writeKib(), TOGETHER_KIB);
        together.atLeast(set.label() + " read", most.read().readKib(), TOGETHER_KIB);
      }
    }
    Judgement bound = new Judgement(noDevice);
    Judgement lying = new Judgement(decides).about("extents for each request for space");
    Judgement spread = new Judgement(decides).about("spread of objects/s, loaded three times");
    for (ObjectSet set : sets) {
      Ran most = Objects.requireNonNull(lines.get(set)).getLast().ran.load();
      lying.within(set.label(), most.extents() / requests(set), 0, SPLIT);
      spread.within(set.label(), Objects.requireNonNull(spreads.get(set)), 0, 0.1);
    }
    for (ObjectSet set : List.of(ObjectSet.EMAIL, ObjectSet.DOCUMENT)) {
      Ran peak = best(set, SetStudy::load).ran.load();
      bound.atLeast(set.label() + " busy", peak.busy(), 0.85);
      bound.within(
          set.label() + " device of W", peak.writtenMegabytes() / device.writeMegabytes(), 0, 0.7);
    }
    String speeds =
        "The device writes %s and reads %s MB/s."
            .formatted(
                Judgement.show(device.writeMegabytes()), Judgement.show(device.readMegabytes()));
    return List.of(
        rises.claim("SF-RISE", "MB/s rise with the size of objects, up to 1 MB."),
        rates.claim(
            "SF-IO",
            "Objects of 1 MB and more load at 0.85 of the device's rate and are read at 0.75.",
            speeds),
        bound.claim(
            "SF-CPU",
            "E-mails and documents are bound by processors: busy above 0.85, the device below"
                + " 0.7."),
        ratios.claim(
            "SF-RATIO",
            "E-mails are read 1.2 times as fast as they are loaded; large objects as fast.",
            speeds),
        together.claim(
            "SF-WHOLE",
            "Large objects lie together, however many streams load at once: a request of the device"
                + " has 256 KiB or more on average."),
        lying.claim(
            "SF-LIES",
            "However many streams load at once, objects lie in at most one extent for each MiB or"
                + " part of it, for which space is asked at once, and one more for twenty."),
        saturates.claim("SF-SAT", "Larger objects saturate with fewer streams."),
        spread.claim("SF-SPREAD", "Three runs differ by less than a tenth."));
  }

  /** How often space is asked for while an object of a set is stored, on average of those drawn. */
  private double requests(ObjectSet set) {
    long count = runs.size().count(set);
    return (double) set.pieces(count, ContentConfig.DEFAULT.gatherBytes()) / count;
  }

  private double ratio(ObjectSet set) {
    return peak(set, SetStudy::read) / peak(set, SetStudy::load);
  }
}
