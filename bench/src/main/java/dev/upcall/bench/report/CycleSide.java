package dev.upcall.bench.report;

import dev.upcall.bench.harness.Child;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.ProcessCpu;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.worker.Worker;
import java.io.IOException;
import java.util.Map;

/** A worker that runs cycles over a volume, confined to some cores. */
final class CycleSide implements Side {
  private static final long OPEN_SECONDS = 120;
  private static final long GRACE_SECONDS = 60;
  private static final int WARM_LOAD = 50;
  private static final long ROUND_MILLIS = 500;

  private final String name;
  private final Lab lab;
  private final Child child;

  private CycleSide(String name, Lab lab, Child child) {
    this.name = name;
    this.lab = lab;
    this.child = child;
  }

  /**
   * Starts and warms up.
   *
   * @param cores which it is confined to, as in {@code 0,1}
   * @param options of the worker
   */
  static CycleSide start(String name, Lab lab, String cores, Map<String, ?> options)
      throws IOException, InterruptedException {
    Child child = lab.start(name, lab.cores().pin(cores, Worker.command(lab, "cycles", options)));
    CycleSide side = new CycleSide(name, lab, child);
    try {
      child.await("ready", OPEN_SECONDS);
      new Warmup(lab, "  " + name).run(child.pid(), () -> side.order(WARM_LOAD, ROUND_MILLIS));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      side.close();
      throw broken;
    }
    return side;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Reading measure(int load) throws IOException, InterruptedException {
    double before = ProcessCpu.seconds(child.pid());
    Fields ran = order(load, lab.settings().runMillis());
    double cpu = ProcessCpu.seconds(child.pid()) - before;
    return Reading.of(ran, cpu);
  }

  private Fields order(int load, long millis) throws IOException, InterruptedException {
    child.send("run in-flight=" + load + " millis=" + millis);
    return Fields.parse(child.await("ran", GRACE_SECONDS + millis / 1000));
  }

  @Override
  public void close() {
    lab.end(child);
  }
}
