package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Cores;
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
import java.util.Map;

/** True asynchronous I/O against a pool of threads that play it, as the report had to. */
final class DiskStudy implements Study {
  /** The report's pool. */
  static final int POOL_THREADS = 60;

  private static final double ORDER_SECONDS = 0.04;
  private static final int SIDES = 2;
  private static final List<Integer> CORES = List.of(1, 2);

  @Override
  public String title() {
    return "5. True against fake asynchronous I/O";
  }

  @Override
  public double seconds(Size size) {
    return cores(size).stream()
        .mapToDouble(
            cores ->
                SIDES * warmSeconds(size)
                    + size.time().repetitions() * course(size, cores).seconds(SIDES))
        .sum();
  }

  private static double warmSeconds(Size size) {
    double passes = size.load().fewInFlight().size() * CycleSide.PASS_SECONDS;
    return Workbench.startSeconds(size) + passes + size.time().warmMillis() / 1e3;
  }

  private static SweepRun.Course course(Size size, int cores) {
    double seconds = size.time().sampleMillis() / 1e3 + ORDER_SECONDS;
    return new SweepRun.Course(
        "disk-" + cores,
        "Cold reads, " + (cores == 1 ? "one core" : "two cores"),
        new Sweep.Words("in flight", "cycles"),
        size.load().fewInFlight(),
        _ -> seconds);
  }

  private static List<Integer> cores(Size size) {
    return size.compareTo(Size.STANDARD) < 0 ? List.of(1) : CORES;
  }

  @Override
  public Section run(Workbench bench) throws IOException, InterruptedException {
    FileSetVolume volume = bench.volume();
    SweepRun run = new SweepRun(bench);
    List<Sweep> sweeps = new ArrayList<>();
    for (int cores : cores(bench.size())) {
      List<Side> sides = new ArrayList<>();
      try {
        start(bench, "RING", DiskClaims.RING, cores, sides);
        start(bench, "CHANNEL", DiskClaims.POOL, cores, sides);
        sweeps.add(run.run(course(bench.size(), cores), sides));
      } finally {
        sides.forEach(Side::close);
      }
    }
    List<String> notes = new ArrayList<>(run.notes());
    notes.add(FileManagerClaims.little(sweeps));
    return new Section(
        title(),
        ("The cycles of experiment 1 with %d MiB of memory for %d MiB of files, by state machines"
                + " with the application on its own thread; the disk behind them is once the"
                + " kernel's ring (io_uring), once a pool of %d threads over FileChannel. Both"
                + " read directly, past the page cache.")
            .formatted(
                volume.coldMemoryBytes() >> 20, volume.set().totalBytes() >> 20, POOL_THREADS),
        DiskClaims.of(sweeps),
        sweeps,
        List.of(),
        notes);
  }

  private static void start(Workbench bench, String disk, String name, int cores, List<Side> sides)
      throws IOException, InterruptedException {
    bench.pace().step(warmSeconds(bench.size()), "warming up " + name);
    FileSetVolume volume = bench.volume();
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("volume", volume.copy(disk));
    options.put("directories", volume.set().directories());
    options.put("disk", disk);
    options.put("disk-threads", POOL_THREADS);
    options.put("side", "own");
    CycleSide side = CycleSide.start(name, bench.lab(), cores == 1 ? "0" : Cores.ALL, options);
    sides.add(side);
    Map<String, Object> order = new LinkedHashMap<>();
    order.put("memory", volume.coldMemoryBytes());
    order.put("warm", false);
    order.put("rewrite", 0);
    Size.Time time = bench.size().time();
    side.warm(
        new CycleSide.Use(order, bench.size().load().fewInFlight(), time.sampleMillis()),
        time.warmMillis());
  }
}
