package dev.upcall.specweb.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.client.ClientConfig;
import dev.upcall.specweb.client.StubServer;
import dev.upcall.specweb.client.Target;
import dev.upcall.specweb.client.Transport;
import dev.upcall.specweb.draw.FileWeights;
import dev.upcall.specweb.draw.Mix;
import dev.upcall.specweb.draw.Popularity;
import dev.upcall.specweb.load.Behaviour;
import dev.upcall.specweb.load.Fault;
import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Mode;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole load points against a server on real sockets. */
@Timeout(180)
class LoadTestTest {
  private static final Phases SHORT = new Phases(0.2, 0.6);

  /** Waits, and does something after so many looks. */
  private static final class Onlooker implements Watch {
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger looks = new AtomicInteger();
    private final int after;
    private final Runnable then;

    /** Asks for the end after so many looks. */
    Onlooker(int endAfter) {
      this.after = endAfter;
      this.then = stopped::countDown;
    }

    Onlooker(int after, Runnable then) {
      this.after = after;
      this.then = then;
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
      return !stopped.await(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void progress(LoadPoint point, Standing standing) {
      if (looks.incrementAndGet() == after) {
        then.run();
      }
    }
  }

  /** Nothing is late, however long a thread does not run. */
  private static TestSetup setup(StubServer server, int perConnection, int threads) {
    return setup(server, perConnection, threads, 20_000_000_000L);
  }

  private static TestSetup setup(
      StubServer server, int perConnection, int threads, long timeoutNanos) {
    return new TestSetup(
        Target.of(server.url()),
        new ClientConfig(perConnection, 4, timeoutNanos, 20_000_000_000L, List.of()),
        new Behaviour(new Mix(new FileSet(10), FileWeights.POISSON5, Popularity.UNIFORM), 0, 1_000),
        96,
        new TestSetup.Machinery(Transport.best(), threads, List.of(ProcessHandle.current().pid())));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(120, TimeUnit.SECONDS));
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  private static PointResult run(TestSetup setup, LoadPoint point, Phases phases)
      throws IOException, InterruptedException {
    try (LoadTest test = new LoadTest(setup, new Onlooker(-1))) {
      PointResult result = test.run(point, 1, phases);
      assertNotNull(result);
      return result;
    }
  }

  @ParameterizedTest
  @CsvSource({"SPEC, 1, 1", "SPEC, 5, 2", "OPEN, 1, 2", "OPEN, 0, 1"})
  void requestsComeAtARate(Mode mode, int perConnection, int threads)
      throws IOException, InterruptedException {
    try (StubServer server = new StubServer()) {
      LoadPoint point = new LoadPoint(mode, 200, 10);
      long began = System.nanoTime();
      PointResult result = run(setup(server, perConnection, threads), point, SHORT);
      // How exactly is tested in virtual time; here the machine may be busy with other tests, and
      // what was due while a thread did not run comes at once.
      long count = result.reading().operations().count();
      double most = 2 * 200 * (System.nanoTime() - began) / 1e9;
      assertTrue(count > 0 && count < most, count + " operations, of at most " + most);
      assertEquals(0, result.reading().errors(), result.reading().faults() + "");
      assertTrue(result.isWhole());
      assertTrue(Rules.STRICT.accept(result));
      assertTrue(result.cost().generatorSeconds() >= 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "0, 1", "5, 2"})
  void closedLoopRuns(int perConnection, int threads) throws IOException, InterruptedException {
    try (StubServer server = new StubServer()) {
      LoadPoint point = new LoadPoint(Mode.CLOSED, 0, 8);
      PointResult result = run(setup(server, perConnection, threads), point, SHORT);
      assertTrue(result.reading().operations().count() > 0, result + "");
      assertEquals(0, result.reading().errors(), result.reading().faults() + "");
      // Less than 8 where clients also wait for the server to end the connection.
      double outstanding = result.reading().flow().meanOutstanding();
      assertTrue(outstanding > 1 && outstanding < 8.1, outstanding + " outstanding");
      if (perConnection == 0) {
        assertEquals(8, server.connections());
        assertEquals(8, result.connectionsOpened());
      }
    }
  }

  @Test
  void oneErrorMakesStrictPointInvalid() throws IOException, InterruptedException {
    AtomicBoolean wanted = new AtomicBoolean();
    AtomicBoolean given = new AtomicBoolean();
    CountDownLatch behind = new CountDownLatch(100);
    StubServer.Manners onceWrong =
        (request, out) -> {
          if (wanted.get() && given.compareAndSet(false, true)) {
            out.write("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n".getBytes());
            return false;
          }
          if (given.get()) {
            behind.countDown();
          }
          return StubServer.wellMannered(request, out);
        };
    // The window stays open until the wrong one, and many behind it, were heard.
    Onlooker onlooker =
        new Onlooker(
            2,
            () -> {
              wanted.set(true);
              await(behind);
            });
    try (StubServer server = new StubServer(onceWrong)) {
      LoadPoint point = new LoadPoint(Mode.SPEC, 400, 10);
      PointResult result;
      try (LoadTest test = new LoadTest(setup(server, 1, 1), onlooker)) {
        result = Objects.requireNonNull(test.run(point, 1, SHORT));
      }
      assertEquals(1, result.reading().errors(), result.reading().faults() + "");
      assertEquals(1, result.reading().faults().get(Fault.STATUS).count());
      assertFalse(Rules.STRICT.accept(result));
      assertEquals(result.errorShare() <= 0.01, Rules.RESEARCH.accept(result));
    }
  }

  @Test
  void serverThatIsTooSlowIsSaturated() throws IOException, InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    StubServer.Manners slow =
        (request, out) -> {
          try {
            boolean ended = over.await(50, TimeUnit.MILLISECONDS);
            return StubServer.wellMannered(request, out) && !ended;
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    try (StubServer server = new StubServer(slow)) {
      PointResult result = run(setup(server, 1, 1), new LoadPoint(Mode.SPEC, 200, 1), SHORT);
      assertTrue(result.isSaturated(), result.reading().opsPerSecond() + "");
      assertTrue(Rules.STRICT.accept(result));
      double late = result.reading().operations().lateSeconds();
      assertTrue(late > 0, "lateness is told");
      over.countDown();
    }
  }

  @Test
  void endInTheWindowKeepsWhatWasMeasured() throws IOException, InterruptedException {
    try (StubServer server = new StubServer();
        LoadTest test = new LoadTest(setup(server, 1, 1), new Onlooker(2))) {
      PointResult cut =
          test.run(new LoadPoint(Mode.SPEC, 100, 5), 1, new Phases(0.1, Phases.MAX_SECONDS));
      assertNotNull(cut);
      assertFalse(cut.isWhole());
      assertTrue(cut.reading().operations().count() > 0);
      assertFalse(Rules.RESEARCH.accept(cut));
    }
  }

  @Test
  void endInTheWarmUpIsNoResult() throws IOException, InterruptedException {
    try (StubServer server = new StubServer();
        LoadTest test = new LoadTest(setup(server, 1, 1), new Onlooker(1))) {
      LoadPoint point = new LoadPoint(Mode.SPEC, 100, 5);
      assertNull(test.run(point, 1, new Phases(Phases.MAX_SECONDS, 1)));
    }
  }

  @Test
  void deafServerEndsInTimeouts() throws IOException, InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    StubServer.Manners deaf =
        (request, out) -> {
          try {
            return over.await(120, TimeUnit.SECONDS) && out == null;
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    try (StubServer server = new StubServer(deaf)) {
      TestSetup impatient = setup(server, 1, 1, 1_000_000_000);
      PointResult result = run(impatient, new LoadPoint(Mode.CLOSED, 0, 3), SHORT);
      assertTrue(result.reading().faults().get(Fault.TIMEOUT).count() >= 3, result + "");
      assertFalse(Rules.RESEARCH.accept(result));
      over.countDown();
    }
  }

  @Test
  void preflightSaysWhatIsWrong() throws IOException, InterruptedException {
    try (StubServer server = new StubServer()) {
      assertEquals("stub", Preflight.check(setup(server, 1, 1)));
    }
    StubServer.Manners empty =
        (request, out) -> {
          out.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes());
          return false;
        };
    try (StubServer server = new StubServer(empty)) {
      IOException wrong =
          assertThrows(IOException.class, () -> Preflight.check(setup(server, 1, 1)));
      assertTrue(wrong.getMessage().contains("status 404"), wrong.getMessage());
      assertTrue(wrong.getMessage().contains("files DIR --dirs 10"), wrong.getMessage());
    }
  }

  @Test
  void phasesWithoutMeaningAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Phases(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> new Phases(1, 0));
    assertThrows(IllegalArgumentException.class, () -> new Phases(Double.NaN, 1));
    assertThrows(IllegalArgumentException.class, () -> new Phases(1, 100_000));
    assertEquals(900, Profile.FULL.phases().warmSeconds() + Profile.FULL.phases().runSeconds());
  }
}
