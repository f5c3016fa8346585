package dev.upcall.bench.experiment;

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
 * Warm GETs of 8 KiB, served by the store's thread and by two in front of it, and by nginx with one
 * worker and with two. All run on the same cores, their load on one of these when there are no
 * more: what a request costs shows in processor time, what is answered in a second only where the
 * load has a core of its own.
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
    HttpExperiment.Site site =
        HttpExperiment.Site.of(lab, "http-threads", files, HttpExperiment.SMALL_BYTES);
    Wrk load = Wrk.gets(lab, CONNECTIONS, site.paths()).from(lab.cores().besideAll());
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
    return List.of(
        new Comparison(
                name(),
                "GET of 8 KiB, warm, %d connections, by one thread and by two"
                    .formatted(CONNECTIONS),
                Figure.perCpuSecond("requests")
                    .aimingAt(
                        Aim.ratio(Figure.Kind.PER_CPU_SECOND, AIM)
                            .of(ours.getLast().name())
                            .beside(ours.getFirst().name())),
                all)
            .in(new Curve("Throughput over threads", "threads", points)));
  }
}
