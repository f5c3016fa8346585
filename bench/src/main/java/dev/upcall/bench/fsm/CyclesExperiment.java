package dev.upcall.bench.fsm;

import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Latencies;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.report.FileSetVolume;
import dev.upcall.bench.report.Reading;
import dev.upcall.specweb.FileSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One point of the report's first figure by itself: open, read and close of files that are in
 * memory, 50 in flight, on one core and on two. State machines with the application on their
 * thread, on one of its own, and on as many threads as cycles; against the engine of threads.
 */
public final class CyclesExperiment implements Experiment {
  private static final int IN_FLIGHT = 50;
  private static final double PLATFORM_AIM = 1.5;
  private static final double VIRTUAL_AIM = 1.2;
  private static final double BEST_AIM = 1;
  private static final Figure.Kind KIND = Figure.Kind.PER_SECOND;

  /**
   * A side.
   *
   * @param job its name on the worker's command line
   */
  private record Way(String name, Role role, String job) {}

  private static final Way PLATFORM = new Way("engine of platform threads", Role.PEER, "threads");
  private static final Way VIRTUAL = new Way("engine of virtual threads", Role.PEER, "virtual");
  private static final List<Way> WAYS =
      List.of(
          new Way("upcall, shared thread", Role.OURS, "shared"),
          new Way("upcall, own thread", Role.OURS, "own"),
          new Way("upcall, platform threads", Role.OURS, "callers"),
          new Way("upcall, virtual threads", Role.OURS, "virtual-callers"),
          PLATFORM,
          VIRTUAL);

  @Override
  public String name() {
    return "cycles";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    FileSet set = new FileSet((int) lab.settings().either(1, 20));
    FileSetVolume volume = FileSetVolume.make(lab.scratch().resolve("cycles.upcall"), set);
    Figure figure = Figure.perSecond("cycles");
    return List.of(
        comparison(
            volume,
            "one core",
            Integer.toString(Cores.SERVER),
            figure
                .aimingAt(Aim.ratio(KIND, PLATFORM_AIM).beside(PLATFORM.name()))
                .aimingAt(Aim.ratio(KIND, VIRTUAL_AIM).beside(VIRTUAL.name()))),
        comparison(
            volume,
            "two cores",
            Cores.ALL,
            figure.aimingAt(Aim.ratio(KIND, BEST_AIM).ofBest().beside(VIRTUAL.name()))));
  }

  private Comparison comparison(FileSetVolume volume, String words, String cores, Figure figure) {
    List<Entrant> entrants = new ArrayList<>();
    for (Way way : WAYS) {
      entrants.add(new Entrant(way.name(), way.role(), lab -> start(lab, volume, way, cores)));
    }
    return new Comparison(
        name(),
        "open, read, close of %d MiB of files in memory, %d in flight, %s"
            .formatted(volume.set().totalBytes() >> 20, IN_FLIGHT, words),
        figure,
        entrants);
  }

  private static Running start(Lab lab, FileSetVolume volume, Way way, String cores)
      throws IOException, InterruptedException {
    Map<String, ?> options =
        Map.of(
            "volume", volume.copy("cycles-" + way.job()),
            "directories", volume.set().directories(),
            "disk", "AUTO",
            "disk-threads", DiskStudy.POOL_THREADS,
            "side", way.job());
    CycleSide side = CycleSide.start(way.name(), lab, cores, options);
    try {
      Map<String, ?> order = Map.of("memory", volume.warmMemoryBytes(), "warm", true, "rewrite", 0);
      side.warm(
          new CycleSide.Use(order, List.of(IN_FLIGHT), lab.settings().runMillis()),
          lab.settings().warmMillis());
    } catch (IOException | InterruptedException | RuntimeException broken) {
      side.close();
      throw broken;
    }
    return new Cycling(side);
  }

  private record Cycling(CycleSide side) implements Running {
    @Override
    public Sample measure() throws IOException, InterruptedException {
      Reading reading = side.measure(IN_FLIGHT);
      return new Sample(
          reading.units(),
          reading.seconds(),
          reading.cpuSeconds(),
          Latencies.of(reading.response().p50(), reading.response().p99()));
    }

    @Override
    public void close() {
      side.close();
    }
  }
}
