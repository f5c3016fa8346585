package dev.upcall.metrics;

import dev.upcall.base.Clock;
import dev.upcall.fsm.meter.DistributionSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The present reading, for all who read meters. A registry asks for one number after the other, so
 * a reading serves for a second, and one snapshot of the store for all of them. Any thread but the
 * dispatcher's, where it takes no new one.
 */
final class MeterReadings {
  private static final long MAX_AGE_NANOS = 1_000_000_000L;
  private static final System.Logger LOG = System.getLogger(MeterReadings.class.getName());

  private final Clock clock;
  private final @Nullable MetricsSource source;
  private final List<Consumer<MeterReading>> listeners = new ArrayList<>();
  private volatile MeterReading present = new MeterReading();
  private volatile long takenNanos;
  private boolean ended;

  /**
   * No reading yet.
   *
   * @param source asked when a reading is too old; null when all are {@link #put} here
   */
  MeterReadings(Clock clock, @Nullable MetricsSource source) {
    this.clock = clock;
    this.source = source;
    this.takenNanos = clock.monotonicNanos() - MAX_AGE_NANOS;
  }

  /** Lets somebody hear of the present reading and of each new one, one at a time. */
  synchronized void listen(Consumer<MeterReading> listener) {
    refresh();
    listeners.add(listener);
    listener.accept(present);
  }

  /** Makes a snapshot the present reading. */
  synchronized void put(MetricsSnapshot snapshot) {
    MeterReading next = Catalogue.read(snapshot);
    present = next;
    takenNanos = clock.monotonicNanos();
    listeners.forEach(listener -> listener.accept(next));
  }

  /** The number of a level or count. */
  double number(Series series) {
    return fresh().number(series);
  }

  /** A spread. */
  DistributionSnapshot spread(Series series) {
    return fresh().spread(series);
  }

  /** The present reading, whatever its age. */
  MeterReading present() {
    return present;
  }

  private MeterReading fresh() {
    if (source != null && isOld()) {
      refresh();
    }
    return present;
  }

  private boolean isOld() {
    return clock.monotonicNanos() - takenNanos >= MAX_AGE_NANOS;
  }

  private synchronized void refresh() {
    if (source == null || ended || !isOld()) {
      return;
    }
    try {
      put(source.take());
    } catch (RuntimeException over) {
      // The store was closed or has failed. Its last numbers stay; nothing will change them.
      ended = true;
      LOG.log(System.Logger.Level.DEBUG, "no more metrics of a store", over);
    }
  }
}
