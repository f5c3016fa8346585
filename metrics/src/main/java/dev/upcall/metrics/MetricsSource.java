package dev.upcall.metrics;

/** Where snapshots come from. */
@FunctionalInterface
public interface MetricsSource {
  /**
   * Takes a snapshot and waits for it; any thread but the dispatcher's. What it throws means that
   * there is none any more, such as after the store's end.
   */
  MetricsSnapshot take();
}
