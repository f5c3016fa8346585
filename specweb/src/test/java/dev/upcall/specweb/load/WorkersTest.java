package dev.upcall.specweb.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.draw.FileWeights;
import dev.upcall.specweb.draw.Mix;
import dev.upcall.specweb.draw.Popularity;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Schedules, counts and percentiles of all modes, in virtual time. */
class WorkersTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;
  private static final long SEED = 96;

  private final VirtualLoop loop = new VirtualLoop();
  private final Recorder recorder = new Recorder();

  private static Behaviour behaviour(double thinkMillis, int outstanding) {
    Mix mix = new Mix(new FileSet(10), FileWeights.POISSON5, Popularity.UNIFORM);
    return new Behaviour(mix, thinkMillis, outstanding);
  }

  private List<Worker> start(LoadPoint point, Requester site, Behaviour behaviour) {
    LoadContext context = new LoadContext(loop, site, recorder);
    List<Worker> workers = point.workers(context, behaviour, SEED, 0, 1);
    workers.forEach(worker -> worker.start(0));
    return workers;
  }

  private Reading measure(List<Worker> workers, long warmSeconds, long runSeconds) {
    loop.runUntil(warmSeconds * SECOND);
    recorder.open(loop.nanoTime());
    loop.runUntil((warmSeconds + runSeconds) * SECOND);
    recorder.close(loop.nanoTime());
    workers.forEach(Worker::stop);
    loop.runUntil((warmSeconds + runSeconds + 100) * SECOND);
    return recorder.reading();
  }

  @Test
  void specModeReachesItsRate() {
    StubSite site = new StubSite(loop, MILLI / 10);
    List<Worker> workers = start(new LoadPoint(Mode.SPEC, 100, 10), site, behaviour(0, 10));
    assertEquals(10, workers.size());
    Reading reading = measure(workers, 10, 2_000);
    assertEquals(100, reading.opsPerSecond(), 1);
    assertEquals(0, reading.errors());
    assertTrue(reading.flow().littleResidual() < 0.001, reading.flow() + "");
    assertEquals(0, recorder.outstanding());
  }

  @Test
  void gapsOfEachProcessAreExponential() {
    StubSite site = new StubSite(loop, 1);
    start(new LoadPoint(Mode.SPEC, 10, 1), site, behaviour(0, 10));
    loop.runUntil(2_000 * SECOND);
    double[] gaps = new double[site.sentNanos().size() - 1];
    Arrays.setAll(gaps, i -> site.sentNanos().get(i + 1) - site.sentNanos().get(i));
    Arrays.sort(gaps);
    assertTrue(gaps.length > 19_000, "too few");
    double most = 0;
    for (int i = 0; i < gaps.length; i++) {
      double expected = 1 - Math.exp(-gaps[i] / (SECOND / 10.0));
      most = Math.max(most, Math.abs(expected - (i + 0.5) / gaps.length));
    }
    assertTrue(most < 1.95 / Math.sqrt(gaps.length), "Kolmogorov-Smirnov distance " + most);
  }

  @Test
  void lateProcessCatchesUp() {
    StubSite site = new StubSite(loop, MILLI);
    List<Worker> workers = start(new LoadPoint(Mode.SPEC, 100, 1), site, behaviour(0, 10));
    loop.at(10 * SECOND, () -> site.stallUntil(12 * SECOND));
    Reading reading = measure(workers, 0, 100);
    assertEquals(1, site.most(), "one outstanding at most");
    assertEquals(100, reading.opsPerSecond(), 5);
    // About 200 requests should have been sent during the stall, and they say how late they were.
    assertTrue(reading.percentileMillis(99) > 900, reading.percentileMillis(99) + " ms");
    assertTrue(reading.maxMillis() > 1_900, reading.maxMillis() + " ms");
    // From their real starts all but one were quick.
    assertTrue(reading.operations().meanMillis() < 1.5, reading.operations() + "");
    assertTrue(reading.operations().lateSeconds() > 100, reading.operations() + "");
  }

  @Test
  void stallIsInThePercentilesOfTheOpenStream() {
    int rate = 1_000;
    StubSite site = new StubSite(loop, MILLI / 10);
    List<Worker> workers =
        start(new LoadPoint(Mode.OPEN, rate, 1), site, behaviour(0, Behaviour.MAX_OUTSTANDING));
    loop.at(20 * SECOND, () -> site.stallUntil(21 * SECOND));
    Reading reading = measure(workers, 5, 100);
    assertEquals(rate, reading.opsPerSecond(), rate * 0.01);
    long slow =
        reading.response().getTotalCount() - reading.response().getCountBetweenValues(0, 5 * MILLI);
    // The stall's thousand, and those that queued behind them until they were worked off.
    assertTrue(slow > 0.95 * rate && slow < 1.3 * rate, slow + " slow ones");
    assertTrue(reading.maxMillis() > 990, reading.maxMillis() + " ms");
    assertTrue(site.most() > 0.9 * rate, "the stream did not wait: " + site.most());
    assertTrue(reading.flow().littleResidual() < 0.001, reading.flow() + "");
  }

  @Test
  void openStreamEndsAtItsLimit() {
    StubSite site = new StubSite(loop, MILLI);
    List<Worker> workers = start(new LoadPoint(Mode.OPEN, 2_000, 1), site, behaviour(0, 50));
    Reading reading = measure(workers, 1, 10);
    assertEquals(50, site.most());
    assertEquals(1_000, reading.opsPerSecond(), 10);
    long overflows = reading.faults().get(Fault.OVERFLOW).count();
    assertEquals(10_000, overflows, 500);
    assertEquals(overflows, reading.errors());
  }

  @Test
  void closedLoopKeepsItsClientsInside() {
    StubSite site = new StubSite(loop, MILLI);
    List<Worker> workers = start(new LoadPoint(Mode.CLOSED, 0, 20), site, behaviour(0, 1));
    Reading reading = measure(workers, 1, 10);
    assertEquals(20, site.most());
    assertEquals(1_000, reading.opsPerSecond(), 0.2);
    assertEquals(20, reading.flow().meanOutstanding(), 1e-6);
    assertEquals(20, reading.operations().meanMillis(), 0.01);
    assertTrue(reading.flow().littleResidual() < 1e-3, reading.flow() + "");
  }

  @Test
  void thinkingClientsLeaveRoom() {
    StubSite site = new StubSite(loop, MILLI);
    List<Worker> workers = start(new LoadPoint(Mode.CLOSED, 0, 10), site, behaviour(999, 1));
    Reading reading = measure(workers, 10, 2_000);
    // 10 clients, a second of thought and service each.
    assertEquals(10, reading.opsPerSecond(), 0.3);
  }

  @Test
  void littleLawFailsWhenAnswersAreLost() {
    Requester deaf = (entry, listener) -> {};
    List<Worker> workers = start(new LoadPoint(Mode.CLOSED, 0, 5), deaf, behaviour(0, 1));
    Reading reading = measure(workers, 1, 10);
    assertEquals(5, reading.flow().meanOutstanding(), 1e-9);
    assertEquals(1, reading.flow().littleResidual(), 1e-9);
  }

  @Test
  void errorsAreCountedAndTheirWorkerRests() {
    StubSite site = new StubSite(loop, 1);
    site.answerWith(() -> Answer.wrong(loop.nanoTime(), Fault.STATUS, "status 404"));
    List<Worker> workers = start(new LoadPoint(Mode.CLOSED, 0, 1), site, behaviour(0, 1));
    Reading reading = measure(workers, 1, 10);
    assertEquals(0, reading.operations().count());
    assertEquals(1_000, reading.errors(), 2);
    Reading.Faults faults = reading.faults().get(Fault.STATUS);
    assertTrue(faults.example().startsWith("/file_set/dir"), faults.example());
    assertTrue(faults.example().endsWith("status 404"), faults.example());
  }

  @Test
  void errorOfTheDrainCounts() {
    StubSite site = new StubSite(loop, 2 * SECOND);
    List<Worker> workers = start(new LoadPoint(Mode.CLOSED, 0, 1), site, behaviour(0, 1));
    loop.at(SECOND, () -> site.answerWith(() -> Answer.wrong(0, Fault.TIMEOUT, "late")));
    Reading reading = measure(workers, 0, 1);
    assertEquals(0, reading.operations().count());
    assertEquals(1, reading.errors());
  }

  @Test
  void sameSeedIsTheSameLoad() {
    List<FileSet.Entry> first = entriesOf(SEED);
    assertEquals(first, entriesOf(SEED));
    assertNotEquals(first, entriesOf(SEED + 1));
  }

  private static List<FileSet.Entry> entriesOf(long seed) {
    VirtualLoop loop = new VirtualLoop();
    StubSite site = new StubSite(loop, MILLI);
    new LoadPoint(Mode.SPEC, 100, 5)
        .workers(new LoadContext(loop, site, new Recorder()), behaviour(0, 1), seed, 0, 1)
        .forEach(worker -> worker.start(0));
    loop.runUntil(10 * SECOND);
    return site.entries();
  }

  @Test
  void workersAreTheSameOnAnyNumberOfThreads() {
    LoadContext context = new LoadContext(loop, new StubSite(loop, 1), recorder);
    LoadPoint point = new LoadPoint(Mode.SPEC, 100, 10);
    int all =
        IntStream.range(0, 3)
            .map(i -> point.workers(context, behaviour(0, 1), SEED, i, 3).size())
            .sum();
    assertEquals(10, all);
  }

  @Test
  void pointsAreEvenlySpaced() {
    List<LoadPoint> points = LoadPoint.upTo(Mode.SPEC, 500, 10, 10);
    assertEquals(10, points.size());
    assertEquals(50, points.getFirst().opsPerSecond());
    assertEquals(500, points.getLast().opsPerSecond());
  }

  @Test
  void loadsWithoutMeaningAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new LoadPoint(Mode.SPEC, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> new LoadPoint(Mode.OPEN, Double.NaN, 1));
    assertThrows(IllegalArgumentException.class, () -> new LoadPoint(Mode.SPEC, 2e6, 1));
    assertThrows(IllegalArgumentException.class, () -> new LoadPoint(Mode.CLOSED, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new LoadPoint(Mode.CLOSED, 0, 20_001));
    assertThrows(IllegalArgumentException.class, () -> behaviour(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> behaviour(0, 20_001));
  }

  @Test
  void readingsOfThreadsAddUp() {
    StubSite site = new StubSite(loop, MILLI);
    List<Worker> workers = start(new LoadPoint(Mode.CLOSED, 0, 2), site, behaviour(0, 1));
    Reading one = measure(workers, 1, 10);
    Reading two = Reading.sum(List.of(one, one));
    assertEquals(2 * one.opsPerSecond(), two.opsPerSecond(), 1e-9);
    assertEquals(2 * one.flow().meanOutstanding(), two.flow().meanOutstanding(), 1e-9);
    assertEquals(one.operations().meanMillis(), two.operations().meanMillis(), 1e-9);
    assertEquals(one.percentileMillis(99), two.percentileMillis(99), 1e-9);
    assertEquals(
        2 * one.operations().count(), two.classes().stream().mapToLong(count -> count).sum());
  }
}
