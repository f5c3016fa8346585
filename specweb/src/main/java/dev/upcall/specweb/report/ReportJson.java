package dev.upcall.specweb.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.specweb.client.ClientConfig;
import dev.upcall.specweb.draw.Seeds;
import dev.upcall.specweb.load.Behaviour;
import dev.upcall.specweb.load.Fault;
import dev.upcall.specweb.load.Reading;
import dev.upcall.specweb.run.PointResult;
import dev.upcall.specweb.run.TestSetup;
import java.io.IOException;
import java.io.StringWriter;
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

  private final JsonGenerator json;

  private ReportJson(JsonGenerator json) {
    this.json = json;
  }

  /** The report as text, of now and of this machine. */
  public static String of(TestResult result) throws IOException, InterruptedException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      new ReportJson(json).report(result);
    }
    return text + "\n";
  }

  private void report(TestResult result) throws IOException, InterruptedException {
    json.writeStartObject();
    json.writeStringField("kind", "upcall-specweb");
    json.writeNumberField("version", VERSION);
    json.writeStringField("notice", NOTICE);
    json.writeStringField("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    json.writeBooleanField("complete", result.isComplete());
    json.writeBooleanField("valid", result.isValid());
    if (result.bestOpsPerSecond().isPresent()) {
      number("opsPerSecond", result.bestOpsPerSecond().getAsDouble());
    }
    test(result);
    fileSet(result.setup().behaviour());
    server(result);
    texts("hardware", Disclosure.hardware());
    texts("software", Disclosure.software());
    network(result.setup());
    generator(result.setup());
    texts("notes", result.names().notes());
    json.writeArrayFieldStart("points");
    for (PointResult point : result.points()) {
      point(point, result);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void test(TestResult result) throws IOException {
    ClientConfig client = result.setup().client();
    json.writeObjectFieldStart("test");
    json.writeStringField("name", result.names().test());
    json.writeStringField("mode", result.names().mode());
    json.writeStringField("profile", result.names().profile());
    number("warmSeconds", result.phases().warmSeconds());
    number("runSeconds", result.phases().runSeconds());
    json.writeStringField("rules", result.names().rules().label());
    json.writeNumberField("seed", result.setup().seed());
    json.writeStringField("random", Seeds.ALGORITHM);
    json.writeStringField("http", client.requestsPerConnection() == 1 ? "1.0" : "1.1");
    json.writeNumberField("requestsPerConnection", client.requestsPerConnection());
    json.writeNumberField("checkEvery", client.checkEvery());
    number("timeoutSeconds", client.timeoutNanos() / 1e9);
    number("thinkMillis", result.setup().behaviour().thinkMillis());
    json.writeNumberField("outstandingLimit", result.setup().behaviour().outstandingLimit());
    json.writeEndObject();
  }

  private void fileSet(Behaviour behaviour) throws IOException {
    json.writeObjectFieldStart("fileSet");
    json.writeNumberField("directories", behaviour.mix().set().directories());
    json.writeNumberField("bytes", behaviour.mix().set().totalBytes());
    json.writeStringField("weights", behaviour.mix().weights().label());
    json.writeStringField("popularity", behaviour.mix().popularity().label());
    number("meanBytes", behaviour.mix().meanBytes());
    json.writeEndObject();
  }

  private void server(TestResult result) throws IOException {
    json.writeObjectFieldStart("server");
    json.writeStringField("url", result.setup().target().url());
    json.writeStringField("software", result.names().server());
    json.writeArrayFieldStart("pids");
    for (long pid : result.setup().machinery().serverPids()) {
      json.writeNumber(pid);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void network(TestSetup setup) throws IOException {
    json.writeObjectFieldStart("network");
    json.writeStringField("type", setup.target().isLoopback() ? "loopback" : "other");
    json.writeNumberField("timeWaitSeconds", LINUX_TIME_WAIT_SECONDS);
    json.writeArrayFieldStart("sources");
    for (InetAddress source : setup.client().sources()) {
      json.writeString(source.getHostAddress());
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void generator(TestSetup setup) throws IOException {
    json.writeObjectFieldStart("generator");
    json.writeStringField("transport", setup.machinery().transport().label());
    json.writeNumberField("threads", setup.machinery().threads());
    json.writeBooleanField("sharesMachine", setup.target().isLoopback());
    json.writeEndObject();
  }

  private void texts(String name, Map<String, String> texts) throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      json.writeStringField(text.getKey(), text.getValue());
    }
    json.writeEndObject();
  }

  private void point(PointResult point, TestResult result) throws IOException {
    Reading reading = point.reading();
    json.writeStartObject();
    if (point.point().opsPerSecond() > 0) {
      number("requestedOpsPerSecond", point.point().opsPerSecond());
    }
    json.writeNumberField("workers", point.point().workers());
    number("opsPerSecond", reading.opsPerSecond());
    json.writeBooleanField("valid", result.names().rules().accept(point));
    json.writeBooleanField("whole", point.isWhole());
    json.writeBooleanField("saturated", point.isSaturated());
    json.writeBooleanField("steady", point.isSteady());
    json.writeBooleanField("generatorBusy", point.isGeneratorBusy());
    number("seconds", reading.flow().windowSeconds());
    json.writeNumberField("operations", reading.operations().count());
    json.writeNumberField("bytes", reading.operations().bytes());
    number("bytesPerSecond", reading.operations().bytes() / reading.flow().windowSeconds());
    number("meanMillis", reading.operations().meanMillis());
    fromIntended(reading);
    numbers("classShares", shares(reading));
    number("meanOutstanding", reading.flow().meanOutstanding());
    number("littleResidual", reading.flow().littleResidual());
    json.writeNumberField("connectionsOpened", point.connectionsOpened());
    cost(point, result);
    errors(reading);
    json.writeEndObject();
  }

  private void fromIntended(Reading reading) throws IOException {
    json.writeObjectFieldStart("fromIntendedStart");
    long count = Math.max(1, reading.operations().count());
    number(
        "meanMillis",
        reading.operations().meanMillis() + reading.operations().lateSeconds() / count * 1e3);
    number("p50Millis", reading.percentileMillis(50));
    number("p95Millis", reading.percentileMillis(95));
    number("p99Millis", reading.percentileMillis(99));
    number("p999Millis", reading.percentileMillis(99.9));
    number("maxMillis", reading.maxMillis());
    json.writeEndObject();
  }

  private static List<Double> shares(Reading reading) {
    double count = Math.max(1, reading.operations().count());
    return reading.classes().stream().map(ofClass -> ofClass / count).toList();
  }

  private void cost(PointResult point, TestResult result) throws IOException {
    double perOperation = 1e6 / Math.max(1, point.reading().operations().count());
    json.writeObjectFieldStart("cpu");
    number("generatorSeconds", point.cost().generatorSeconds());
    number("generatorMicrosPerOperation", point.cost().generatorSeconds() * perOperation);
    number("generatorShare", point.generatorShare());
    json.writeNumberField("generatorCollectorMillis", point.cost().collectorMillis());
    if (!result.setup().machinery().serverPids().isEmpty()) {
      number("serverSeconds", point.cost().serverSeconds());
      number("serverMicrosPerOperation", point.cost().serverSeconds() * perOperation);
    }
    json.writeEndObject();
  }

  private void errors(Reading reading) throws IOException {
    json.writeNumberField("errors", reading.errors());
    json.writeArrayFieldStart("errorKinds");
    for (Map.Entry<Fault, Reading.Faults> faults : reading.faults().entrySet()) {
      json.writeStartObject();
      json.writeStringField("kind", faults.getKey().label());
      json.writeNumberField("count", faults.getValue().count());
      json.writeStringField("example", faults.getValue().example());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void numbers(String name, List<Double> values) throws IOException {
    json.writeArrayFieldStart(name);
    for (double value : values) {
      json.writeNumber(rounded(value));
    }
    json.writeEndArray();
  }

  private void number(String name, double value) throws IOException {
    json.writeNumberField(name, rounded(value));
  }

  /** Six digits are more than any of these figures has. */
  private static double rounded(double value) {
    return new java.math.BigDecimal(value).round(new java.math.MathContext(6)).doubleValue();
  }
}
