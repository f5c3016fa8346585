package dev.upcall.metrics;

import dev.upcall.fsm.meter.DistributionSnapshot;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Spreads as histograms of Prometheus. Micrometer's own timers would want each single recording;
 * the registry behind takes histograms as they are.
 */
final class PrometheusHistograms {
  /** Upper bounds of times, in nanoseconds: 10 microseconds to 10 seconds. */
  private static final long[] TIME_BOUNDS = {
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    2_500_000_000L,
    5_000_000_000L,
    10_000_000_000L
  };

  /** Upper bounds of other sizes. */
  private static final long[] SIZE_BOUNDS = {1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000};

  private final PrometheusMeterRegistry registry;
  private final MeterReadings readings;
  private final Map<String, Family> families = new LinkedHashMap<>();

  PrometheusHistograms(PrometheusMeterRegistry registry, MeterReadings readings) {
    this.registry = registry;
    this.readings = readings;
  }

  /** Those of a registry that is one of Prometheus. */
  static Consumer<Series> of(MeterRegistry registry, MeterReadings readings) {
    return new PrometheusHistograms((PrometheusMeterRegistry) registry, readings)::add;
  }

  /** Shows a series from now on. */
  void add(Series series) {
    Series.Meter meter = series.meter();
    Family family = families.get(meter.name());
    if (family == null) {
      family = new Family(meter);
      families.put(meter.name(), family);
      family.all.add(series);
      registry.getPrometheusRegistry().register(family);
    } else {
      family.all.add(series);
    }
  }

  /** All series of one name. */
  private final class Family implements Collector {
    private final Series.Meter meter;
    private final String name;
    private final List<Series> all = new CopyOnWriteArrayList<>();

    Family(Series.Meter meter) {
      this.meter = meter;
      this.name =
          registry
              .config()
              .namingConvention()
              .name(meter.name(), Meter.Type.DISTRIBUTION_SUMMARY, meter.baseUnit());
    }

    @Override
    public String getPrometheusName() {
      return name;
    }

    @Override
    public MetricSnapshot collect() {
      HistogramSnapshot.Builder histogram =
          HistogramSnapshot.builder().name(name).help(meter.meaning());
      for (Series series : all) {
        histogram.dataPoint(point(series, readings.spread(series)));
      }
      return histogram.build();
    }
  }

  private static HistogramDataPointSnapshot point(Series series, DistributionSnapshot spread) {
    double scale = MeterReading.scale(series.meter());
    long[] bounds = series.meter().isTime() ? TIME_BOUNDS : SIZE_BOUNDS;
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long below = 0;
    for (long bound : bounds) {
      long upTo = spread.countUpTo(bound);
      buckets.bucket(bound * scale, upTo - below);
      below = upTo;
    }
    buckets.bucket(Double.POSITIVE_INFINITY, spread.count() - below);
    return HistogramDataPointSnapshot.builder()
        .labels(labels(series))
        .classicHistogramBuckets(buckets.build())
        .sum(spread.sum() * scale)
        .build();
  }

  private static Labels labels(Series series) {
    return Labels.of(series.tags().toArray(String[]::new));
  }
}
