package dev.upcall.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.admin.MetricsWorld;
import dev.upcall.fsm.meter.Distribution;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.sim.SimClock;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What registries show is what the snapshot says. */
class MetersTest {
  private static final long SECOND = 1_000_000_000L;

  private final MetricsWorld world = new MetricsWorld(3);

  @AfterEach
  void close() {
    world.close();
  }

  private static DistributionSnapshot thousandGets() {
    Distribution nanos = new Distribution();
    for (int i = 1; i <= 1000; i++) {
      nanos.record(i * 1000L);
    }
    return nanos.snapshot();
  }

  @Test
  void theTextIsOfTheFormatAndTellsTheTruth() {
    world.put("/a", "content");
    world.checkpoint();
    MetricsSnapshot snapshot = world.snapshot(MetricsWorld.http(thousandGets()));
    PrometheusText text =
        PrometheusText.parse(
            new String(new MetricsText(world.machine.clock()).format(snapshot), UTF_8));
    assertEquals(7, text.value("upcall_http_requests_total"));
    assertEquals(5, text.value("upcall_http_responses_total{status=\"2xx\"}"));
    assertEquals(0, text.value("upcall_store_read_only"));
    assertEquals(snapshot.store().info().freeBytes(), text.value("upcall_store_free_bytes"));
    assertEquals(
        snapshot.store().log().batchRecords().count(), text.value("upcall_log_batch_count"));
    // One that was asked for, and one of the walk that counts the space.
    assertEquals(2, text.value("upcall_store_checkpoint_seconds_count"));
    assertEquals(1, text.value("upcall_files_request_seconds_count{operation=\"put_commit\"}"));
    assertEquals(1, text.value("upcall_machine_standing{machine=\"LogWriter\",state=\"idle\"}"));
    assertEquals("histogram", text.types.get("upcall_http_request_seconds"));
    String get = "{method=\"GET\"";
    assertEquals(1000, text.value("upcall_http_request_seconds_count" + get + "}"));
    assertEquals(0.5005, text.value("upcall_http_request_seconds_sum" + get + "}"), 1e-9);
    assertEquals(0.001, text.value("upcall_http_request_max_seconds" + get + "}"), 1e-9);
    double p99 = text.value("upcall_http_request_percentile_seconds" + get + ",phi=\"0.99\"}");
    assertTrue(p99 >= 0.00099 && p99 <= 0.001, "99 in 100 took at most " + p99);
    double quick = text.value("upcall_http_request_seconds_bucket" + get + ",le=\"1.0E-4\"}");
    assertTrue(quick <= 100 && quick >= 90, quick + " of 1000 took at most 100 microseconds");
  }

  @Test
  void aParserThatTakesAnythingWouldProveNothing() {
    for (String wrong :
        new String[] {
          "no newline 1",
          "# TYPE a counter\na 1\na 2\n",
          "# TYPE a counter\nb 1\n",
          "# TYPE a counter\na{x=y} 1\n",
          "# TYPE a counter\na -1\n",
          "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
          "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_count 1\n",
          "# TYPE a histogram\na_bucket{le=\"+Inf\"} 2\na_count 1\n",
          "a one\n",
        }) {
      assertThrows(AssertionError.class, () -> PrometheusText.parse(wrong), wrong);
    }
  }

  @Test
  void anyRegistryGetsCountsSumsAndQuantiles() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SimClock clock = new SimClock();
    UpcallMetrics.of(() -> world.snapshot(MetricsWorld.http(thousandGets())), clock)
        .bindTo(registry);
    assertEquals(7, registry.get("upcall.http.requests").functionCounter().count());
    FunctionTimer gets = registry.get("upcall.http.request").tag("method", "GET").functionTimer();
    assertEquals(1000, gets.count());
    assertEquals(500.5, gets.totalTime(TimeUnit.MILLISECONDS), 1e-6);
    assertEquals(
        0.001,
        registry.get("upcall.http.request.max").tag("method", "GET").timeGauge().value(),
        1e-9);
    assertNotNull(
        registry
            .get("upcall.http.request.percentile")
            .tag("method", "GET")
            .tag("phi", "0.999")
            .timeGauge());
    assertEquals("bytes", registry.get("upcall.store.free").gauge().getId().getBaseUnit());
  }

  @Test
  void oneSnapshotServesASecondAndNewSeriesAppear() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SimClock clock = new SimClock();
    int[] taken = new int[1];
    UpcallMetrics metrics =
        UpcallMetrics.of(
            () -> {
              taken[0]++;
              return world.snapshot();
            },
            clock);
    metrics.bindTo(registry);
    registry.getMeters().forEach(meter -> meter.measure().forEach(m -> m.getValue()));
    assertEquals(1, taken[0], "all meters were read from one snapshot");
    assertEquals(
        0, registry.find("upcall.files.request").tag("operation", "put_commit").meters().size());
    world.put("/new", "x");
    clock.advance(SECOND);
    registry.get("upcall.store.scn").gauge().value();
    assertEquals(2, taken[0]);
    assertEquals(
        1,
        registry
            .get("upcall.files.request")
            .tag("operation", "put_commit")
            .functionTimer()
            .count());
  }

  @Test
  void whenTheStoreIsGoneItsLastNumbersStay() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SimClock clock = new SimClock();
    boolean[] closed = new boolean[1];
    UpcallMetrics.of(
            () -> {
              if (closed[0]) {
                throw new IllegalStateException("closed");
              }
              return world.snapshot(MetricsWorld.http(thousandGets()));
            },
            clock)
        .bindTo(registry);
    closed[0] = true;
    clock.advance(SECOND);
    assertEquals(7, registry.get("upcall.http.requests").functionCounter().count());
  }
}
