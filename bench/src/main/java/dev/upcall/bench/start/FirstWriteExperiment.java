package dev.upcall.bench.start;

import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * How long a program with a store inside takes from the start of its JVM until its first write of 4
 * KiB is durable; against other embedded stores.
 */
public final class FirstWriteExperiment implements Experiment {
  private static final double NEW_AIM_MILLIS = 600;
  private static final double EXISTING_AIM_MILLIS = 450;
  private static final List<String> PEERS = List.of("mvstore", "rocksdb", "sqlite");

  @Override
  public String name() {
    return "start";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    return List.of(
        comparison("a new store", NEW_AIM_MILLIS, FirstWriteEntrant::ofNew),
        comparison("an existing store", EXISTING_AIM_MILLIS, FirstWriteEntrant::ofExisting));
  }

  private Comparison comparison(
      String what, double aimMillis, BiFunction<String, Role, Entrant> entrant) {
    List<Entrant> entrants =
        Stream.concat(
                Stream.of(entrant.apply(FirstWrite.OURS, Role.OURS)),
                PEERS.stream().map(peer -> entrant.apply(peer, Role.PEER)))
            .toList();
    return new Comparison(
        name(),
        "from the start of a JVM to its first durable write of 4 KiB, " + what,
        Figure.millis("starts").aimingAt(Aim.number(Figure.Kind.MILLIS, aimMillis)),
        entrants);
  }
}
