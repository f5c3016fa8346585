package dev.upcall.bench.report;

import dev.upcall.bench.harness.Lab;
import dev.upcall.specweb.FileSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report's figures 6 and 7: the file manager alone under a closed loop. */
final class FileManagerStudy implements Study {
  private static final double START_SECONDS = 2.5;
  private static final int REWRITE_PERCENT = 10;

  /** The sides by the names that workers know. */
  static final Map<String, String> SIDES = sides();

  private static Map<String, String> sides() {
    Map<String, String> sides = new LinkedHashMap<>();
    sides.put("own", FileManagerClaims.OWN);
    sides.put("shared", FileManagerClaims.SHARED);
    sides.put("threads", FileManagerClaims.THREADS);
    sides.put("virtual", FileManagerClaims.VIRTUAL);
    return java.util.Collections.unmodifiableMap(sides);
  }

  /**
   * One sweep.
   *
   * @param kind what is done
   * @param cores how many
   */
  private record Setting(Kind kind, int cores) {
    String id() {
      return kind.name().toLowerCase(java.util.Locale.ROOT) + "-" + cores;
    }

    String title() {
      return kind.words + (cores == 1 ? ", one core" : ", two cores");
    }
  }

  private enum Kind {
    WARM("warm cache"),
    COLD("cold cache"),
    REWRITE("warm cache, 10 % rewrites");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  @Override
  public String title() {
    return "1. The file manager, figures 6 and 7";
  }

  @Override
  public double seconds(Size size) {
    double seconds = 0;
    for (Setting setting : settings(size)) {
      seconds +=
          SIDES.size() * startSeconds(size)
              + (double) SIDES.size()
                  * loads(size, setting).size()
                  * size.time().repetitions()
                  * sampleSeconds(size);
    }
    return seconds;
  }

  private static double startSeconds(Size size) {
    return START_SECONDS + size.time().warmMillis() / 1e3;
  }

  private static double sampleSeconds(Size size) {
    return size.time().sampleMillis() / 1e3;
  }

  private static List<Setting> settings(Size size) {
    List<Setting> settings = new ArrayList<>();
    settings.add(new Setting(Kind.WARM, 1));
    if (size != Size.TINY) {
      settings.add(new Setting(Kind.WARM, 2));
      settings.add(new Setting(Kind.COLD, 1));
    }
    settings.add(new Setting(Kind.REWRITE, 1));
    if (size.compareTo(Size.STANDARD) >= 0) {
      settings.add(new Setting(Kind.COLD, 2));
      settings.add(new Setting(Kind.REWRITE, 2));
    }
    return settings;
  }

  private static List<Integer> loads(Size size, Setting setting) {
    return setting.kind() == Kind.WARM ? size.load().inFlight() : size.load().fewInFlight();
  }

  @Override
  public Section run(Workbench bench) throws IOException, InterruptedException {
    FileSet set = new FileSet(bench.size().load().directories());
    FileSetVolume volume = FileSetVolume.make(bench.lab().scratch().resolve("set.upcall"), set);
    SweepRun run =
        new SweepRun(bench, bench.size().time().repetitions(), sampleSeconds(bench.size()));
    List<Sweep> sweeps = new ArrayList<>();
    for (Setting setting : settings(bench.size())) {
      sweeps.add(sweep(bench, run, setting, volume));
    }
    Files.delete(volume.original());
    List<String> notes = new ArrayList<>(run.broken());
    notes.add(FileManagerClaims.little(sweeps));
    return new Section(
        title(),
        how(volume, bench.size()),
        FileManagerClaims.of(sweeps),
        sweeps,
        List.of(FileManagerClaims.ratios(sweeps)),
        notes);
  }

  private Sweep sweep(Workbench bench, SweepRun run, Setting setting, FileSetVolume volume)
      throws IOException, InterruptedException {
    List<Side> sides = new ArrayList<>();
    try {
      for (Map.Entry<String, String> side : SIDES.entrySet()) {
        bench
            .pace()
            .step(startSeconds(bench.size()), setting.title() + "; starting " + side.getValue());
        sides.add(start(bench.lab(), setting, side, volume));
      }
      return run.run(
          setting.id(),
          "File manager, " + setting.title(),
          new Sweep.Words("in flight", "cycles"),
          sides,
          loads(bench.size(), setting));
    } finally {
      sides.forEach(Side::close);
    }
  }

  private static Side start(
      Lab lab, Setting setting, Map.Entry<String, String> side, FileSetVolume volume)
      throws IOException, InterruptedException {
    Path copy = volume.copy(side.getKey());
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("volume", copy);
    options.put("directories", volume.set().directories());
    options.put(
        "memory",
        setting.kind() == Kind.COLD ? volume.coldMemoryBytes() : volume.warmMemoryBytes());
    options.put("disk", "AUTO");
    options.put("disk-threads", DiskStudy.POOL_THREADS);
    options.put("rewrite", setting.kind() == Kind.REWRITE ? REWRITE_PERCENT : 0);
    options.put("warm", setting.kind() != Kind.COLD);
    options.put("side", side.getKey());
    return CycleSide.start(side.getValue(), lab, setting.cores() == 1 ? "0" : "0,1", options);
  }

  private static String how(FileSetVolume volume, Size size) {
    long mib = 1L << 20;
    return ("A closed loop keeps a number of cycles in flight: open a file, read it whole into an"
            + " array of the application, close it, and begin the next at once; files are drawn as"
            + " SPECweb96 does, from %d directories (%d MiB; 14,566 bytes on average). State"
            + " machines: the application has one thread of its own and a passive completion port"
            + " (as in the report), or runs on the store's thread. Threads: as many platform or"
            + " virtual threads as cycles, each of which calls the same store's engine of threads"
            + " and waits. Warm: %d MiB of memory, all files read once before. Cold: %d MiB,"
            + " emptied at the start. Rewrites: a cycle in ten puts the file anew and ends when it"
            + " is durable. One core: the whole JVM, compiler and collector included, is confined"
            + " to it. %d samples of %.2f s each, taken in turn; figures are medians.")
        .formatted(
            volume.set().directories(),
            volume.set().totalBytes() / mib,
            volume.warmMemoryBytes() / mib,
            volume.coldMemoryBytes() / mib,
            size.time().repetitions(),
            sampleSeconds(size));
  }
}
