package dev.upcall.io;

import dev.upcall.base.Clock;
import dev.upcall.fsm.meter.Distribution;
import dev.upcall.fsm.meter.StageStamps;
import java.util.List;

/**
 * What a disk counts of its requests. Owner's thread; two readings of the clock a request, and no
 * allocation.
 */
public final class DiskMeter {
  private static final DiskOperation[] OPERATIONS = DiskOperation.values();

  private final Clock clock;
  private final Distribution[] nanos = new Distribution[OPERATIONS.length];
  private final long[] failed = new long[OPERATIONS.length];
  private final long[] blocks = new long[OPERATIONS.length];
  private int inFlight;

  /** Nothing counted yet. */
  public DiskMeter(Clock clock) {
    this.clock = clock;
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = new Distribution();
    }
  }

  /** The device got a request; what is returned goes to {@link #ended}. */
  public long begun() {
    inFlight++;
    return clock.monotonicNanos();
  }

  /** The device is done with a request, whose completion is reaped; stamps that. */
  public void ended(DiskRequest request, boolean done, long begunNanos) {
    inFlight--;
    StageStamps stamps = request.stamps();
    if (stamps != null) {
      stamps.ioFinished();
    }
    int operation = DiskOperation.of(request).index();
    nanos[operation].record(clock.monotonicNanos() - begunNanos);
    if (done) {
      blocks[operation] += DiskRules.blocks(request);
    } else {
      failed[operation]++;
    }
  }

  /**
   * A copy of the counts.
   *
   * @param waiting requests that the disk holds back until the device has a place for them
   */
  public DiskCounters snapshot(int waiting) {
    DiskCounters.Kind[] kinds = new DiskCounters.Kind[OPERATIONS.length];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] =
          new DiskCounters.Kind(
              OPERATIONS[i], failed[i], blocks[i] * Disk.BLOCK_BYTES, nanos[i].snapshot());
    }
    return new DiskCounters(inFlight, waiting, List.of(kinds));
  }
}
