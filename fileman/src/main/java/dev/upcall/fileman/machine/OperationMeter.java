package dev.upcall.fileman.machine;

import dev.upcall.FileManagerInfo;
import dev.upcall.FileManagerMetrics;
import dev.upcall.FileOperation;
import dev.upcall.fsm.meter.Distribution;
import java.util.ArrayList;
import java.util.List;

/** Counts and times the requests of a file manager; dispatcher's thread only. */
final class OperationMeter {
  private static final FileOperation[] OPERATIONS = FileOperation.values();

  private final Distribution[] nanos = new Distribution[OPERATIONS.length];
  private final long[] failed = new long[OPERATIONS.length];
  private long refused;

  /** Nothing counted yet. */
  OperationMeter() {
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = new Distribution();
    }
  }

  /** A request was completed. */
  void completed(FileOperation operation, long tookNanos, boolean done) {
    nanos[operation.index()].record(tookNanos);
    if (!done) {
      failed[operation.index()]++;
    }
  }

  /** A request was not let in. */
  void refused() {
    refused++;
  }

  /**
   * A copy of the counts.
   *
   * @param looked what was answered elsewhere
   */
  FileManagerMetrics snapshot(FileManagerInfo info, long looked) {
    List<FileManagerMetrics.Counts> counts = new ArrayList<>(OPERATIONS.length);
    for (int i = 0; i < OPERATIONS.length; i++) {
      counts.add(new FileManagerMetrics.Counts(OPERATIONS[i], failed[i], nanos[i].snapshot()));
    }
    return new FileManagerMetrics(info, refused, looked, counts);
  }
}
