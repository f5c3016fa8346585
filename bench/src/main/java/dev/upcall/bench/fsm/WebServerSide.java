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

/** A web server on the core of servers, loaded by a process on the core of loads. */
final class WebServerSide implements Side {
  private static final long OPEN_SECONDS = 120;
  private static final long GRACE_SECONDS = 90;
  private static final int WARM_CLIENTS = 50;
  private static final int WARM_MILLIS = 500;
  private static final String CORE = Integer.toString(Cores.SERVER);
  private static final double MOST_CLIENTS_OF_A_SAMPLE = 2000;
  private static final double MIB = 1 << 20;

  private final String name;
  private final Lab lab;
  private final WorkerProcess load;
  private final WorkerProcess server;
  private WebClients clients = WebClients.MANY_THREADS;
  private double warmPart;
  private int millis;
  private Warmth warmth = new Warmth(0, Double.NaN, Double.NaN, /* steady= */ false);

  private WebServerSide(String name, Lab lab, WorkerProcess load, WorkerProcess server) {
    this.name = name;
    this.lab = lab;
    this.load = load;
    this.server = server;
  }

  /** Starts a server, cold. */
  static WebServerSide start(String name, Lab lab, WorkerProcess load, Map<String, ?> options)
      throws IOException, InterruptedException {
    List<String> command = Worker.command(lab, lab.cores().jvmFlags(CORE), "serve-set", options);
    return new WebServerSide(
        name, lab, load, WorkerProcess.start(lab, name, command, OPEN_SECONDS));
  }

  /**
   * Warms it up on all cores, which it shares with its load, until it is steady, and confines it to
   * its own.
   *
   * @param mostMillis the longest warm-up
   */
  void warm(WebClients kind, int mostMillis) throws IOException, InterruptedException {
    use(kind, WARM_MILLIS, 0);
    lab.cores().confine(server.pid(), Cores.ALL);
    warmth =
        new Warmup(lab, "  " + name)
            .steady(server.pid(), mostMillis, () -> Reading.of(load(WARM_CLIENTS), 0).perSecond());
    lab.cores().confine(server.pid(), CORE);
  }

  /** Whether it was warmed up before, for something else perhaps. */
  boolean isWarm() {
    return warmth.seconds() > 0;
  }

  /** How the next samples are taken. */
  void use(WebClients kind, int sampleMillis, double warmingPart) {
    clients = kind;
    millis = sampleMillis;
    warmPart = warmingPart;
  }

  /** How many times longer a sample is with many clients, so that each comes to its turn. */
  static double stretch(int count) {
    return Math.max(1, count / MOST_CLIENTS_OF_A_SAMPLE);
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
  public Reading measure(int count) throws IOException, InterruptedException {
    count(0, 0);
    double before = ProcessCpu.seconds(server.pid());
    ThreadWatch compiler = ThreadWatch.compiler(server.pid());
    ThreadWatch clientCompiler = ThreadWatch.compiler(load.pid());
    Fields ran = load(count);
    double compiling = compiler.part();
    double clientCompiling = clientCompiler.part();
    double cpu = ProcessCpu.seconds(server.pid()) - before;
    // The server counts while the load warms up, too.
    double whole = 1 + warmPart;
    Reading reading =
        Reading.of(ran, cpu / whole)
            .with(Reading.COMPILING, compiling)
            .with("client compiler share", clientCompiling)
            .with("resident MiB", ProcessCpu.residentBytes(server.pid()) / MIB);
    double units = reading.units() * whole;
    Map<String, Double> counted =
        Reading.others(count(Math.round(units), units * reading.response().mean() * 1e3));
    for (Map.Entry<String, Double> one : counted.entrySet()) {
      reading = reading.with(one.getKey(), one.getValue());
    }
    return reading;
  }

  private Fields count(long units, double responseNanos) throws IOException, InterruptedException {
    return server.run(
        "units=%d response-nanos=%d".formatted(units, (long) responseNanos), GRACE_SECONDS);
  }

  private Fields load(int count) throws IOException, InterruptedException {
    long sampleMillis = Math.round(millis * stretch(count));
    return load.run(
        "port=%d clients=%d threads=%d per-connection=%d warm-millis=%d millis=%d"
            .formatted(
                server.greeting().number("port"),
                count,
                clients.threads(count),
                clients.requestsPerConnection(),
                Math.round(sampleMillis * warmPart),
                sampleMillis),
        GRACE_SECONDS);
  }

  @Override
  public void close() {
    server.close();
  }
}
