package dev.upcall.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Series as meters of one registry. A meter reads its number out of the present reading; so nothing
 * is done here while the store runs, but for series that are new.
 */
final class Binding {
  /** The quantiles that are given as numbers, besides the histogram. */
  static final double[] QUANTILES = {0.5, 0.9, 0.99, 0.999};

  private static final String PROMETHEUS =
      "io.micrometer.prometheusmetrics.PrometheusMeterRegistry";

  private final MeterRegistry registry;
  private final MeterReadings readings;
  private final Set<Series> known = new LinkedHashSet<>();
  private final @Nullable Consumer<Series> histograms;

  Binding(MeterRegistry registry, MeterReadings readings) {
    this.registry = registry;
    this.readings = readings;
    // By its name: without Prometheus on the class path nothing of it may be linked.
    this.histograms =
        isPrometheus(registry.getClass()) ? PrometheusHistograms.of(registry, readings) : null;
  }

  /** Registers what a reading has that was not there before. One thread at a time. */
  void add(MeterReading reading) {
    for (Series series : reading.numbers()) {
      if (known.add(series)) {
        number(series);
      }
    }
    for (Series series : reading.spreads()) {
      if (reading.spread(series).count() > 0 && known.add(series)) {
        spread(series);
      }
    }
  }

  private void number(Series series) {
    Series.Meter meter = series.meter();
    ToDoubleFunction<MeterReadings> value = from -> from.number(series);
    switch (meter.kind()) {
      case LEVEL -> gauge(series, meter.name(), Tags.empty(), value);
      case COUNT ->
          // The registry holds the function strongly, and what it reads only weakly.
          FunctionCounter.builder(meter.name(), readings, strongly(value))
              .tags(tags(series))
              .baseUnit(meter.baseUnit())
              .description(meter.meaning())
              .register(registry);
      case SPREAD -> throw new IllegalArgumentException("not one number: " + series);
    }
  }

  private void spread(Series series) {
    Series.Meter meter = series.meter();
    double scale = MeterReading.scale(meter);
    gauge(series, meter.name() + ".max", Tags.empty(), r -> r.spread(series).max() * scale);
    for (double quantile : QUANTILES) {
      gauge(
          series,
          meter.name() + ".percentile",
          Tags.of("phi", Double.toString(quantile)),
          r -> r.spread(series).quantile(quantile) * scale);
    }
    if (histograms != null) {
      histograms.accept(series);
    } else if (meter.isTime()) {
      FunctionTimer.builder(
              meter.name(),
              readings,
              r -> readings.spread(series).count(),
              r -> readings.spread(series).sum(),
              TimeUnit.NANOSECONDS)
          .tags(tags(series))
          .description(meter.meaning())
          .register(registry);
    }
  }

  private void gauge(Series series, String name, Tags more, ToDoubleFunction<MeterReadings> value) {
    Series.Meter meter = series.meter();
    Tags tags = tags(series).and(more);
    if (meter.isTime()) {
      TimeGauge.builder(name, readings, TimeUnit.SECONDS, strongly(value))
          .tags(tags)
          .description(meter.meaning())
          .strongReference(true)
          .register(registry);
    } else {
      Gauge.builder(name, readings, value)
          .tags(tags)
          .baseUnit(meter.baseUnit())
          .description(meter.meaning())
          .strongReference(true)
          .register(registry);
    }
  }

  /** A function that keeps alive what it reads. */
  private ToDoubleFunction<MeterReadings> strongly(ToDoubleFunction<MeterReadings> value) {
    MeterReadings kept = readings;
    return from -> value.applyAsDouble(kept);
  }

  private static boolean isPrometheus(@Nullable Class<?> registry) {
    return registry != null
        && (registry.getName().equals(PROMETHEUS) || isPrometheus(registry.getSuperclass()));
  }

  private static Tags tags(Series series) {
    return Tags.of(series.tags().toArray(String[]::new));
  }
}
