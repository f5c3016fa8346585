package dev.upcall.store;

import java.util.List;

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
    snapshots = List.copyOf(snapshots);
  }
}
