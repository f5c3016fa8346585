package dev.upcall.bench.report;

import dev.upcall.bench.harness.Warmth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures sides over a rising load. Samples of all sides at a load are taken next to each other,
 * each time beginning with another side, and all of that again and again, so that whatever changes
 * on the machine meets all of them. A side that breaks is left out from there on.
 */
final class SweepRun {
  private final Workbench bench;
  private final int repetitions;
  private final double secondsEach;
  private final List<String> broken = new ArrayList<>();

  /**
   * For a number of sweeps.
   *
   * @param repetitions samples of each point
   * @param secondsEach what a sample takes, all in all
   */
  SweepRun(Workbench bench, int repetitions, double secondsEach) {
    this.bench = bench;
    this.repetitions = repetitions;
    this.secondsEach = secondsEach;
  }

  /** What broke, for the notes of the section. */
  List<String> broken() {
    return List.copyOf(broken);
  }

  /**
   * Takes note of a side that broke.
   *
   * @throws IOException the failure, when it is the user who ended it
   */
  void leaveOut(String where, String side, IOException failed) throws IOException {
    if (bench.lab().isStopped()) {
      throw failed;
    }
    broken.add(
        "%s: %s broke and is left out from there on: %s"
            .formatted(where, side, failed.getMessage()));
    bench.lab().say("%s", broken.getLast());
  }

  /** The points of all sides, by side and load. Closes no side. */
  Sweep run(String id, String title, Sweep.Words words, List<Side> sides, List<Integer> loads)
      throws IOException, InterruptedException {
    List<Side> going = new ArrayList<>(sides);
    Map<Side, Map<Integer, List<Reading>>> readings = new LinkedHashMap<>();
    sides.forEach(side -> readings.put(side, new LinkedHashMap<>()));
    for (int repetition = 0; repetition < repetitions; repetition++) {
      for (int load : loads) {
        List<Side> turn = new ArrayList<>(going);
        java.util.Collections.rotate(turn, -repetition);
        for (Side side : turn) {
          bench
              .pace()
              .step(
                  secondsEach,
                  "%s; %d %s, sample %d of %d"
                      .formatted(title, load, words.load(), repetition + 1, repetitions));
          try {
            Reading reading = side.measure(load);
            readings
                .computeIfAbsent(side, _ -> new LinkedHashMap<>())
                .computeIfAbsent(load, _ -> new ArrayList<>())
                .add(reading);
          } catch (IOException failed) {
            going.remove(side);
            leaveOut("%s, %d %s".formatted(title, load, words.load()), side.name(), failed);
          }
        }
      }
    }
    List<Point> points = new ArrayList<>();
    readings.forEach(
        (side, byLoad) ->
            byLoad.forEach((load, some) -> points.add(new Point(side.name(), load, some))));
    Map<String, Warmth> warmths = new LinkedHashMap<>();
    sides.forEach(side -> warmths.put(side.name(), side.warmth()));
    return new Sweep(id, title, words, points, warmths);
  }
}
