package dev.upcall.store;

import dev.upcall.completion.DamageLog;
import dev.upcall.config.DiskKind;
import java.util.Objects;

/**
 * Numbers of a store.
 *
 * @param volume the volume's name
 * @param scn the newest applied commit
 * @param durableScn the newest durable commit
 * @param sizeBytes the volume's present size
 * @param capBytes what the volume may grow to
 * @param freeBytes free inside the present size, counting what comes back with the next checkpoint
 * @param unplacedBytes dirty content that only the log holds
 * @param readOnlyReason why the store takes no changes, or empty
 * @param opening what was found when it was opened
 * @param disk what transfers: {@code RING} is io_uring, {@code CHANNEL} are threads
 * @param damage what could not be read since, as far as something needs it still
 */
public record StoreInfo(
    String volume,
    long scn,
    long durableScn,
    long sizeBytes,
    long capBytes,
    long freeBytes,
    long unplacedBytes,
    String readOnlyReason,
    OpeningReport opening,
    DiskKind disk,
    DamageLog.Report damage) {
  /** Checks that nothing is missing. */
  public StoreInfo {
    Objects.requireNonNull(volume, "volume");
    Objects.requireNonNull(readOnlyReason, "readOnlyReason");
    Objects.requireNonNull(opening, "opening");
    Objects.requireNonNull(disk, "disk");
    Objects.requireNonNull(damage, "damage");
  }
}
