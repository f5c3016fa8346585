package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Server;
import dev.upcall.bench.entrant.Wrk;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Curve;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Warm GETs of 8 KiB, which HTTP threads answer alone, and of 1 MiB, for which they ask the store's
 * thread; by the store's thread and by two in front of it, and by nginx with one worker and with
 * two. All run on the same cores, their load on one of these when there are no more: what a request
 * costs shows in processor time, what is answered in a second only where the load has a core of its
 * own.
 */
public final class HttpThreadsExperiment implements Experiment {
  private static final int CONNECTIONS = 64;
  private static final List<Integer> COUNTS = List.of(1, 2);

  /** Processor time of a request may grow by a tenth with one thread more. */
  private static final double AIM = 1 / 1.1;

  @Override
  public String name() {
    return "http-threads";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    int files = (int) lab.settings().either(10, 200);
    int largeFiles = (int) lab.settings().either(2, 20);
    HttpExperiment.Site small =
        HttpExperiment.Site.of(lab, "http-threads", files, HttpExperiment.SMALL_BYTES);
    HttpExperiment.Site large =
        HttpExperiment.Site.of(lab, "http-threads-1m", largeFiles, HttpExperiment.LARGE_BYTES);
    return List.of(
        compare(lab, small, "8 KiB", CONNECTIONS, /* isAimed= */ true),
        compare(lab, large, "1 MiB", HttpExperiment.FEW_CONNECTIONS, /* isAimed= */ false));
  }

  private Comparison compare(
      Lab lab, HttpExperiment.Site site, String size, int connections, boolean isAimed)
      throws IOException {
    Wrk load = Wrk.gets(lab, connections, site.paths()).from(lab.cores().besideAll());
    List<Entrant> ours = new ArrayList<>();
    List<Entrant> theirs = new ArrayList<>();
    List<Curve.Point> points = new ArrayList<>();
    for (int count : COUNTS) {
      ours.add(site.by(Server.upcallThreads(site.folder(), count), load));
      theirs.add(site.by(Server.nginxWorkers(site.folder(), count), load));
      points.add(new Curve.Point(ours.getLast().name(), "upcall", count));
      points.add(new Curve.Point(theirs.getLast().name(), "nginx", count));
    }
    List<Entrant> all = new ArrayList<>(ours.reversed());
    all.addAll(theirs.reversed());
    Figure figure = Figure.perCpuSecond("requests");
    Aim aim =
        Aim.ratio(Figure.Kind.PER_CPU_SECOND, AIM)
            .of(ours.getLast().name())
            .beside(ours.getFirst().name());
    return new Comparison(
            name(),
            "GET of %s, warm, %d connections, by one thread and by two"
                .formatted(size, connections),
            isAimed ? figure.aimingAt(aim) : figure,
            all)
        .in(new Curve("Throughput over threads, " + size, "threads", points));
  }
}
