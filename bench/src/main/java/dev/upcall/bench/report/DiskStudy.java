package dev.upcall.bench.report;

import dev.upcall.bench.harness.Lab;
import dev.upcall.specweb.FileSet;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** True asynchronous I/O against a pool of threads that play it, as the report had to. */
final class DiskStudy implements Study {
  /** The report's pool. */
  static final int POOL_THREADS = 60;

  private static final double START_SECONDS = 2.5;
  private static final List<Integer> CORES = List.of(1, 2);

  @Override
  public String title() {
    return "5. True against fake asynchronous I/O";
  }

  @Override
  public double seconds(Size size) {
    return cores(size).size()
        * 2.0
        * (START_SECONDS
            + size.time().warmMillis() / 1e3
            + size.load().fewInFlight().size()
                * size.time().repetitions()
                * size.time().sampleMillis()
                / 1e3);
  }

  private static List<Integer> cores(Size size) {
    return size.compareTo(Size.STANDARD) < 0 ? List.of(1) : CORES;
  }

  @Override
  public Section run(Workbench bench) throws IOException, InterruptedException {
    FileSet set = new FileSet(bench.size().load().directories());
    FileSetVolume volume = FileSetVolume.make(bench.lab().scratch().resolve("disk.upcall"), set);
    Size.Time time = bench.size().time();
    SweepRun run = new SweepRun(bench, time.repetitions(), time.sampleMillis() / 1e3);
    List<Sweep> sweeps = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (int cores : cores(bench.size())) {
      List<Side> sides = new ArrayList<>();
      try {
        start(bench, "RING", DiskClaims.RING, cores, volume, sides);
        start(bench, "CHANNEL", DiskClaims.POOL, cores, volume, sides);
        sweeps.add(
            run.run(
                "disk-" + cores,
                "Cold reads, " + (cores == 1 ? "one core" : "two cores"),
                new Sweep.Words("in flight", "cycles"),
                sides,
                bench.size().load().fewInFlight()));
      } finally {
        sides.forEach(Side::close);
      }
    }
    Files.delete(volume.original());
    notes.addAll(run.broken());
    notes.add(FileManagerClaims.little(sweeps));
    return new Section(
        title(),
        ("The cycles of experiment 1 with %d MiB of memory for %d MiB of files, by state machines"
                + " with the application on its own thread; the disk behind them is once the"
                + " kernel's ring (io_uring), once a pool of %d threads over FileChannel. Both"
                + " read directly, past the page cache.")
            .formatted(volume.coldMemoryBytes() >> 20, set.totalBytes() >> 20, POOL_THREADS),
        DiskClaims.of(sweeps),
        sweeps,
        List.of(),
        notes);
  }

  private static void start(
      Workbench bench, String disk, String name, int cores, FileSetVolume volume, List<Side> sides)
      throws IOException, InterruptedException {
    bench.pace().step(START_SECONDS + bench.size().time().warmMillis() / 1e3, "starting " + name);
    Lab lab = bench.lab();
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("volume", volume.copy(disk));
    options.put("directories", volume.set().directories());
    options.put("memory", volume.coldMemoryBytes());
    options.put("disk", disk);
    options.put("disk-threads", POOL_THREADS);
    options.put("rewrite", 0);
    options.put("warm", false);
    options.put("side", "own");
    sides.add(CycleSide.start(name, lab, cores == 1 ? "0" : "0,1", options));
  }
}
