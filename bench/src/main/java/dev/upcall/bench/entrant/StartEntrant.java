package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Course;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Latencies;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Timeline;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.host.ProcessCpu;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A server under full load: for each sample one that has just been started, or a warm one. */
public final class StartEntrant implements Running {
  private static final int SECONDS = 10;

  private final Lab lab;
  private final Server.Opening opening;
  private final Wrk load;
  private Server.@Nullable Live warm;

  private StartEntrant(Lab lab, Server.Opening opening, Wrk load) {
    this.lab = lab;
    this.opening = opening;
    this.load = load;
  }

  /** One that is started for each sample. */
  public static Entrant cold(String name, Role role, Server.Opening opening, Wrk load) {
    return new Entrant(name, role, lab -> new StartEntrant(lab, opening, load));
  }

  /** One that runs on. */
  public static Entrant warm(String name, Role role, Server.Opening opening, Wrk load) {
    return new Entrant(
        name,
        role,
        lab -> {
          StartEntrant entrant = new StartEntrant(lab, opening, load);
          entrant.warmUp(name);
          return entrant;
        });
  }

  /** How long a sample is, whatever else is asked for: it is the first so many seconds. */
  public static int seconds(Lab lab) {
    return (int) lab.settings().either(1, SECONDS);
  }

  private void warmUp(String name) throws IOException, InterruptedException {
    Server.Live server = opening.open(lab);
    warm = server;
    try {
      new Warmup(lab, "  " + name).run(server.child().pid(), () -> load.run(lab, server, 1));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      close();
      throw broken;
    }
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    Server.Live running = warm;
    if (running != null) {
      return measure(running);
    }
    Server.Live started = opening.open(lab);
    try {
      return measure(started);
    } finally {
      lab.terminate(started.child());
    }
  }

  private Sample measure(Server.Live server) throws IOException, InterruptedException {
    double before = ProcessCpu.seconds(server.child().pid());
    WrkReport report = load.run(lab, server, seconds(lab));
    return new Sample(
        report.requests(),
        report.seconds(),
        ProcessCpu.seconds(server.child().pid()) - before,
        Latencies.of(report.p50Micros(), report.p99Micros()),
        new Course(report.series(), Timeline.NONE));
  }

  @Override
  public OptionalLong process() {
    Server.Live running = warm;
    return running == null ? OptionalLong.empty() : OptionalLong.of(running.child().pid());
  }

  @Override
  public void close() {
    Server.Live running = warm;
    warm = null;
    if (running != null) {
      lab.terminate(running.child());
    }
  }
}
