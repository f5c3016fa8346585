package dev.upcall.io.trace;

/** Counts the requests of one direction. */
final class DirectionMeter {
  private static final long NOWHERE = -1;

  private final ShareMeter all = new ShareMeter();
  private long sequential;
  private long sequentialToAny;
  private long end = NOWHERE;

  /**
   * One more.
   *
   * @param endOfAny where the request before ended, of whatever direction; -1 if there was none
   * @return how far it is from the end of the one before, in blocks
   */
  long add(TraceEntry entry, long endOfAny) {
    TraceEntry.Run run = entry.run();
    long distance = end == NOWHERE ? ShareMeter.NO_DISTANCE : Math.abs(run.block() - end);
    all.add(entry, distance);
    sequential += run.block() == end ? 1 : 0;
    sequentialToAny += run.block() == endOfAny ? 1 : 0;
    end = run.end();
    return distance;
  }

  DirectionProfile snapshot() {
    BlockProfile.Share share = all.snapshot();
    return new DirectionProfile(
        share.requests(),
        share.blocks(),
        sequential,
        sequentialToAny,
        share.sizes(),
        share.distances(),
        share.waits());
  }
}
