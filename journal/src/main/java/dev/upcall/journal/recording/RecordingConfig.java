package dev.upcall.journal.recording;

import java.time.Duration;
import java.util.Objects;

/**
 * How much of a recording is kept. The oldest files go first, and one file always stays; so there
 * may be a file more than the bounds say.
 *
 * @param maxBytes of all files together
 * @param maxAge how long a file stays that nothing is written into any more
 */
public record RecordingConfig(long maxBytes, Duration maxAge) {
  /** 1 GiB, and a week. */
  public static final RecordingConfig DEFAULT = new RecordingConfig(1L << 30, Duration.ofDays(7));

  /** The fewest bytes: of four files, each as small as it can be. */
  public static final long MIN_BYTES = 16L << 20;

  private static final long MAX_FILE_BYTES = 64L << 20;

  /** Checks the bounds. */
  public RecordingConfig {
    Objects.requireNonNull(maxAge, "maxAge");
    if (maxBytes < MIN_BYTES) {
      throw new IllegalArgumentException("a recording has at least 16 MiB, not " + maxBytes);
    }
    if (maxAge.isNegative() || maxAge.isZero()) {
      throw new IllegalArgumentException("a recording is kept for a while, not " + maxAge);
    }
  }

  /** How large a file becomes before the next one begins. */
  long fileBytes() {
    return Math.min(MAX_FILE_BYTES, maxBytes / 4);
  }
}
