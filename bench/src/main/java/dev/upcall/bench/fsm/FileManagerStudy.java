package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.FileSetVolume;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.report.Side;
import dev.upcall.bench.report.Size;
import dev.upcall.bench.report.Study;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.SweepRun;
import dev.upcall.bench.report.Workbench;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report's figures 6 and 7: the file manager alone under a closed loop. */
final class FileManagerStudy implements Study {
  /** What an order takes besides its sample: looks at the process, and cycles that end late. */
  private static final double ORDER_SECONDS = 0.04;

  private static final int REWRITE_PERCENT = 10;
  private static final int MOST_CORES = 2;

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

  private enum Kind {
    WARM("warm cache"),
    REWRITE("warm cache, 10 % rewrites"),
    COLD("cold cache");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String id(int cores) {
      return name().toLowerCase(Locale.ROOT) + "-" + cores;
    }

    String title(int cores) {
      return words + (cores == 1 ? ", one core" : ", two cores");
    }

    List<Integer> loads(Size size) {
      return this == WARM ? size.load().inFlight() : size.load().fewInFlight();
    }

    int sampleMillis(Size size) {
      return this == REWRITE ? size.load().rewrites().sampleMillis() : size.time().sampleMillis();
    }

    int warmMillis(Size size) {
      return switch (this) {
        case WARM -> size.time().warmMillis();
        case REWRITE -> size.load().rewrites().warmMillis();
        case COLD -> size.time().warmAgainMillis();
      };
    }

    /** The longest warm-up of a side, all in all. */
    double warmSeconds(Size size) {
      double passes = loads(size).size() * CycleSide.PASS_SECONDS;
      double opening = this == WARM ? Workbench.startSeconds(size) : Workbench.openSeconds(size);
      return opening + passes + warmMillis(size) / 1e3;
    }

    SweepRun.Course course(Size size, int cores) {
      double seconds = sampleMillis(size) / 1e3 + ORDER_SECONDS;
      return new SweepRun.Course(
          id(cores),
          "File manager, " + title(cores),
          new Sweep.Words("in flight", "cycles"),
          loads(size),
          _ -> seconds);
    }

    Map<String, Object> order(FileSetVolume volume) {
      Map<String, Object> order = new LinkedHashMap<>();
      order.put("memory", this == COLD ? volume.coldMemoryBytes() : volume.warmMemoryBytes());
      order.put("warm", this != COLD);
      order.put("rewrite", this == REWRITE ? REWRITE_PERCENT : 0);
      return order;
    }
  }

  /** What is done with so many cores; the processes stay, and the first kind warms them up. */
  private static List<Kind> kinds(Size size, int cores) {
    if (size.compareTo(Size.STANDARD) >= 0) {
      return List.of(Kind.values());
    }
    List<Kind> few = size == Size.TINY ? List.of(Kind.WARM, Kind.REWRITE) : List.of(Kind.values());
    return cores == 1 ? few : List.of();
  }

  @Override
  public String title() {
    return "1. The file manager, figures 6 and 7";
  }

  @Override
  public double seconds(Size size) {
    double seconds = 0;
    for (int cores = 1; cores <= MOST_CORES; cores++) {
      for (Kind kind : kinds(size, cores)) {
        seconds +=
            SIDES.size() * kind.warmSeconds(size)
                + size.time().repetitions() * kind.course(size, cores).seconds(SIDES.size());
      }
    }
    return seconds;
  }

  @Override
  public Section run(Workbench bench) throws IOException, InterruptedException {
    FileSetVolume volume = bench.volume();
    SweepRun run = new SweepRun(bench);
    List<Sweep> sweeps = new ArrayList<>();
    for (int cores = 1; cores <= MOST_CORES; cores++) {
      List<Kind> kinds = kinds(bench.size(), cores);
      if (!kinds.isEmpty()) {
        sweeps(bench, run, cores, kinds, sweeps);
      }
    }
    List<String> notes = new ArrayList<>(run.notes());
    notes.add(FileManagerClaims.little(sweeps));
    List<Claim> claims = new ArrayList<>(FileManagerClaims.of(sweeps));
    claims.add(CarrierClaims.of(sweeps));
    return new Section(
        title(),
        how(volume, bench.size()),
        claims,
        sweeps,
        List.of(FileManagerClaims.ratios(sweeps), CarrierClaims.grid(sweeps)),
        notes);
  }

  private static void sweeps(
      Workbench bench, SweepRun run, int cores, List<Kind> kinds, List<Sweep> sweeps)
      throws IOException, InterruptedException {
    FileSetVolume volume = bench.volume();
    Map<String, CycleSide> sides = new LinkedHashMap<>();
    try {
      for (Kind kind : kinds) {
        for (Map.Entry<String, String> side : SIDES.entrySet()) {
          String words = kind.title(cores) + "; warming up " + side.getValue();
          bench.pace().step(kind.warmSeconds(bench.size()), words);
          if (kind == kinds.getFirst()) {
            sides.put(side.getKey(), start(bench.lab(), cores, side, volume));
          }
          CycleSide process = sides.get(side.getKey());
          if (process == null || run.hasBroken(process)) {
            continue;
          }
          try {
            process.warm(
                new CycleSide.Use(
                    kind.order(volume), kind.loads(bench.size()), kind.sampleMillis(bench.size())),
                kind.warmMillis(bench.size()));
          } catch (IOException failed) {
            run.leaveOut(kind.title(cores), process, failed);
          }
        }
        sweeps.add(run.run(kind.course(bench.size(), cores), List.copyOf(sides.values())));
      }
    } finally {
      sides.values().forEach(Side::close);
    }
  }

  private static CycleSide start(
      Lab lab, int cores, Map.Entry<String, String> side, FileSetVolume volume)
      throws IOException, InterruptedException {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("volume", volume.copy(side.getKey()));
    options.put("directories", volume.set().directories());
    options.put("disk", "AUTO");
    options.put("disk-threads", DiskStudy.POOL_THREADS);
    options.put("side", side.getKey());
    return CycleSide.start(side.getValue(), lab, cores == 1 ? "0" : Cores.ALL, options);
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
            + " to it once it is warm. %d samples of %.2f s each, with rewrites of %.2f s, taken in"
            + " turn; figures are medians.")
        .formatted(
            volume.set().directories(),
            volume.set().totalBytes() / mib,
            volume.warmMemoryBytes() / mib,
            volume.coldMemoryBytes() / mib,
            size.time().repetitions(),
            Kind.WARM.sampleMillis(size) / 1e3,
            Kind.REWRITE.sampleMillis(size) / 1e3);
  }
}
