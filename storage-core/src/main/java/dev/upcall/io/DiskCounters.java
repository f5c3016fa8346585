package dev.upcall.io;

import dev.upcall.fsm.meter.DistributionSnapshot;
import java.util.List;

/**
 * What a disk has done since it was opened; an immutable copy.
 *
 * @param inFlight requests that the device has now
 * @param waiting requests that wait for a place at the device now
 * @param kinds every kind of request, in the order of {@link DiskOperation}
 */
public record DiskCounters(int inFlight, int waiting, List<Kind> kinds) {
  /** Copies the list. */
  public DiskCounters {
    kinds = List.copyOf(kinds);
  }

  /**
   * The requests of one kind.
   *
   * @param operation the kind
   * @param failed how many of them failed at the device
   * @param bytes what the others moved, allocated or gave back
   * @param nanos how long the device had each of them, the failed ones too
   */
  public record Kind(DiskOperation operation, long failed, long bytes, DistributionSnapshot nanos) {
    /** How many the device is done with. */
    public long requests() {
      return nanos.count();
    }
  }

  /** The requests of one kind. */
  public Kind of(DiskOperation operation) {
    return kinds.get(operation.index());
  }
}
