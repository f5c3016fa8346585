package dev.upcall.buffer;

import dev.upcall.content.LeaseOwner;
import java.util.List;

/**
 * Who holds which leases at one moment, in the order of the oldest lease of each holder.
 *
 * @param holders one line each
 */
public record LedgerSnapshot(List<Holder> holders) {
  /**
   * One holder.
   *
   * @param owner who
   * @param leases how many leases
   * @param bytes of how many bytes
   * @param oldestNanos age of the oldest
   * @param origins where they were taken, oldest first, a few of them; empty unless {@link
   *     BufferConfig#traceOrigins}
   */
  public record Holder(
      LeaseOwner owner, int leases, long bytes, long oldestNanos, List<String> origins) {}

  /** Copies the list. */
  public LedgerSnapshot {
    holders = List.copyOf(holders);
  }

  /** A table for people. */
  String print() {
    if (holders.isEmpty()) {
      return "no leases are out";
    }
    StringBuilder text = new StringBuilder();
    for (Holder holder : holders) {
      text.append(
          "%s holds %d leases, %d bytes, the oldest for %d ms%n"
              .formatted(
                  holder.owner(),
                  holder.leases(),
                  holder.bytes(),
                  holder.oldestNanos() / 1_000_000));
      for (String origin : holder.origins()) {
        text.append("  taken at ").append(origin).append('\n');
      }
    }
    return text.toString();
  }
}
