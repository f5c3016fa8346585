package dev.upcall.io.trace;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;

/**
 * A disk that tells of every request before it passes it on. Behind a scheduler it tells what is
 * issued to the device, in front of one what is asked for.
 */
public final class TracedDisk extends ForwardingDisk {
  private final Dispatcher dispatcher;
  private final TraceSink sink;

  /** Tells a sink of what a disk is asked for. */
  public TracedDisk(Disk disk, Dispatcher dispatcher, TraceSink sink) {
    super(disk);
    this.dispatcher = dispatcher;
    this.sink = sink;
  }

  @Override
  public void submit(DiskRequest request) {
    if (!(request instanceof DiskRequest.Stat)) {
      int asker = request.asker();
      int known = asker == 0 ? FlightRecorder.asker(dispatcher.recorder().current()) : asker;
      sink.record(TraceEntry.of(dispatcher.clock().monotonicNanos(), request, known));
    }
    pass(request);
  }
}
