package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Warmth;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.host.ThreadWatch;
import dev.upcall.bench.report.Reading;
import dev.upcall.bench.report.Side;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A worker that runs cycles over a volume. It warms up on all cores, as its compiler would on a
 * machine that has more, and is confined to its own when it is warm.
 */
final class CycleSide implements Side {
  private static final long OPEN_SECONDS = 120;
  private static final long GRACE_SECONDS = 60;
  private static final int WARM_LOAD = 50;
  private static final long ROUND_MILLIS = 400;
  private static final long PASS_MILLIS = 100;

  /** What it takes to go through one of the loads before the warm-up. */
  static final double PASS_SECONDS = 0.15;

  private final String name;
  private final Lab lab;
  private final WorkerProcess worker;
  private final String cores;
  private String setting = "";
  private int sampleMillis;
  private Warmth warmth = new Warmth(0, Double.NaN, Double.NaN, /* steady= */ false);

  private CycleSide(String name, Lab lab, WorkerProcess worker, String cores) {
    this.name = name;
    this.lab = lab;
    this.worker = worker;
    this.cores = cores;
  }

  /**
   * Starts one, cold.
   *
   * @param cores which it will be confined to, as in {@code 0,1}
   * @param options of the worker
   */
  static CycleSide start(String name, Lab lab, String cores, Map<String, ?> options)
      throws IOException, InterruptedException {
    List<String> command = Worker.command(lab, lab.cores().jvmFlags(cores), "cycles", options);
    return new CycleSide(name, lab, WorkerProcess.start(lab, name, command, OPEN_SECONDS), cores);
  }

  /**
   * What an experiment does with it.
   *
   * @param order what each order says besides
   * @param loads that are measured
   * @param sampleMillis how long a sample takes
   */
  record Use(Map<String, ?> order, List<Integer> loads, int sampleMillis) {}

  /**
   * Opens the store as an experiment wants it, warms it up with each of its loads and until it is
   * steady, and confines it.
   *
   * @param mostMillis the longest warm-up
   */
  void warm(Use use, int mostMillis) throws IOException, InterruptedException {
    StringBuilder words = new StringBuilder();
    use.order().forEach((key, value) -> words.append(' ').append(key).append('=').append(value));
    setting = words.toString();
    sampleMillis = use.sampleMillis();
    lab.cores().confine(worker.pid(), Cores.ALL);
    if (!lab.settings().quick()) {
      for (int load : use.loads()) {
        order(load, PASS_MILLIS);
      }
    }
    warmth =
        new Warmup(lab, "  " + name)
            .steady(
                worker.pid(),
                mostMillis,
                () -> Reading.of(order(WARM_LOAD, ROUND_MILLIS), 0).perSecond());
    lab.cores().confine(worker.pid(), cores);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Warmth warmth() {
    return warmth;
  }

  @Override
  public Reading measure(int load) throws IOException, InterruptedException {
    double before = ProcessCpu.seconds(worker.pid());
    ThreadWatch compiler = ThreadWatch.compiler(worker.pid());
    Fields ran = order(load, sampleMillis);
    double compiling = compiler.part();
    double cpu = ProcessCpu.seconds(worker.pid()) - before;
    return Reading.of(ran, cpu).with(Reading.COMPILING, compiling);
  }

  private Fields order(int load, long millis) throws IOException, InterruptedException {
    return worker.run(
        "in-flight=" + load + " millis=" + millis + setting, GRACE_SECONDS + millis / 1000);
  }

  @Override
  public void close() {
    worker.close();
  }
}
