package dev.upcall.bench.securefile.study;

import dev.upcall.FileContent;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Statistics;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import dev.upcall.config.KeySource;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The cost of encryption: each work by a plain volume and by an encrypted one, in turns. Each has a
 * process of its own, and both stay until the work's last turn.
 */
final class SealedStudy {
  static final String TITLE = "6. Encrypted volumes";

  private static final long MIB = 1L << 20;
  private static final long MOST_SECONDS = 1800;
  private static final int WARMING = 2;
  private static final int SMALL_BYTES = 4096;
  private static final int DEEP = 32;
  private static final int DEEP_CREATES = 64;
  private static final int ROTATIONS = 5;
  private static final int FILES_BETWEEN = 200;
  private static final int KEY_BYTES = 32;
  private static final double MOST_ROTATING_SECONDS = 1;
  private static final String CREATES = "creates";

  /** The least that encrypted is to reach of plain. */
  private static final double IN_SEQUENCE = 0.75;

  private static final double COLD = 0.9;
  private static final double CREATED = 0.85;

  /** As fast, within what two equal processes differ by. */
  private static final double WARM = 0.97;

  private final Lab lab;
  private final StudySize size;
  private final Pace pace;
  private final long fileBytes;
  private final Map<Work, Compared> found = new LinkedHashMap<>();

  /**
   * A work that both do.
   *
   * @param title of the row
   * @param job of the worker
   * @param volume whose it is, with a file of so many bytes if there are any
   * @param options of the worker besides
   * @param least the part of the plain one's rate that the encrypted one is to reach
   */
  private record Work(
      String title,
      String job,
      String volume,
      long bytes,
      Map<String, Object> options,
      double least) {}

  /** The results of a process in all its turns. */
  private record Side(List<Double> perSecond, List<Double> cpuMicros) {
    static Side empty() {
      return new Side(new ArrayList<>(), new ArrayList<>());
    }

    double rate() {
      return Statistics.of(perSecond).median();
    }

    double micros() {
      return Statistics.of(cpuMicros).median();
    }
  }

  private record Compared(Side plain, Side encrypted) {
    /** Encrypted over plain of each round. */
    Statistics ratios() {
      return Statistics.of(
          IntStream.range(0, plain.perSecond.size())
              .mapToObj(i -> encrypted.perSecond.get(i) / plain.perSecond.get(i))
              .toList());
    }
  }

  SealedStudy(Lab lab, StudySize size, Pace pace) {
    this.lab = lab;
    this.size = size;
    this.pace = pace;
    fileBytes = (size.decides() ? 1024 : 16) * MIB;
  }

  private static int rounds(StudySize size) {
    return switch (size) {
      case QUICK -> 1;
      case STANDARD -> 4;
      case FULL -> 9;
    };
  }

  private static long runMillis(StudySize size) {
    return size.decides() ? 1500 : 50;
  }

  /** A work's time, its processes' start included. */
  private static double workSeconds(StudySize size) {
    return size.decides() ? 2.0 * (WARMING + rounds(size)) * runMillis(size) / 1e3 + 4 : 3;
  }

  static double seconds(StudySize size) {
    return 8 * workSeconds(size);
  }

  private List<Work> works() {
    long memory = (size.decides() ? 64 : 16) * MIB;
    long warmBytes = (size.decides() ? 64 : 4) * MIB;
    Map<String, Object> reads = Map.of("file", Inputs.FILE, "memory", memory);
    return List.of(
        new Work(
            "MiB written from begin to end",
            "sequential-write",
            "writes",
            0,
            Map.of("bytes", fileBytes, "cap", capBytes(), "anew", 0),
            IN_SEQUENCE),
        new Work(
            "MiB read from begin to end",
            "sequential-read",
            "large",
            fileBytes,
            reads,
            IN_SEQUENCE),
        random("cold reads of 4 KiB, one outstanding", "large", fileBytes, 1, memory, COLD),
        random("cold reads of 4 KiB, 32 outstanding", "large", fileBytes, DEEP, memory, COLD),
        random("warm reads of 4 KiB, 32 outstanding", "small", warmBytes, DEEP, 256 * MIB, WARM),
        creates("durable creates of 4 KiB, one outstanding", 1),
        creates("durable creates of 4 KiB, 64 outstanding", DEEP_CREATES));
  }

  private static Work random(
      String title, String volume, long bytes, int depth, long memory, double least) {
    return new Work(
        title,
        "read",
        volume,
        bytes,
        Map.of("file", Inputs.FILE, "memory", memory, "disk", "RING", "depth", depth),
        least);
  }

  private Work creates(String title, int depth) {
    return new Work(
        title,
        "create",
        CREATES + depth,
        0,
        Map.of("disk", "RING", "depth", depth, "batch", 1, "bytes", SMALL_BYTES, "cap", capBytes()),
        CREATED);
  }

  /** Of what is written; a new volume's log is, too. */
  private long capBytes() {
    return size.decides() ? 0 : 128 * MIB;
  }

  private Path volume(String name, boolean isEncrypted) {
    return lab.scratch().resolve("%s-%s.upcall".formatted(isEncrypted ? "sealed" : "plain", name));
  }

  Section section() throws IOException, InterruptedException {
    Judgement judgement =
        new Judgement(size.decides()).about("rate of encrypted over plain, medians of rounds");
    try {
      for (Work work : works()) {
        pace.step(workSeconds(size), work.title);
        Compared compared = compare(work);
        found.put(work, compared);
        judgement.atLeast(work.title, compared.ratios().median(), work.least);
      }
      pace.step(workSeconds(size), "keys");
      Rotated rotated = rotate();
      judgement.within("seconds for a key", rotated.longestSeconds, 0, MOST_ROTATING_SECONDS);
      return section(judgement, rotated);
    } finally {
      for (Work work : works()) {
        Files.deleteIfExists(volume(work.volume, false));
        Files.deleteIfExists(volume(work.volume, true));
      }
    }
  }

  private Section section(Judgement judgement, Rotated rotated) {
    return Section.of(
            TITLE,
            "The same by an encrypted volume and by a plain one, in turns back and forth, each by a"
                + " process of its own; the file that is read from the device has %,d MiB."
                    .formatted(fileBytes / MIB),
            List.of(
                judgement.claim(
                    "SF-SEALED",
                    "Aim: an encrypted store writes and reads from begin to end at 0.75 of the rate"
                        + " of a plain one, at random from the device at 0.9, creates at 0.85,"
                        + " reads from memory as fast within 3 %, and takes another key within a"
                        + " second.")),
            List.of(),
            List.of(
                Grid.of(
                    "Encrypted beside plain",
                    found.entrySet(),
                    Grid.column("a second", one -> one.getKey().title),
                    Grid.column("plain", one -> Judgement.show(one.getValue().plain.rate())),
                    Grid.column(
                        "encrypted", one -> Judgement.show(one.getValue().encrypted.rate())),
                    Grid.column(
                        "encrypted over plain, least to most",
                        one -> shown(one.getValue().ratios())),
                    Grid.column("CPU us", one -> Judgement.show(one.getValue().plain.micros())),
                    Grid.column(
                        "CPU us, encrypted",
                        one -> Judgement.show(one.getValue().encrypted.micros())))))
        .noting(
            "The store whose key was replaced %d times, each behind %,d new files, had %,d files."
                .formatted(ROTATIONS, FILES_BETWEEN, rotated.files));
  }

  private static String shown(Statistics ratios) {
    return "%s (%s to %s)"
        .formatted(
            Judgement.show(ratios.median()),
            Judgement.show(ratios.least()),
            Judgement.show(ratios.most()));
  }

  private Compared compare(Work work) throws IOException, InterruptedException {
    Compared compared = new Compared(Side.empty(), Side.empty());
    try (WorkerProcess plain = start(work, false);
        WorkerProcess encrypted = start(work, true)) {
      for (int round = -WARMING; round < rounds(size); round++) {
        boolean plainFirst = round % 2 == 0;
        for (boolean isPlain : new boolean[] {plainFirst, !plainFirst}) {
          Side side = round < 0 ? Side.empty() : isPlain ? compared.plain : compared.encrypted;
          turn(isPlain ? plain : encrypted, side);
        }
      }
    }
    return compared;
  }

  private WorkerProcess start(Work work, boolean isEncrypted)
      throws IOException, InterruptedException {
    Path volume = volume(work.volume, isEncrypted);
    if (work.bytes > 0 && !Files.exists(volume)) {
      UpcallConfig config = UpcallConfig.DEFAULT;
      Inputs.volume(lab, volume, work.bytes, isEncrypted ? DeviceChoice.encrypted(config) : config);
    }
    Map<String, Object> options = new LinkedHashMap<>(work.options);
    options.put("volume", volume);
    if (isEncrypted) {
      options.put(DeviceChoice.ENCRYPTED, 1);
    }
    return WorkerProcess.start(lab, work.job, Worker.command(lab, work.job, options), MOST_SECONDS);
  }

  private void turn(WorkerProcess worker, Side side) throws IOException, InterruptedException {
    double cpuSeconds = ProcessCpu.treeSeconds(worker.pid());
    Fields ran = worker.run("millis=" + runMillis(size), MOST_SECONDS);
    double units = ran.number("units");
    side.perSecond.add(units / ran.number("nanos") * 1e9);
    side.cpuMicros.add((ProcessCpu.treeSeconds(worker.pid()) - cpuSeconds) * 1e6 / units);
  }

  private record Rotated(long files, double longestSeconds) {}

  /** Other keys for the store in which files were created, each behind some changes. */
  private Rotated rotate() {
    UpcallConfig config = DeviceChoice.encrypted(UpcallConfig.DEFAULT);
    try (Upcall store = Upcall.open(volume(CREATES + DEEP_CREATES, true), config)) {
      double longest = 0;
      for (int i = 1; i <= ROTATIONS; i++) {
        String folder = "/rotated" + i;
        store.createDirectory(folder);
        store.batch(files(folder));
        byte[] key = new byte[KEY_BYTES];
        key[0] = (byte) i;
        long begin = System.nanoTime();
        store.keys().rotate(KeySource.ofBytes(key));
        longest = Math.max(longest, (System.nanoTime() - begin) / 1e9);
      }
      long[] files = {0};
      store.forEach("/", folder -> store.forEach("/" + folder.name(), _ -> files[0]++));
      return new Rotated(files[0], longest);
    }
  }

  private static List<FileRequest> files(String folder) {
    List<FileRequest> files = new ArrayList<>();
    for (int i = 0; i < FILES_BETWEEN; i++) {
      files.add(
          new FileRequest.Put(
              StorePath.of(folder + "/f" + i),
              new FileContent.Bytes(new byte[SMALL_BYTES]),
              PutOptions.DEFAULT));
    }
    return files;
  }
}
