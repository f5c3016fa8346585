package dev.upcall.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.harness.Warmth;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepRunTest {
  @TempDir Path folder;

  private final List<String> moves = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private Pace pace = new Pace(1, 60, nanos::get, _ -> {});
  private Size size = Size.TINY;
  private final StringWriter said = new StringWriter();

  private class Fake implements Side {
    private final String name;
    private final int breaksAt;

    Fake(String name, int breaksAt) {
      this.name = name;
      this.breaksAt = breaksAt;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Warmth warmth() {
      return new Warmth(1, 0, 0, /* steady= */ !name.equals("b"));
    }

    @Override
    public Reading measure(int load) throws IOException {
      moves.add(name + load);
      if (load == breaksAt) {
        throw new IOException("out of memory");
      }
      return Made.reading(load, 1000);
    }

    @Override
    public void close() {
      moves.add(name + " closed");
    }
  }

  private static SweepRun.Course course(Integer... loads) {
    return new SweepRun.Course("s", "t", Made.WORDS, List.of(loads), _ -> 2);
  }

  private interface Task {
    void run(Workbench bench) throws Exception;
  }

  private void inLab(Task task) throws Exception {
    try (Lab lab = new Lab(new Settings(2, 10, 0, true, folder), new PrintWriter(said))) {
      task.run(new Workbench(lab, size, pace));
    }
  }

  @Test
  void samplesAreTakenNextToEachOther() throws Exception {
    inLab(
        bench -> {
          SweepRun run = new SweepRun(bench);
          Sweep sweep = run.run(course(1, 5), List.of(new Fake("a", 0), new Fake("b", 0)));
          assertEquals(List.of("a1", "b1", "a5", "b5", "b1", "a1", "b5", "a5"), moves);
          assertEquals(List.of("a", "b"), sweep.sides());
          assertFalse(sweep.isDoubtful(sweep.at("a", 5).orElseThrow()));
          assertTrue(sweep.isDoubtful(sweep.at("b", 5).orElseThrow()), "it was not steady");
          assertEquals(2, sweep.at("a", 5).orElseThrow().readings().size());
          assertEquals(List.of(), run.notes());
        });
  }

  @Test
  void theOthersGoOnWithoutASideThatBreaks() throws Exception {
    inLab(
        bench -> {
          SweepRun run = new SweepRun(bench);
          Sweep sweep = run.run(course(1, 5), List.of(new Fake("a", 5), new Fake("b", 0)));
          assertEquals(List.of("a1", "b1", "a5", "a closed", "b5", "b1", "b5"), moves);
          assertEquals(1, sweep.at("a", 1).orElseThrow().readings().size());
          assertTrue(sweep.at("a", 5).isEmpty());
          assertTrue(run.notes().getFirst().startsWith("t, 5 in flight: a broke"));
          assertTrue(run.notes().getFirst().endsWith("out of memory"));
        });
  }

  @Test
  void aSampleInWhichNothingWasDoneIsTakenOnceMore() throws Exception {
    inLab(
        bench -> {
          SweepRun run = new SweepRun(bench);
          Side a =
              new Fake("a", 0) {
                @Override
                public Reading measure(int load) throws IOException {
                  Reading taken = super.measure(load);
                  return moves.size() == 3 ? Made.reading(load, 0) : taken;
                }
              };
          Sweep sweep = run.run(course(1, 5), List.of(a));
          assertEquals(List.of("a1", "a5", "a1", "a1", "a5"), moves);
          assertEquals(1000, sweep.at("a", 1).orElseThrow().readings().get(1).perSecond());
          assertEquals(
              List.of("t, 1 in flight: a did nothing in sample 2, which was taken once more."),
              run.notes());
        });
  }

  @Test
  void aSideThatBrokeIsNotMeasuredOnceMore() throws Exception {
    inLab(
        bench -> {
          SweepRun run = new SweepRun(bench);
          Fake a = new Fake("a", 5);
          Fake b = new Fake("b", 0);
          run.run(course(5), List.of(a, b));
          assertTrue(run.hasBroken(a));
          assertFalse(run.hasBroken(b));
          moves.clear();
          Sweep next = run.run(course(1), List.of(a, b));
          assertEquals(List.of("b1", "b1"), moves);
          assertEquals(List.of("b"), next.sides());
          assertEquals(1, run.notes().size());
        });
  }

  @Test
  void whoIsStoppedMeasuresNothingMore() throws Exception {
    inLab(
        bench -> {
          Side stops =
              new Side() {
                @Override
                public String name() {
                  return "stops";
                }

                @Override
                public Warmth warmth() {
                  return new Warmth(1, 0, 0, /* steady= */ true);
                }

                @Override
                public Reading measure(int load) throws IOException {
                  bench.lab().close();
                  throw new IOException("killed");
                }

                @Override
                public void close() {}
              };
          SweepRun run = new SweepRun(bench);
          List<Side> sides = List.of(stops, new Fake("b", 0));
          assertThrows(IOException.class, () -> run.run(course(1), sides));
          assertEquals(List.of(), moves);
        });
  }

  @Test
  void whoIsLateTakesFewerSamplesAndSaysSo() throws Exception {
    size = Size.FULL;
    int all = size.time().repetitions();
    int fewest = SweepRun.FEWEST_REPETITIONS;
    assertTrue(all > fewest);
    // Each sample takes three seconds instead of the two that were planned.
    Side slow =
        new Fake("a", 0) {
          @Override
          public Reading measure(int load) throws IOException {
            nanos.addAndGet(3_000_000_000L);
            return super.measure(load);
          }
        };
    inLab(
        bench -> {
          SweepRun run = new SweepRun(bench);
          Sweep inTime = run.run(course(1), List.of(slow));
          assertEquals(all, inTime.at("a", 1).orElseThrow().readings().size());
          assertEquals(List.of(), run.notes());
        });
    pace = new Pace(2.0 * all, 2.0 * all + fewest - 1, nanos::get, _ -> {});
    inLab(
        bench -> {
          SweepRun run = new SweepRun(bench);
          Sweep late = run.run(course(1), List.of(slow));
          assertEquals(fewest, late.at("a", 1).orElseThrow().readings().size());
          assertEquals(
              List.of("t: the run was late, so 5 samples of each point were taken and not 7."),
              run.notes());
          assertFalse(pace.isLate(), "what was left out is not waited for");
        });
  }

  @Test
  void theTimeLeftFollowsThePace() {
    List<String> words = new ArrayList<>();
    pace = new Pace(100, 1000, nanos::get, words::add);
    pace.step(10, "first");
    nanos.addAndGet(1_000_000_000L);
    pace.step(0, "not told: too soon");
    nanos.addAndGet(19_000_000_000L);
    pace.step(10, "second");
    nanos.addAndGet(980_000_000_000L);
    pace.step(10, "third");
    assertEquals(
        List.of(
            "  0 %, about 2 min left: first",
            " 10 %, about 3 min left: second", " 20 %, about 54 min left: third"),
        words);
  }
}
