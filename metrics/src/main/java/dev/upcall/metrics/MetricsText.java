package dev.upcall.metrics;

import dev.upcall.base.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;

/**
 * Snapshots as text in the format of Prometheus, version 0.0.4. Takes milliseconds: for a helper
 * thread, one at a time. Needs {@code micrometer-registry-prometheus}, which programs name
 * themselves.
 */
public final class MetricsText {
  /** The type of what comes out. */
  public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MeterReadings readings;

  /** With a registry of its own. */
  public MetricsText(Clock clock) {
    readings = new MeterReadings(clock, null);
    readings.listen(new Binding(registry, readings)::add);
  }

  /** All series of a snapshot. */
  public byte[] format(MetricsSnapshot snapshot) {
    readings.put(snapshot);
    return registry.scrape(MEDIA_TYPE).getBytes(StandardCharsets.UTF_8);
  }
}
