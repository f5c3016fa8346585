package dev.upcall.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.admin.MetricsWorld;
import dev.upcall.fsm.meter.Distribution;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The page that lists the meters and the meters agree. {@code -Dupcall.docs.write=true} writes the
 * page's table anew.
 */
class MetricsPageTest {
  private static final Path PAGE =
      Path.of("").toAbsolutePath().getParent().resolve("docs/metrics.md");
  private static final String HEAD =
      "| meter | kind | unit | OpenTelemetry | tags | meaning |\n|---|---|---|---|---|---|\n";

  private static final Pattern OPEN_TELEMETRY_NAME =
      Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+");

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(upcall[a-z.]+)` \\|");

  @Test
  void everyMeterStandsOnThePageAndNothingElse() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(HEAD);
    assertTrue(begin >= 0, "the page has its table");
    int end = page.indexOf("\n\n", begin);
    String table = table();
    if (Boolean.getBoolean("upcall.docs.write")) {
      Files.writeString(PAGE, page.substring(0, begin) + table.strip() + page.substring(end));
    } else {
      assertEquals(
          table.strip(),
          page.substring(begin, end).strip(),
          "docs/metrics.md; write it anew with -Dupcall.docs.write=true");
    }
  }

  /** What a registry is given stands on the page, under the same name. */
  @Test
  void aRegistryHasTheMetersOfThePage() throws IOException {
    String page = Files.readString(PAGE);
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (MetricsWorld world = new MetricsWorld(8)) {
      world.put("/a", "x");
      world.transact("/d");
      world.checkpoint();
      Distribution gets = new Distribution();
      gets.record(1);
      UpcallMetrics.of(
              () -> world.snapshot(MetricsWorld.http(gets.snapshot())), world.machine.clock())
          .bindTo(registry);
    }
    TreeSet<String> bound = new TreeSet<>();
    registry.getMeters().forEach(meter -> bound.add(meter.getId().getName()));
    for (String name : bound) {
      String spread = name.replaceAll("\\.percentile$|(?<!queue\\.depth|upcall)\\.max$", "");
      assertTrue(page.contains("| `" + spread + "` |"), name + " does not stand on the page");
    }
    TreeSet<String> listed = new TreeSet<>();
    ROW.matcher(page).results().forEach(row -> listed.add(row.group(1)));
    // Nobody stalled; and what is no time has no timer.
    listed.removeIf(
        name ->
            bound.contains(name)
                || bound.contains(name + ".max")
                || name.startsWith("upcall.dispatcher.stall"));
    assertEquals(new TreeSet<String>(), listed, "on the page and not in the registry");
  }

  private static String table() {
    Map<String, String> rows = new LinkedHashMap<>();
    MeterReading reading = reading();
    List<Series> all = new ArrayList<>(reading.numbers());
    all.addAll(reading.spreads());
    for (Series series : all) {
      Series.Meter meter = series.meter();
      TreeSet<String> tags = new TreeSet<>();
      IntStream.range(0, series.tags().size())
          .filter(i -> i % 2 == 0)
          .forEach(i -> tags.add(series.tags().get(i)));
      String row =
          "| `%s` | %s | %s | %s | %s | %s |\n"
              .formatted(
                  meter.name(),
                  meter.kind().name().toLowerCase(Locale.ROOT),
                  meter.unit(),
                  openTelemetry(meter),
                  String.join(", ", tags),
                  meter.meaning());
      String before = rows.put(meter.name(), row);
      assertTrue(before == null || before.equals(row), "two meanings of " + meter.name());
    }
    return HEAD + String.join("", new TreeSet<>(rows.values()));
  }

  /**
   * The instrument and the unit, in the notation of UCUM, that its conventions give such a meter.
   */
  private static String openTelemetry(Series.Meter meter) {
    assertTrue(
        OPEN_TELEMETRY_NAME.matcher(meter.name()).matches(),
        meter.name() + " is no name of its conventions");
    String instrument =
        switch (meter.kind()) {
          case LEVEL -> "UpDownCounter";
          case COUNT -> "Counter";
          case SPREAD -> "Histogram";
        };
    String unit =
        switch (meter.unit()) {
          case Series.Meter.SECONDS -> "s";
          case Series.Meter.BYTES -> "By";
          case "0 or 1" -> "1";
          default -> "{" + meter.unit() + "}";
        };
    return instrument + ", `" + unit + "`";
  }

  /** A reading of everything, a stall included. */
  private static MeterReading reading() {
    try (MetricsWorld world = new MetricsWorld(4)) {
      Runnable culprit = () -> world.machine.clock().advance(10_000_000);
      world.machine.dispatcher().post(culprit);
      world.put("/a", "x");
      return Catalogue.read(world.snapshot(MetricsWorld.http(new Distribution().snapshot())));
    }
  }
}
