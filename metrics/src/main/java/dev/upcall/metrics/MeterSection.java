package dev.upcall.metrics;

/**
 * What somebody beside the store has counted, such as a server over it: immutable numbers that have
 * names, units and meanings.
 */
@FunctionalInterface
public interface MeterSection {
  /** Adds all of them to a reading. Any thread; the same meters each time. */
  void addTo(MeterReading to);
}
