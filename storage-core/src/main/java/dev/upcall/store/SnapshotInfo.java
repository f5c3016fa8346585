package dev.upcall.store;

import java.time.Duration;

/**
 * What a snapshot costs.
 *
 * @param scn the SCN of the last change in it
 * @param ageNanos how long it has been open
 * @param heldBytes space of the volume that would be free if neither this nor an older snapshot or
 *     reader were there
 * @param copiedBytes heap memory of content that the store has in frames no more
 */
public record SnapshotInfo(long scn, long ageNanos, long heldBytes, long copiedBytes) {
  /** How long it has been open. */
  public Duration age() {
    return Duration.ofNanos(ageNanos);
  }
}
