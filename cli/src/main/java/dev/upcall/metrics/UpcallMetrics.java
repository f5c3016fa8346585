package dev.upcall.metrics;

import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.FsmUpcall;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.server.HttpService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a store for a registry of Micrometer; docs/metrics.md lists them. One call binds
 * them:
 *
 * <pre>{@code
 * UpcallMetrics.of(store.fsm()).bindTo(registry);
 * }</pre>
 *
 * <p>A registry that reads its meters gets the numbers of one snapshot, taken in one upcall of the
 * store's thread and at most a second old. Meters of a kind of machine, an operation or a culprit
 * appear when there is the first of it. A {@code PrometheusMeterRegistry} gets real histograms;
 * others get count, sum, maximum and quantiles. When the store is closed the last numbers stay.
 */
public final class UpcallMetrics implements MeterBinder {
  private static final int DOOR_CAPACITY = 4;

  private final MeterReadings readings;

  private UpcallMetrics(MeterReadings readings) {
    this.readings = readings;
  }

  /** The meters of an embedded store. */
  public static UpcallMetrics of(FsmUpcall store) {
    return of(store.fileManager(), () -> null);
  }

  /** The meters of an embedded store and of a server on its thread. */
  public static UpcallMetrics of(FsmUpcall store, HttpService service) {
    return of(store.fileManager(), service.server()::metrics);
  }

  private static UpcallMetrics of(FileManager files, Supplier<@Nullable HttpMetrics> http) {
    Dispatcher dispatcher = files.dispatcher();
    Blocking blocking = new Blocking(new RequestDoor("metrics", DOOR_CAPACITY, dispatcher));
    MetricsSource source =
        () ->
            switch (blocking.<MetricsSnapshot>await(
                port ->
                    dispatcher.complete(
                        port, Completion.done(MetricsSnapshot.of(files, http.get()))))) {
              case Completion.Done<MetricsSnapshot>(MetricsSnapshot snapshot) -> snapshot;
              case Completion.Failed<MetricsSnapshot>(Failure failure) ->
                  throw new IllegalStateException(failure.message());
            };
    return new UpcallMetrics(new MeterReadings(dispatcher.clock(), source));
  }

  /** The meters of whatever snapshots come from. */
  public static UpcallMetrics of(MetricsSource source, Clock clock) {
    return new UpcallMetrics(new MeterReadings(clock, source));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    readings.listen(new Binding(registry, readings)::add);
  }
}
