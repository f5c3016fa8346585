package dev.upcall.io.trace;

import dev.upcall.io.DiskOperation;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;

/**
 * One request to a device.
 *
 * @param timeNanos when it was submitted (monotonic)
 * @param operation what it does
 * @param ioClass how urgent it is
 * @param run which blocks it touches
 * @param source whose it is
 */
public record TraceEntry(
    long timeNanos, DiskOperation operation, IoClass ioClass, Run run, Source source) {

  /**
   * Consecutive blocks.
   *
   * @param block the first; 0 for a sync
   * @param blocks how many; 0 for a sync
   */
  public record Run(long block, long blocks) {
    /** The block behind the last one. */
    public long end() {
      return block + blocks;
    }
  }

  /**
   * Who is behind a request.
   *
   * @param asker who asks, 0 for nobody in particular; of merged requests the first
   * @param parts how many requests were merged
   * @param waitedNanos for how long it was held back before it was submitted; of merged requests
   *     the first
   */
  public record Source(int asker, int parts, long waitedNanos) {
    /** A request of nobody in particular that was not held back. */
    public static final Source UNKNOWN = new Source(0, 1, 0);
  }

  /** What is known of a request that is being submitted. */
  public static TraceEntry of(long timeNanos, DiskRequest request) {
    return of(timeNanos, request, request.asker());
  }

  /** The same of somebody of whom the request does not know. */
  static TraceEntry of(long timeNanos, DiskRequest request, int asker) {
    int parts = request.parts();
    long waitedNanos = request.waitedNanos();
    boolean isUnknown = asker == 0 && parts == 1 && waitedNanos == 0;
    return new TraceEntry(
        timeNanos,
        request.operation(),
        request.ioClass(),
        new Run(request.firstBlock(), request.blocks()),
        isUnknown ? Source.UNKNOWN : new Source(asker, parts, waitedNanos));
  }
}
