package dev.upcall.bench.report;

import dev.upcall.bench.harness.Warmth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToDoubleFunction;

/**
 * Measures sides over a rising load. Samples of all sides at a load are taken next to each other,
 * each time beginning with another side, and all of that again and again, so that whatever changes
 * on the machine meets all of them. A side that breaks is closed at once and left out from there
 * on, by whatever else the same run measures too. A sample in which a side did nothing is taken
 * once more.
 */
public final class SweepRun {
  /** So many samples of each point are taken however late it is: fewer decide nothing. */
  static final int FEWEST_REPETITIONS = 5;

  private final Workbench bench;
  private final List<String> notes = new ArrayList<>();
  private final Set<Side> broken = Collections.newSetFromMap(new IdentityHashMap<>());

  /** For the sweeps of a study. */
  public SweepRun(Workbench bench) {
    this.bench = bench;
  }

  /**
   * What is measured.
   *
   * @param id of the sweep
   * @param title of the sweep
   * @param words of the sweep
   * @param loads rising
   * @param secondsAt what a sample takes at a load, all in all
   */
  public record Course(
      String id,
      String title,
      Sweep.Words words,
      List<Integer> loads,
      IntToDoubleFunction secondsAt) {
    /** What one repetition is thought to take. */
    public double seconds(int sides) {
      return sides * loads.stream().mapToDouble(secondsAt::applyAsDouble).sum();
    }
  }

  /** What broke or was left out, for the notes of the section. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * Closes a side that broke and takes note of it.
   *
   * @throws IOException the failure, when it is the user who ended it
   */
  public void leaveOut(String where, Side side, IOException failed) throws IOException {
    broken.add(side);
    side.close();
    if (bench.lab().isStopped()) {
      throw failed;
    }
    note(
        "%s: %s broke and is left out from there on: %s"
            .formatted(where, side.name(), failed.getMessage()));
  }

  /** Whether a side broke: it is closed, and not measured any more. */
  public boolean hasBroken(Side side) {
    return broken.contains(side);
  }

  private void note(String words) {
    notes.add(words);
    bench.lab().say("%s", words);
  }

  /** The points of all sides that have not broken before, by side and load. */
  public Sweep run(Course course, List<? extends Side> all)
      throws IOException, InterruptedException {
    int repetitions = bench.size().time().repetitions();
    List<Side> sides = new ArrayList<>(all);
    sides.removeIf(this::hasBroken);
    Map<Side, Map<Integer, List<Reading>>> readings = new LinkedHashMap<>();
    sides.forEach(side -> readings.put(side, new LinkedHashMap<>()));
    for (int repetition = 0; repetition < repetitions; repetition++) {
      if (repetition >= FEWEST_REPETITIONS && bench.pace().isLate()) {
        bench.pace().skip((repetitions - repetition) * course.seconds(sides.size()));
        note(
            "%s: the run was late, so %d samples of each point were taken and not %d."
                .formatted(course.title(), repetition, repetitions));
        break;
      }
      for (int load : course.loads()) {
        List<Side> turn = new ArrayList<>(sides);
        turn.removeIf(this::hasBroken);
        Collections.rotate(turn, -repetition);
        for (Side side : turn) {
          measure(course, load, repetition, side, readings);
        }
      }
    }
    List<Point> points = new ArrayList<>();
    readings.forEach(
        (side, byLoad) ->
            byLoad.forEach((load, some) -> points.add(new Point(side.name(), load, some))));
    Map<String, Warmth> warmths = new LinkedHashMap<>();
    sides.forEach(side -> warmths.put(side.name(), side.warmth()));
    return new Sweep(course.id(), course.title(), course.words(), points, warmths);
  }

  private void measure(
      Course course,
      int load,
      int repetition,
      Side side,
      Map<Side, Map<Integer, List<Reading>>> readings)
      throws IOException, InterruptedException {
    bench
        .pace()
        .step(
            course.secondsAt().applyAsDouble(load),
            "%s; %d %s, sample %d of %d"
                .formatted(
                    course.title(),
                    load,
                    course.words().load(),
                    repetition + 1,
                    bench.size().time().repetitions()));
    try {
      Reading reading = side.measure(load);
      if (reading.units() == 0) {
        // A machine that the host stops looks like that, but so does a server that has hung.
        note(
            "%s, %d %s: %s did nothing in sample %d, which was taken once more."
                .formatted(
                    course.title(), load, course.words().load(), side.name(), repetition + 1));
        reading = side.measure(load);
      }
      readings
          .computeIfAbsent(side, _ -> new LinkedHashMap<>())
          .computeIfAbsent(load, _ -> new ArrayList<>())
          .add(reading);
    } catch (IOException failed) {
      leaveOut("%s, %d %s".formatted(course.title(), load, course.words().load()), side, failed);
    }
  }
}
