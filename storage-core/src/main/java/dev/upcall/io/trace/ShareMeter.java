package dev.upcall.io.trace;

import dev.upcall.fsm.meter.Distribution;

/** Counts the requests of a direction, a class or an asker. */
final class ShareMeter {
  /** The first request of a direction comes from nowhere. */
  static final long NO_DISTANCE = -1;

  private final Distribution sizes = new Distribution();
  private final Distribution distances = new Distribution();
  private final Distribution waits = new Distribution();
  private long requests;
  private long blocks;

  /**
   * One more.
   *
   * @param distance from the end of the one before of its direction, in blocks
   */
  void add(TraceEntry entry, long distance) {
    long more = entry.run().blocks();
    requests++;
    blocks += more;
    sizes.record(more);
    waits.record(entry.source().waitedNanos());
    if (distance != NO_DISTANCE) {
      distances.record(distance);
    }
  }

  BlockProfile.Share snapshot() {
    return new BlockProfile.Share(
        requests, blocks, sizes.snapshot(), distances.snapshot(), waits.snapshot());
  }
}
