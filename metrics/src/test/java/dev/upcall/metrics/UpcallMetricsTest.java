package dev.upcall.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.config.TrafficConfig;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The meters of a store that a program embeds, with nothing of a web server on the class path. */
class UpcallMetricsTest {
  private static final UpcallConfig CONFIG =
      UpcallConfig.DEFAULT
          .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
          .withCapBytes(UpcallConfig.MIN_CAP_BYTES);
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(upcall[a-z.]+)` \\|");

  /** Of what stands over a store, and of the engine of threads; of stalls, which come by chance. */
  private static final Pattern OF_OTHERS =
      Pattern.compile("upcall\\.(http|queue|recording|threads)\\..*|upcall\\.dispatcher\\.stall.*");

  @TempDir Path folder;

  @Test
  void aRegistryHasAllMetersOfThePage() throws IOException {
    Set<String> bound = new TreeSet<>();
    with(new SimpleMeterRegistry(), registry -> names(registry, bound));
    List<String> missing = new ArrayList<>();
    ROW.matcher(Files.readString(Path.of("").toAbsolutePath().resolveSibling("docs/metrics.md")))
        .results()
        .map(row -> row.group(1))
        .filter(name -> !OF_OTHERS.matcher(name).matches())
        .filter(name -> !bound.contains(name) && !bound.contains(name + ".max"))
        .forEach(missing::add);
    assertEquals(List.of(), missing, "on the page and not in the registry");
    assertTrue(bound.stream().noneMatch(name -> name.startsWith("upcall.http.")));
  }

  @Test
  void whatTheyTellIsTheStores() {
    with(
        new SimpleMeterRegistry(),
        registry -> {
          assertEquals(0, registry.get("upcall.store.read.only").gauge().value());
          assertEquals(
              UpcallConfig.MIN_CAP_BYTES, registry.get("upcall.store.cap").gauge().value());
          assertEquals(
              1,
              registry
                  .get("upcall.transactions.ended")
                  .tag("end", "committed")
                  .functionCounter()
                  .count());
          assertTrue(registry.get("upcall.log.records").functionCounter().count() >= 2);
        });
  }

  @Test
  void prometheusGetsHistograms() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    with(
        prometheus,
        registry -> {
          String text = prometheus.scrape();
          assertTrue(text.contains("# TYPE upcall_store_commit_seconds histogram"), text);
          assertTrue(text.contains("upcall_store_commit_seconds_bucket{le=\"+Inf\"} "), text);
        });
  }

  /** As in a program that has no Prometheus: its classes cannot be loaded. */
  @Test
  void nobodyNeedsPrometheus() throws Exception {
    try (PartialClassPath without = new PartialClassPath("prometheus")) {
      assertThrows(ClassNotFoundException.class, () -> without.load(PROMETHEUS));
      Class<?> alone = without.load(StoreWithMeters.class.getName());
      Object count = alone.getMethod("count", Path.class).invoke(null, folder.resolve("volume"));
      assertTrue((Integer) count > 100, count + " meters");
    }
  }

  private static final String PROMETHEUS =
      "io.micrometer.prometheusmetrics.PrometheusMeterRegistry";

  /** How many requests wait for a lock. */
  private static long waiting(FsmUpcall store) {
    CompletableFuture<Integer> count = new CompletableFuture<>();
    store.execute(
        () ->
            count.complete(store.fileManager().store().metrics().transactions().locks().waiting()));
    return count.join();
  }

  /** The space of a store has meters from the first count on. */
  private static void count(FsmUpcall store) {
    CompletableFuture<Completion<VerifyReport>> counted = new CompletableFuture<>();
    store.execute(
        () ->
            store
                .fileManager()
                .store()
                .verify(
                    new VerifyOptions(/* readContent= */ false),
                    (at, of) -> true,
                    counted::complete));
    assertInstanceOf(Completion.Done.class, counted.join());
  }

  private static void names(MeterRegistry registry, Set<String> into) {
    registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName).forEach(into::add);
  }

  private void with(MeterRegistry registry, Consumer<MeterRegistry> look) {
    UpcallConfig config =
        CONFIG.withTraffic(TrafficConfig.NONE.withFile(folder.resolve("trace")).withMeasures(true));
    try (FsmUpcall store = Upcall.create(folder.resolve("volume"), config).fsm();
        ExecutorService waiter = Executors.newSingleThreadExecutor()) {
      store.write("/a", "content".getBytes(UTF_8));
      try (UpcallTransaction change = store.begin()) {
        change.write("/b", "content".getBytes(UTF_8));
        Future<?> other = waiter.submit(() -> store.write("/b", "later".getBytes(UTF_8)));
        while (waiting(store) == 0) {
          assertFalse(other.isDone(), "nobody may have it before the commit");
        }
        change.commit();
      }
      store.checkpoint();
      count(store);
      UpcallMetrics.of(store).bindTo(registry);
      look.accept(registry);
    }
  }
}
