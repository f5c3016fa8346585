package dev.upcall.store;

import java.util.List;
import java.util.Objects;

/**
 * All named snapshots.
 *
 * @param snapshots each, oldest first
 * @param heldBytes space that would come back if all were dropped: more than what each holds
 *     exclusively, where several hold the same
 */
public record NamedSnapshotList(List<NamedSnapshot> snapshots, long heldBytes) {
  /** Copies. */
  public NamedSnapshotList {
    Objects.requireNonNull(snapshots, "snapshots");
    snapshots = List.copyOf(snapshots);
  }
}
