package dev.upcall.txn.metrics;

import dev.upcall.buffer.BufferCounters;
import dev.upcall.fsm.MachineCounts;
import dev.upcall.fsm.meter.DispatcherMetrics;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.pressure.PlaceCounters;
import dev.upcall.pressure.PressureCounters;
import dev.upcall.store.StoreInfo;
import dev.upcall.txn.log.LogCounters;
import java.util.List;

/**
 * Everything that a store counts, as of one moment; an immutable copy for any thread.
 *
 * @param dispatcher the thread that it runs on
 * @param machines the state machines on that thread, those of other stores and servers too
 * @param info sizes, SCNs and whether it takes changes
 * @param pressure what is scarce, from which levels on that matters, and who waits
 * @param places what is limited in number, and who waits for it
 * @param work requests, pages, commits and checkpoints
 * @param transactions transactions and locks
 * @param snapshots snapshots and what they hold
 * @param log the write-ahead log
 * @param buffers memory for content
 * @param disk the device
 * @param traffic what is kept of the requests to it
 */
public record StoreMetrics(
    DispatcherMetrics dispatcher,
    List<MachineCounts> machines,
    StoreInfo info,
    List<PressureCounters> pressure,
    List<PlaceCounters> places,
    StoreWork work,
    TransactionCounters transactions,
    SnapshotCounters snapshots,
    LogCounters log,
    BufferCounters buffers,
    DiskCounters disk,
    BlockTraffic.Counts traffic) {
  /** Copies the lists. */
  public StoreMetrics {
    machines = List.copyOf(machines);
    pressure = List.copyOf(pressure);
    places = List.copyOf(places);
  }
}
