package dev.upcall.specweb.report;

import dev.upcall.specweb.client.ClientConfig;
import dev.upcall.specweb.document.JsonWriter;
import dev.upcall.specweb.draw.Mix;
import dev.upcall.specweb.draw.Seeds;
import dev.upcall.specweb.load.Reading;
import dev.upcall.specweb.run.PointResult;
import dev.upcall.specweb.run.TestSetup;
import java.math.BigDecimal;
import java.math.MathContext;
import java.net.InetAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * The report as JSON, from which everything else is made. Its form is {@code report.schema.json}
 * beside this class; a change of the form is a new {@link #VERSION}.
 */
public final class ReportJson {
  /** Of the form. */
  public static final int VERSION = 1;

  /** What must stand beside each number. */
  static final String NOTICE =
      "SPECweb96-style ops/s (non-compliant, research). This is not a SPECweb96 result and must not"
          + " be called one.";

  /** Linux keeps a closed connection this long, whatever is configured. */
  private static final int LINUX_TIME_WAIT_SECONDS = 60;

  private final JsonWriter json;

  private ReportJson(JsonWriter json) {
    this.json = json;
  }

  /** The report as text, of now and of this machine. */
  public static String of(TestResult result) throws InterruptedException {
    Map<String, String> software = Disclosure.software();
    return JsonWriter.document(json -> new ReportJson(json).report(result, software));
  }

  private void report(TestResult result, Map<String, String> software) {
    json.text("kind", "upcall-specweb");
    json.number("version", VERSION);
    json.text("notice", NOTICE);
    json.text("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    json.flag("complete", result.isComplete());
    json.flag("valid", result.isValid());
    result.bestOpsPerSecond().ifPresent(best -> number("opsPerSecond", best));
    json.object("test", () -> test(result));
    json.object("fileSet", () -> fileSet(result.setup().behaviour().mix()));
    json.object("server", () -> server(result));
    json.texts("hardware", Disclosure.hardware());
    json.texts("software", software);
    json.object("network", () -> network(result.setup()));
    json.object("generator", () -> generator(result.setup()));
    json.texts("notes", result.names().notes());
    json.objects("points", result.points(), point -> point(point, result));
  }

  private void test(TestResult result) {
    ClientConfig client = result.setup().client();
    json.text("name", result.names().test());
    json.text("mode", result.names().mode());
    json.text("profile", result.names().profile());
    number("warmSeconds", result.phases().warmSeconds());
    number("runSeconds", result.phases().runSeconds());
    json.text("rules", result.names().rules().label());
    json.number("seed", result.setup().seed());
    json.text("random", Seeds.ALGORITHM);
    json.text("http", client.requestsPerConnection() == 1 ? "1.0" : "1.1");
    json.number("requestsPerConnection", client.requestsPerConnection());
    json.number("checkEvery", client.checkEvery());
    number("timeoutSeconds", client.timeoutNanos() / 1e9);
    number("thinkMillis", result.setup().behaviour().thinkMillis());
    json.number("outstandingLimit", result.setup().behaviour().outstandingLimit());
  }

  private void fileSet(Mix mix) {
    json.number("directories", mix.set().directories());
    json.number("bytes", mix.set().totalBytes());
    json.text("weights", mix.weights().label());
    json.text("popularity", mix.popularity().label());
    number("meanBytes", mix.meanBytes());
  }

  private void server(TestResult result) {
    json.text("url", result.setup().target().url());
    json.text("software", result.names().server());
    json.numbers("pids", result.setup().machinery().serverPids());
  }

  private void network(TestSetup setup) {
    json.text("type", setup.target().isLoopback() ? "loopback" : "other");
    json.number("timeWaitSeconds", LINUX_TIME_WAIT_SECONDS);
    json.texts(
        "sources", setup.client().sources().stream().map(InetAddress::getHostAddress).toList());
  }

  private void generator(TestSetup setup) {
    json.text("transport", setup.machinery().transport().label());
    json.number("threads", setup.machinery().threads());
    json.flag("sharesMachine", setup.target().isLoopback());
  }

  private void point(PointResult point, TestResult result) {
    Reading reading = point.reading();
    if (point.point().opsPerSecond() > 0) {
      number("requestedOpsPerSecond", point.point().opsPerSecond());
    }
    json.number("workers", point.point().workers());
    number("opsPerSecond", reading.opsPerSecond());
    json.flag("valid", result.names().rules().accept(point));
    json.flag("whole", point.isWhole());
    json.flag("saturated", point.isSaturated());
    json.flag("steady", point.isSteady());
    json.flag("generatorBusy", point.isGeneratorBusy());
    number("seconds", reading.flow().windowSeconds());
    json.number("operations", reading.operations().count());
    json.number("bytes", reading.operations().bytes());
    number("bytesPerSecond", reading.operations().bytes() / reading.flow().windowSeconds());
    number("meanMillis", reading.operations().meanMillis());
    json.object("fromIntendedStart", () -> fromIntended(reading));
    json.numbers("classShares", shares(reading));
    number("meanOutstanding", reading.flow().meanOutstanding());
    number("littleResidual", reading.flow().littleResidual());
    json.number("connectionsOpened", point.connectionsOpened());
    boolean serverKnown = !result.setup().machinery().serverPids().isEmpty();
    json.object("cpu", () -> cost(point, serverKnown));
    json.number("errors", reading.errors());
    json.objects(
        "errorKinds",
        reading.faults().entrySet(),
        faults -> {
          json.text("kind", faults.getKey().label());
          json.number("count", faults.getValue().count());
          json.text("example", faults.getValue().example());
        });
  }

  private void fromIntended(Reading reading) {
    long count = Math.max(1, reading.operations().count());
    number(
        "meanMillis",
        reading.operations().meanMillis() + reading.operations().lateSeconds() / count * 1e3);
    number("p50Millis", reading.percentileMillis(50));
    number("p95Millis", reading.percentileMillis(95));
    number("p99Millis", reading.percentileMillis(99));
    number("p999Millis", reading.percentileMillis(99.9));
    number("maxMillis", reading.maxMillis());
  }

  private static List<Double> shares(Reading reading) {
    double count = Math.max(1, reading.operations().count());
    return reading.classes().stream().map(ofClass -> rounded(ofClass / count)).toList();
  }

  private void cost(PointResult point, boolean serverKnown) {
    double perOperation = 1e6 / Math.max(1, point.reading().operations().count());
    number("generatorSeconds", point.cost().generatorSeconds());
    number("generatorMicrosPerOperation", point.cost().generatorSeconds() * perOperation);
    number("generatorShare", point.generatorShare());
    json.number("generatorCollectorMillis", point.cost().collectorMillis());
    if (serverKnown) {
      number("serverSeconds", point.cost().serverSeconds());
      number("serverMicrosPerOperation", point.cost().serverSeconds() * perOperation);
    }
  }

  private void number(String name, double value) {
    json.number(name, rounded(value));
  }

  /** Six digits are more than any of these figures has. */
  private static double rounded(double value) {
    return new BigDecimal(value).round(new MathContext(6)).doubleValue();
  }
}
