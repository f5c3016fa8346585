package dev.upcall.metrics;

import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.httpd.server.HttpService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

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
    return of(store.fileManager(), HttpSource.of(() -> null));
  }

  /** The meters of an embedded store and of its server. */
  public static UpcallMetrics of(FsmUpcall store, HttpService service) {
    return of(store.fileManager(), HttpSource.of(service));
  }

  private static UpcallMetrics of(FileManager files, HttpSource http) {
    Dispatcher dispatcher = files.dispatcher();
    Blocking blocking = new Blocking(new RequestDoor("metrics", DOOR_CAPACITY, dispatcher));
    MetricsSource source =
        () ->
            switch (blocking.<MetricsSnapshot>await(
                port ->
                    http.ask(
                        counts ->
                            dispatcher.complete(
                                port, Completion.done(MetricsSnapshot.of(files, counts)))))) {
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
