package dev.upcall.metrics;

import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.UpcallException;
import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.RequestDoor;
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
    FileManager files = store.fileManager();
    Dispatcher dispatcher = files.dispatcher();
    Blocking blocking = new Blocking(new RequestDoor("metrics", DOOR_CAPACITY, dispatcher));
    MetricsSource source =
        () ->
            UpcallException.value(
                blocking.await(
                    port -> dispatcher.complete(port, Completion.done(MetricsSnapshot.of(files)))));
    return of(source, dispatcher.clock());
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
