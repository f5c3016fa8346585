package dev.upcall.cli.option;

import dev.upcall.UpcallConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much the flight recorder remembers; for commands that have a store open for long. */
public final class RecordsKeptOption {
  /** Its name. */
  public static final String NAME = "--records-kept";

  @Option(
      names = NAME,
      paramLabel = "NUMBER",
      description =
          "How many records the flight recorder keeps in memory, 48 bytes each: a power of two, or 0"
              + " to record nothing. Default: 65536.")
  public @Nullable Integer recordsKept;

  /** A configuration with it. */
  public UpcallConfig in(UpcallConfig config) {
    if (recordsKept == null) {
      return config;
    }
    try {
      return config.withRecordsKept(recordsKept);
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(NAME + ": " + wrong.getMessage());
    }
  }
}
