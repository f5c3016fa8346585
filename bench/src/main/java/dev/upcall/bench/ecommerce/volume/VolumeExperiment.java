package dev.upcall.bench.ecommerce.volume;

import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.entrant.FreshEntrant;
import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The workloads over files of a volume on the device of this machine, one for each table, with
 * memory of a quarter of the tables (but what a store takes at least): from the opening on, and
 * after the same time before. Each sample has a new process and a new volume, of which every page
 * is read back in the end.
 */
public final class VolumeExperiment implements Experiment {
  private static final int PART = 16;
  private static final int TINY_PART = 512;
  private static final int PEAK_MILLIS = 100;

  @Override
  public String name() {
    return "ecommerce-volume";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    List<Comparison> comparisons = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (int mix = 0; mix < kind.mixes().size(); mix++) {
        comparisons.add(comparison(lab, kind, mix));
      }
    }
    return comparisons;
  }

  private Comparison comparison(Lab lab, Workload.Kind kind, int mix) {
    int clients = (int) lab.settings().either(8, Load.HEAVY.clients(kind));
    Mix drawn = kind.mixes().get(mix);
    Map<String, ?> options =
        Map.of(
            "workload", List.of(Workload.Kind.values()).indexOf(kind),
            "mix", mix,
            "clients", clients);
    return new Comparison(
        name(),
        "%s %s, %d clients, files of a volume".formatted(kind.label(), drawn.name(), clients),
        Figure.perSecond("interactions"),
        List.of(
            entrant(lab, "upcall, cold", Role.OURS, options),
            entrant(lab, "upcall, warm", Role.PEER, options)));
  }

  private static Entrant entrant(Lab lab, String name, Role role, Map<String, ?> options) {
    Path volume = lab.scratch().resolve("tables.upcall");
    Map<String, Object> all = new HashMap<>(options);
    all.put("volume", volume);
    all.put("part", lab.settings().either(TINY_PART, PART));
    long millis = lab.settings().runMillis();
    String run = "millis=" + millis;
    FreshEntrant.Part part =
        new FreshEntrant.Part(
            role == Role.OURS ? "" : run, run + " check=1", millis / 1000, PEAK_MILLIS);
    return FreshEntrant.of(name, role, new FreshEntrant.Job("ecommerce-volume", all, volume), part);
  }
}
