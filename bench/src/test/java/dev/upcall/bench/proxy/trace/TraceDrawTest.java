package dev.upcall.bench.proxy.trace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A drawn trace is what its configuration says, and its marks are measured rightly. */
class TraceDrawTest {
  private static final TraceConfig SCALED = TraceConfig.paper(1).scaled();

  private static int[] requests(RequestTrace trace) {
    return IntStream.range(0, trace.length()).map(trace::object).toArray();
  }

  @Test
  void aSeed_givesTheSameTraceAgain() {
    RequestTrace one = TraceDraw.draw(SCALED);
    assertArrayEquals(requests(one), requests(TraceDraw.draw(SCALED)));
    int[] other = requests(TraceDraw.draw(TraceConfig.paper(2).scaled()));
    assertNotEquals(List.of(requests(one)), List.of(other));
    assertEquals(52_237, one.firstDay());
    assertEquals(52_237 + 49_566, one.length());
  }

  /** The bands are those of the paper, wider by what a tenth of it scatters more. */
  @Test
  void aTenthOfTheTrace_hasThePapersMarks() {
    TraceMarks marks = TraceMarks.of(TraceDraw.draw(SCALED));
    assertEquals(0.59, marks.hits().secondDay(), 0.02);
    assertEquals(0.74, marks.sizes().smallReferences(), 0.03);
    assertEquals(0.32, marks.crossing().objects(), 0.02);
    assertEquals(0.71, marks.hits().once(), 0.02);
    assertEquals(0.75, marks.locality().alpha(), 0.05);
    assertTrue(marks.locality().shuffledHosts() < 0.05);
    assertTrue(
        marks.locality().recentHosts() > 0.40, () -> "locality " + marks.locality().recentHosts());
  }

  /** Bursts move requests inside a window only: how often each object is asked for stays. */
  @Test
  void aShortTrace_isAPermutationOfItsDraws() {
    TraceConfig config =
        new TraceConfig(
            new TraceConfig.Popularity(0.75, 50), new TraceConfig.Days(300, 200), 3, false, 5);
    RequestTrace trace = TraceDraw.draw(config);
    // The same draws, in the order in which the generator makes them.
    SplittableRandom random = new SplittableRandom(5);
    SplittableRandom sizes = random.split();
    SplittableRandom hosts = random.split();
    random.split();
    SplittableRandom ranks = random.split();
    WeightedDraw host = new WeightedDraw(3, 0.8);
    for (int object = 0; object < 50; object++) {
      assertEquals(ObjectSizes.draw(sizes), trace.sizeBytes(object));
      assertEquals(host.draw(hosts), trace.host(object));
    }
    WeightedDraw rank = new WeightedDraw(50, 0.75);
    int[] drawn = IntStream.range(0, 500).map(i -> rank.draw(ranks)).toArray();
    int[] emitted = requests(trace);
    assertArrayEquals(sorted(drawn, 0, 300), sorted(emitted, 0, 300), "day 1");
    assertArrayEquals(sorted(drawn, 300, 500), sorted(emitted, 300, 500), "day 2");
  }

  private static int[] sorted(int[] of, int from, int to) {
    return IntStream.range(from, to).map(i -> of[i]).sorted().toArray();
  }

  @Test
  void drift_changesWhatIsPopular() {
    TraceConfig config =
        new TraceConfig(
            new TraceConfig.Popularity(0.75, 400),
            new TraceConfig.Days(60_000, 60_000),
            3,
            false,
            5);
    int[] still = requests(TraceDraw.draw(config));
    int[] drifting = requests(TraceDraw.draw(config.drifting()));
    assertArrayEquals(sorted(still, 0, 40_000), sorted(drifting, 0, 40_000), "before the first");
    assertNotEquals(
        IntStream.of(sorted(still, 60_000, 120_000)).boxed().toList(),
        IntStream.of(sorted(drifting, 60_000, 120_000)).boxed().toList());
  }

  @Test
  void stackDistances_agreeWithAListOfServers() {
    SplittableRandom random = new SplittableRandom(3);
    int[] hosts = IntStream.range(0, 3_000).map(i -> random.nextInt(40)).toArray();
    List<Integer> stack = new ArrayList<>();
    int[] within = new int[41];
    for (int host : hosts) {
      int at = stack.indexOf(host);
      for (int most = at + 1; at >= 0 && most < within.length; most++) {
        within[most]++;
      }
      stack.remove(Integer.valueOf(host));
      stack.addFirst(host);
    }
    StackDistances found = StackDistances.of(hosts, 40);
    for (int most = 1; most < within.length; most++) {
      assertEquals(within[most] / 3_000.0, found.shareWithin(most), 1e-12);
    }
  }

  /** By hand: objects of 600, 8,000 and 9,000 bytes. */
  @Test
  void marks_ofATinyTrace() {
    RequestTrace trace =
        RequestTrace.of(3, new int[] {600, 8_000, 9_000}, 0, 1, 1, /* day 2 */ 1, 2, 0, 2, 1);
    TraceMarks marks = TraceMarks.of(trace);
    assertEquals(4.0 / 5, marks.hits().secondDay());
    assertEquals(5.0 / 8, marks.hits().bothDays());
    assertEquals(3, marks.hits().distinct());
    assertEquals(0, marks.hits().once());
    assertEquals(17_600, marks.hits().distinctBytes());
    assertEquals(6.0 / 8, marks.sizes().smallReferences());
    assertEquals(3, marks.sizes().smallFirstDay());
    assertEquals(List.of(0.0, 0.5, 0.0, 0.0, 0.5), marks.sizes().classes());
    assertEquals(0.5, marks.crossing().objects(), "the second begins at 1,024");
    assertEquals(2.0 / 3, marks.crossing().hits(), "it is hit twice, the first once");
    RequestTrace small = trace.smallOnly(8_192);
    assertArrayEquals(new int[] {0, 1, 1, 1, 0, 1}, requests(small));
    assertEquals(3, small.firstDay());
  }

  @Test
  void aTraceFile_hasALineForEachRequest(@TempDir Path folder) throws IOException {
    RequestTrace trace = RequestTrace.of(1, new int[] {600, 9_000}, 1, 0);
    Path file = folder.resolve("trace");
    trace.write(file);
    assertEquals(
        List.of(
            "1 1 http://h00000.example/p0/o0000001 9000",
            "2 2 http://h00000.example/p0/o0000000 600"),
        Files.readAllLines(file));
    assertThrows(FileAlreadyExistsException.class, () -> trace.write(file));
  }
}
