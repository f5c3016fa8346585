package dev.upcall.bench.report;

import dev.upcall.bench.harness.Child;
import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.ProcessCpu;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.worker.Worker;
import java.io.IOException;
import java.util.Map;

/** A web server on the core of servers, loaded by a process on the core of loads. */
final class WebServerSide implements Side {
  private static final long OPEN_SECONDS = 120;
  private static final long GRACE_SECONDS = 90;
  private static final int WARM_CLIENTS = 50;
  private static final int WARM_MILLIS = 500;
  private static final double MOST_CLIENTS_OF_A_SAMPLE = 2000;
  private static final double MIB = 1 << 20;

  private final String name;
  private final Lab lab;
  private final Child load;
  private final Child server;
  private WebClients clients = WebClients.MANY_THREADS;
  private double warmPart;
  private int millis;
  private long port;

  private WebServerSide(String name, Lab lab, Child load, Child server) {
    this.name = name;
    this.lab = lab;
    this.load = load;
    this.server = server;
  }

  /** Starts a server and warms it up. */
  static WebServerSide start(String name, Lab lab, Child load, Map<String, ?> options)
      throws IOException, InterruptedException {
    Child server =
        lab.start(name, lab.cores().pin(Cores.SERVER, Worker.command(lab, "serve-set", options)));
    WebServerSide side = new WebServerSide(name, lab, load, server);
    try {
      side.port = Fields.parse(server.await("ready", OPEN_SECONDS)).number("port");
      side.use(WebClients.MANY_THREADS, WARM_MILLIS, 0);
      new Warmup(lab, "  " + name).run(server.pid(), () -> side.load(WARM_CLIENTS));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      side.close();
      throw broken;
    }
    return side;
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
  public Reading measure(int count) throws IOException, InterruptedException {
    count(0, 0);
    double before = ProcessCpu.seconds(server.pid());
    Fields ran = load(count);
    double cpu = ProcessCpu.seconds(server.pid()) - before;
    // The server counts while the load warms up, too.
    double whole = 1 + warmPart;
    Reading reading =
        Reading.of(ran, cpu / whole)
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
    server.send("run units=%d response-nanos=%d".formatted(units, (long) responseNanos));
    return Fields.parse(server.await("ran", GRACE_SECONDS));
  }

  private Fields load(int count) throws IOException, InterruptedException {
    long sampleMillis = Math.round(millis * stretch(count));
    load.send(
        "run port=%d clients=%d threads=%d per-connection=%d warm-millis=%d millis=%d"
            .formatted(
                port,
                count,
                clients.threads(count),
                clients.requestsPerConnection(),
                Math.round(sampleMillis * warmPart),
                sampleMillis));
    return Fields.parse(load.await("ran", GRACE_SECONDS));
  }

  @Override
  public void close() {
    lab.end(server);
  }
}
