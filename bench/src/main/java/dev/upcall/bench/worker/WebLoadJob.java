package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.client.ClientConfig;
import dev.upcall.specweb.client.Target;
import dev.upcall.specweb.client.Transport;
import dev.upcall.specweb.draw.FileWeights;
import dev.upcall.specweb.draw.Mix;
import dev.upcall.specweb.draw.Popularity;
import dev.upcall.specweb.load.Behaviour;
import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Mode;
import dev.upcall.specweb.load.Reading;
import dev.upcall.specweb.run.LoadTest;
import dev.upcall.specweb.run.Phases;
import dev.upcall.specweb.run.PointResult;
import dev.upcall.specweb.run.TestSetup;
import dev.upcall.specweb.run.Watch;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A closed loop of web clients against servers of a file set. Option: {@code directories}. An order
 * says {@code port}, {@code clients}, {@code threads} of the load, {@code per-connection}
 * (requests; 0 keeps connections), {@code warm-millis} and {@code millis}.
 */
final class WebLoadJob implements Job {
  private static final int SOURCES = 8;
  private static final int CHECK_EVERY = 64;
  private static final long TIMEOUT_NANOS = 20_000_000_000L;
  private static final long HOLD_NANOS = 5_000_000_000L;
  private static final long SEED = 1996;

  private final FileSet set;
  private final List<InetAddress> sources = new ArrayList<>();
  private int runs;

  WebLoadJob(Fields options) throws IOException {
    set = new FileSet((int) options.number("directories"));
    for (int i = 0; i < SOURCES; i++) {
      sources.add(InetAddress.getByName("127.0.0." + (2 + i)));
    }
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    ClientConfig client =
        new ClientConfig(
            (int) order.number("per-connection"),
            CHECK_EVERY,
            TIMEOUT_NANOS,
            HOLD_NANOS,
            List.copyOf(sources));
    TestSetup setup =
        new TestSetup(
            Target.of("http://127.0.0.1:" + order.number("port") + "/"),
            client,
            new Behaviour(
                new Mix(set, FileWeights.POISSON5, Popularity.UNIFORM),
                0,
                Behaviour.MAX_OUTSTANDING),
            SEED,
            new TestSetup.Machinery(Transport.best(), (int) order.number("threads"), List.of()));
    Phases phases = new Phases(order.number("warm-millis") / 1e3, order.number("millis") / 1e3);
    LoadPoint point = new LoadPoint(Mode.CLOSED, 0, (int) order.number("clients"));
    try (LoadTest test = new LoadTest(setup, new Waiting())) {
      PointResult result = test.run(point, ++runs, phases);
      if (result == null) {
        throw new IOException("the load ended before its window");
      }
      return read(result);
    }
  }

  private Tally read(PointResult result) throws IOException {
    Reading reading = result.reading();
    if (reading.operations().count() == 0 && reading.errors() > 0) {
      throw new IOException("no request was answered: " + reading.faults());
    }
    return new Tally(
            reading.operations().count(),
            (long) (reading.operations().seconds() * 1e9),
            (long) (reading.flow().windowSeconds() * 1e9),
            reading.response())
        .remark(
            "errors=%d outstanding=%.2f client-share=%.3f",
            reading.errors(),
            reading.flow().meanOutstanding(),
            result.cost().generatorSeconds() / reading.flow().windowSeconds());
  }

  @Override
  public void close() {
    // The threads of a run end with it.
  }

  /** Nobody looks on and nobody ends it: who does not want the load any more ends the process. */
  private static final class Waiting implements Watch {
    @Override
    public boolean await(long nanos) throws InterruptedException {
      TimeUnit.NANOSECONDS.sleep(nanos);
      return true;
    }

    @Override
    public void progress(LoadPoint point, Standing standing) {
      // The command that ordered it tells how far it is.
    }
  }
}
