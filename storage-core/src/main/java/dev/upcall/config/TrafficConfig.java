package dev.upcall.config;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * What is kept of a store's requests to its device.
 *
 * @param file a new file to which a trace is written; empty for none
 * @param maxBytes the trace ends before its file is larger
 * @param measures whether the measures of block traffic are kept while the store is open
 */
public record TrafficConfig(Optional<Path> file, long maxBytes, boolean measures) {
  /** The size at which a trace ends unless said otherwise: some 38 million requests. */
  public static final long DEFAULT_MAX_BYTES = 1L << 30;

  /** The least size of a trace: its header and two blocks. */
  public static final long MIN_BYTES = 3L * 4096;

  /** Nothing is kept. */
  public static final TrafficConfig NONE =
      new TrafficConfig(Optional.empty(), DEFAULT_MAX_BYTES, false);

  /** Checks the limits. */
  public TrafficConfig {
    Objects.requireNonNull(file, "file");
    Limits.atLeast("maxBytes", maxBytes, MIN_BYTES);
  }

  /** With a trace in a new file. */
  public TrafficConfig withFile(Path trace) {
    return new TrafficConfig(
        Optional.of(Objects.requireNonNull(trace, "trace")), maxBytes, measures);
  }

  /** With another size at which the trace ends. */
  public TrafficConfig withMaxBytes(long bytes) {
    return new TrafficConfig(file, bytes, measures);
  }

  /** With measures or without. */
  public TrafficConfig withMeasures(boolean kept) {
    return new TrafficConfig(file, maxBytes, kept);
  }
}
