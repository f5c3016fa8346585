package dev.upcall.store;

import java.util.Objects;

/**
 * One limit of what may be asked of a store.
 *
 * @param name as {@code upcall config} shows it
 * @param meaning what is limited
 * @param unit of both values
 * @param usual the value unless said otherwise
 * @param value the value that holds
 * @param beyond what happens to what goes beyond it
 * @param setting what sets it; empty for one that is the same for all
 */
public record Limit(
    String name, String meaning, Unit unit, long usual, long value, Beyond beyond, String setting) {
  /** In what a limit is counted. */
  public enum Unit {
    /** Things of the kind that its meaning names. */
    COUNT,
    /** Bytes. */
    BYTES,
    /** A span, in nanoseconds. */
    NANOSECONDS
  }

  /** What happens to what goes beyond a limit; nothing of it has happened where it is refused. */
  public enum Beyond {
    /** Refused with {@code Busy}: later it may do. */
    BUSY("`Busy`"),
    /** Refused with {@code Invalid}. */
    INVALID("`Invalid`"),
    /** Refused with {@code TooLarge}. */
    TOO_LARGE("`TooLarge`"),
    /** Refused with {@code LinkLoop}. */
    LINK_LOOP("`LinkLoop`"),
    /** Refused with {@code LockTimeout}. */
    LOCK_TIMEOUT("`LockTimeout`"),
    /** Refused with {@code VolumeFull}. */
    VOLUME_FULL("`VolumeFull`"),
    /** The last {@code Conflict} or {@code Deadlock} comes out. */
    CONFLICT("`Conflict` or `Deadlock`"),
    /** It is rolled back. */
    ROLLED_BACK("rolled back"),
    /** It is acknowledged when it is durable, as with {@code SYNC}. */
    DURABLE_FIRST("as `SYNC`"),
    /** It waits until there is room. */
    WAITS("waits"),
    /** It comes in several pieces. */
    IN_PIECES("in pieces"),
    /** It is counted, and not listed. */
    COUNTED("counted only");

    private final String words;

    Beyond(String words) {
      this.words = words;
    }

    /** In words, the names of failures as code. */
    public String words() {
      return words;
    }
  }

  /** Checks that nothing is missing. */
  public Limit {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(meaning, "meaning");
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(beyond, "beyond");
    Objects.requireNonNull(setting, "setting");
  }

  /** Whether it is the same for all stores. */
  public boolean isFixed() {
    return setting.isEmpty();
  }
}
