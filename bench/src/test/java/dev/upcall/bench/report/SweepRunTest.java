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
  private final StringWriter said = new StringWriter();

  private final class Fake implements Side {
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
      moves.add("closed");
    }
  }

  private interface Task {
    void run(Workbench bench) throws Exception;
  }

  private void inLab(Task task) throws Exception {
    try (Lab lab = new Lab(new Settings(2, 10, 0, true, folder), new PrintWriter(said))) {
      Pace pace = new Pace(1, () -> 0, _ -> {});
      task.run(new Workbench(lab, Size.TINY, pace));
    }
  }

  @Test
  void samplesAreTakenNextToEachOther() throws Exception {
    inLab(
        bench -> {
          SweepRun run = new SweepRun(bench, 2, 0);
          Sweep sweep =
              run.run(
                  "s", "t", Made.WORDS, List.of(new Fake("a", 0), new Fake("b", 0)), List.of(1, 5));
          assertEquals(List.of("a1", "b1", "a5", "b5", "b1", "a1", "b5", "a5"), moves);
          assertEquals(List.of("a", "b"), sweep.sides());
          assertFalse(sweep.isDoubtful(sweep.at("a", 5).orElseThrow()));
          assertTrue(sweep.isDoubtful(sweep.at("b", 5).orElseThrow()), "it was not steady");
          assertEquals(2, sweep.at("a", 5).orElseThrow().readings().size());
          assertEquals(List.of(), run.broken());
        });
  }

  @Test
  void theOthersGoOnWithoutASideThatBreaks() throws Exception {
    inLab(
        bench -> {
          SweepRun run = new SweepRun(bench, 2, 0);
          Sweep sweep =
              run.run(
                  "s", "t", Made.WORDS, List.of(new Fake("a", 5), new Fake("b", 0)), List.of(1, 5));
          assertEquals(List.of("a1", "b1", "a5", "b5", "b1", "b5"), moves);
          assertEquals(1, sweep.at("a", 1).orElseThrow().readings().size());
          assertTrue(sweep.at("a", 5).isEmpty());
          assertTrue(run.broken().getFirst().startsWith("t, 5 in flight: a broke"));
          assertTrue(run.broken().getFirst().endsWith("out of memory"));
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
          SweepRun run = new SweepRun(bench, 2, 0);
          List<Side> sides = List.of(stops, new Fake("b", 0));
          assertThrows(IOException.class, () -> run.run("s", "t", Made.WORDS, sides, List.of(1)));
          assertEquals(List.of(), moves);
        });
  }

  @Test
  void theTimeLeftFollowsThePace() {
    AtomicLong nanos = new AtomicLong();
    List<String> words = new ArrayList<>();
    Pace pace = new Pace(100, nanos::get, words::add);
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
            " 10 %, about 3 min left: second", " 20 %, about 67 min left: third"),
        words);
  }
}
