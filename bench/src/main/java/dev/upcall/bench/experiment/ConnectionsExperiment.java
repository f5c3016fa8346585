package dev.upcall.bench.experiment;

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
 * Warm GETs of 8 KiB from one core over one kept connection to five thousand, all of them active,
 * against nginx. The ceiling is our server with no store behind.
 */
public final class ConnectionsExperiment implements Experiment {
  private static final List<Integer> CONNECTIONS = List.of(1, 16, 64, 256, 1000, 5000);
  private static final List<Integer> FEW = List.of(1, 200);
  private static final double MOST_AIM = 1.1;

  @Override
  public String name() {
    return "connections";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    int files = (int) lab.settings().either(10, 200);
    HttpExperiment.Site site =
        HttpExperiment.Site.of(lab, "connections", files, HttpExperiment.SMALL_BYTES);
    List<Integer> counts = lab.settings().quick() ? FEW : CONNECTIONS;
    List<Comparison> comparisons = new ArrayList<>();
    for (int count : counts) {
      List<Entrant> entrants = HttpExperiment.machines(site, Wrk.gets(lab, count, site.paths()));
      Figure figure = Figure.perCpuSecond("requests");
      comparisons.add(
          new Comparison(
                  name(),
                  "GET of 8 KiB, warm, %,d active connections, one core".formatted(count),
                  count == counts.getLast() ? most(figure) : figure,
                  entrants)
              .in(Curve.at("Throughput over connections", "connections", count, entrants)));
    }
    return comparisons;
  }

  private static Figure most(Figure figure) {
    return figure.aimingAt(MOST_AIM).aimingAt(Aim.ratio(Figure.Kind.P99_MICROS, 1));
  }
}
