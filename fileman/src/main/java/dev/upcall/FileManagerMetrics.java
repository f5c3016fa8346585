package dev.upcall;

import dev.upcall.fsm.meter.DistributionSnapshot;
import java.util.List;
import java.util.Objects;

/**
 * What a file manager has done since it was opened, as of one moment; an immutable copy for any
 * thread.
 *
 * @param info where it stands
 * @param refused requests that got {@code Busy} because there were too many inside
 * @param looked looks that were answered on the threads of their callers, and are in no operation
 * @param operations every operation, in the order of {@link FileOperation}
 */
public record FileManagerMetrics(
    FileManagerInfo info, long refused, long looked, List<Counts> operations) {
  /** Copies the list. */
  public FileManagerMetrics {
    Objects.requireNonNull(info, "info");
    Objects.requireNonNull(operations, "operations");
    operations = List.copyOf(operations);
  }

  /**
   * One operation.
   *
   * @param operation which
   * @param failed how many requests ended with a failure
   * @param nanos from the request to its completion, the failed ones too; those that were refused
   *     at the entrance do not count
   */
  public record Counts(FileOperation operation, long failed, DistributionSnapshot nanos) {
    /** Checks that nothing is missing. */
    public Counts {
      Objects.requireNonNull(operation, "operation");
      Objects.requireNonNull(nanos, "nanos");
    }
  }

  /** One operation. */
  public Counts of(FileOperation operation) {
    Objects.requireNonNull(operation, "operation");
    return operations.get(operation.index());
  }
}
