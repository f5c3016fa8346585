package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A server under load while many idle connections are open. */
public final class IdleEntrant implements Running {
  private static final long OPEN_SECONDS = 120;

  private final Lab lab;
  private final ServerEntrant active;
  private final String path;
  private final int connections;
  private double firstBytes = Double.NaN;

  /**
   * Takes an entrant over.
   *
   * @param path what idle connections have asked for
   * @param connections how many
   */
  public IdleEntrant(Lab lab, ServerEntrant active, String path, int connections) {
    this.lab = lab;
    this.active = active;
    this.path = path;
    this.connections = connections;
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    long before = ProcessCpu.residentBytes(active.pid());
    Map<String, Object> options = Map.of("port", active.port(), "path", path, "count", connections);
    List<String> command = lab.cores().pin(Cores.LOAD, Worker.command(lab, "idle", options));
    try (WorkerProcess _ = WorkerProcess.start(lab, "idle connections", command, OPEN_SECONDS)) {
      if (Double.isNaN(firstBytes)) {
        firstBytes = ProcessCpu.residentBytes(active.pid()) - before;
      }
      return active.measure();
    }
  }

  @Override
  public String note() {
    return String.format(
        Locale.ROOT,
        "%,d idle connections: %.1f KiB of resident memory for each when they came, garbage"
            + " included",
        connections,
        firstBytes / connections / 1024);
  }

  @Override
  public void close() {
    active.close();
  }
}
