package dev.upcall.io.trace;

import dev.upcall.fsm.meter.Distribution;

/** Counts the requests of one direction. */
final class DirectionMeter {
  private static final long NOWHERE = -1;

  private final Distribution sizes = new Distribution();
  private final Distribution distances = new Distribution();
  private long requests;
  private long blocks;
  private long sequential;
  private long sequentialToAny;
  private long end = NOWHERE;

  /**
   * One more.
   *
   * @param endOfAny where the request before ended, of whatever direction; -1 if there was none
   */
  void add(TraceEntry.Run run, long endOfAny) {
    requests++;
    blocks += run.blocks();
    sizes.record(run.blocks());
    if (end != NOWHERE) {
      distances.record(Math.abs(run.block() - end));
    }
    sequential += run.block() == end ? 1 : 0;
    sequentialToAny += run.block() == endOfAny ? 1 : 0;
    end = run.end();
  }

  DirectionProfile snapshot() {
    return new DirectionProfile(
        requests, blocks, sequential, sequentialToAny, sizes.snapshot(), distances.snapshot());
  }
}
