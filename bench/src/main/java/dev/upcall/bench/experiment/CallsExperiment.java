package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.TurnsEntrants;
import dev.upcall.bench.entrant.TurnsEntrants.Side;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.util.List;
import java.util.Map;

/**
 * Durable creates by one platform thread that calls the store and waits, against the same thread
 * that writes a new plain file and syncs it, by turns.
 */
public final class CallsExperiment implements Experiment {
  private static final double AIM = 1.5;

  @Override
  public String name() {
    return "calls";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    Map<String, ?> options =
        Map.of(
            "volume", lab.scratch().resolve("calls.upcall"),
            "directory", lab.scratch().resolve("calls"),
            "cap", Inputs.capBytes(lab));
    return List.of(
        new Comparison(
            name(),
            "create of 4 KiB, durable, by one platform thread that calls and waits",
            Figure.perSecond("creates")
                .aimingAt(Aim.ratio(Figure.Kind.PER_SECOND, AIM).inEachRound()),
            TurnsEntrants.of(
                "calls",
                options,
                List.of(
                    new Side("upcall, blocking facade", Role.OURS, "side=store"),
                    new Side("new file, write, fsync", Role.PEER, "side=plain"),
                    new Side("the same, rename, fsync", Role.PEER, "side=careful")))));
  }
}
