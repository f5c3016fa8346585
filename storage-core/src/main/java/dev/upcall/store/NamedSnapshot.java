package dev.upcall.store;

import dev.upcall.content.Times;
import java.time.Instant;
import java.util.Objects;

/**
 * What a named snapshot is and costs.
 *
 * @param name its name
 * @param scn the SCN of the last change in it
 * @param createdNanos when it was made, in nanoseconds since 1970
 * @param exclusiveBytes space of the volume that would come back if it alone were dropped
 */
public record NamedSnapshot(String name, long scn, long createdNanos, long exclusiveBytes) {
  /** Checks that nothing is missing. */
  public NamedSnapshot {
    Objects.requireNonNull(name, "name");
  }

  /** When it was made. */
  public Instant created() {
    return Times.instantOf(createdNanos);
  }
}
