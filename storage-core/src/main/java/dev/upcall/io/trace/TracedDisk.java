package dev.upcall.io.trace;

import dev.upcall.base.Clock;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;

/**
 * A disk that tells of every request before it passes it on. Behind a scheduler it tells what is
 * issued to the device, in front of one what is asked for.
 */
public final class TracedDisk extends ForwardingDisk {
  private final Clock clock;
  private final TraceSink sink;

  /** Tells a sink of what a disk is asked for. */
  public TracedDisk(Disk disk, Clock clock, TraceSink sink) {
    super(disk);
    this.clock = clock;
    this.sink = sink;
  }

  @Override
  public void submit(DiskRequest request) {
    if (!(request instanceof DiskRequest.Stat)) {
      sink.record(TraceEntry.of(clock.monotonicNanos(), request));
    }
    pass(request);
  }
}
