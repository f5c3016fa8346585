package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.host.Child;
import dev.upcall.bench.host.MissingPeerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContestTest {
  private static final String STOLEN =
      "cpu  10132153 290696 3084719 46828483 16683 0 25195 %d 175628 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n";

  @TempDir Path folder;

  private final StringWriter said = new StringWriter();
  private final List<String> moves = new ArrayList<>();

  private Lab lab() throws IOException {
    return new Lab(new Settings(2, 10, 10, true, folder), new PrintWriter(said));
  }

  private class Fake implements Running {
    private final String name;
    private final double units;

    private Fake(String name, double units) {
      this.name = name;
      this.units = units;
    }

    @Override
    public Sample measure() throws IOException {
      moves.add(name);
      if (units < 0) {
        throw new IOException("broke");
      }
      return Sample.of(units, 1, 1);
    }

    @Override
    public void close() {
      moves.add("-" + name);
    }
  }

  private Entrant fake(String name, Role role, double units) {
    return new Entrant(name, role, _ -> new Fake(name, units));
  }

  private Outcome run(Entrant... entrants) throws IOException, InterruptedException {
    try (Lab lab = lab()) {
      Files.writeString(processors(), STOLEN.formatted(70));
      return new Contest(lab, processors())
          .run(new Comparison("test", "a title", Figure.perSecond("things"), List.of(entrants)));
    }
  }

  private Path processors() {
    return folder.resolve("stat");
  }

  @Test
  void samplesAreTakenInTurn() throws Exception {
    Outcome outcome =
        run(fake("a", Role.OURS, 50), fake("b", Role.PEER, 100), fake("c", Role.CEILING, 200));
    assertEquals(List.of("a", "b", "c", "c", "b", "a", "-a", "-b", "-c"), moves);
    assertEquals(0.5, outcome.ratio(outcome.rows().get(0)));
    assertEquals(1, outcome.ratio(outcome.rows().get(1)));
    assertEquals(2, outcome.ratio(outcome.rows().get(2)));
    assertEquals(1, outcome.lead(outcome.rows().get(0)));
    assertEquals(0.25, outcome.lead(outcome.rows().get(2)));
    assertEquals("", outcome.rows().get(0).note(), "nobody asked what the device wrote");
    assertFalse(outcome.hasFailures());
  }

  @Test
  void whatTheHostTookIsSaid() throws Exception {
    Running robbed =
        new Fake("a", 1) {
          @Override
          public Sample measure() throws IOException {
            // A tenth of a second, in a sample that takes less.
            Files.writeString(processors(), STOLEN.formatted(80));
            return super.measure();
          }
        };
    Outcome outcome = run(new Entrant("a", Role.OURS, _ -> robbed), fake("b", Role.PEER, 1));
    String note = outcome.rows().getFirst().note();
    assertTrue(note.matches("the host took up to [1-9]\\d{2,} % of a core"), note);
    assertEquals("", outcome.rows().get(1).note());
  }

  @Test
  void pairsAreSamplesOfTheSameRound() {
    Comparison comparison =
        new Comparison(
            "test",
            "a title",
            Figure.perSecond("things"),
            List.of(fake("a", Role.OURS, 1), fake("b", Role.PEER, 1)));
    List<Outcome.Row> rows = new ArrayList<>();
    double[][] units = {{10, 40, 90}, {10, 20, 100}};
    for (int i = 0; i < units.length; i++) {
      List<Sample> samples = new ArrayList<>();
      for (double each : units[i]) {
        samples.add(Sample.of(each, 1, 1));
      }
      rows.add(
          new Outcome.Row(
              comparison.entrants().get(i), Outcome.Fate.MEASURED, List.copyOf(samples), ""));
    }
    Outcome outcome = new Outcome(comparison, rows);
    assertEquals(new Statistics(1, 0.9, 2), outcome.pairs(rows.get(1)));
    assertEquals(2, outcome.lead(rows.get(1)), "of the medians");
    assertEquals(new Statistics(1, 1, 1), outcome.pairs(rows.get(0)));
  }

  @Test
  void theRestGoesOnWithoutAMissingPeer() throws Exception {
    Entrant missing =
        new Entrant(
            "nginx",
            Role.PEER,
            _ -> {
              throw new MissingPeerException("apt-get install nginx");
            });
    Outcome outcome = run(fake("a", Role.OURS, 50), missing);
    assertEquals(Outcome.Fate.MISSING, outcome.rows().get(1).fate());
    assertEquals("apt-get install nginx", outcome.rows().get(1).note());
    assertEquals(2, outcome.rows().get(0).samples().size());
    assertTrue(Double.isNaN(outcome.ratio(outcome.rows().get(0))));
    assertFalse(outcome.hasFailures());
    StringWriter text = new StringWriter();
    new Table(new PrintWriter(text)).print(outcome);
    assertTrue(text.toString().contains("missing: apt-get install nginx"), text::toString);
  }

  @Test
  void aProgramMayBeMissedAsLateAsInASample() throws Exception {
    Running withoutLoad =
        new Running() {
          @Override
          public Sample measure() {
            throw new MissingPeerException("apt-get install wrk");
          }

          @Override
          public void close() {
            moves.add("-a");
          }
        };
    Outcome outcome = run(new Entrant("a", Role.OURS, _ -> withoutLoad));
    assertEquals(Outcome.Fate.MISSING, outcome.rows().getFirst().fate());
    assertEquals(List.of("-a"), moves);
    assertFalse(outcome.hasFailures());
  }

  @Test
  void oneThatBreaksHasNoFigure() throws Exception {
    Outcome outcome = run(fake("a", Role.OURS, -1), fake("b", Role.PEER, 100));
    assertEquals(Outcome.Fate.FAILED, outcome.rows().get(0).fate());
    assertTrue(outcome.rows().get(0).samples().isEmpty());
    assertEquals(List.of("a", "-a", "b", "b", "-b"), moves);
    assertTrue(outcome.hasFailures());
  }

  @Test
  void aLabLeavesNothing() throws Exception {
    try (Lab lab = lab()) {
      Files.writeString(lab.scratch().resolve("file"), "x");
      assertEquals("hello\n", lab.run("echo", List.of("/bin/echo", "hello"), 10));
    }
    try (var left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void aChildThatFailsSaysWhy() throws Exception {
    try (Lab lab = lab()) {
      IOException failure = null;
      try {
        lab.run("sh", List.of("/bin/sh", "-c", "echo no such thing >&2; exit 3"), 10);
      } catch (IOException expected) {
        failure = expected;
      }
      assertEquals("sh ended with 3: no such thing", failure == null ? "" : failure.getMessage());
    }
  }

  @Test
  void aChildThatEndsIsNotWaitedFor() throws Exception {
    try (Lab lab = lab()) {
      Child child = lab.start("sh", List.of("/bin/sh", "-c", "echo almost; echo why >&2"));
      String message = "";
      try {
        child.await("ready", 10);
      } catch (IOException ended) {
        message = ended.getMessage();
      }
      assertEquals("sh ended before it said ready: why", message);
      lab.end(child);
    }
  }
}
