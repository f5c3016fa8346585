package dev.upcall.cli.option;

import dev.upcall.UpcallConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a store may grow to; for commands that change one. */
public final class VolumeSizeOption {
  @Option(
      names = "--volume-size",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description =
          "What the store's file may grow to (at least 64m). Default: as it was, 256g when new.")
  public @Nullable Long volumeSize;

  /** A configuration with it. */
  public UpcallConfig in(UpcallConfig config) {
    if (volumeSize == null) {
      return config;
    }
    if (volumeSize < UpcallConfig.MIN_CAP_BYTES) {
      throw CommandFailure.usage(
          "--volume-size must be at least "
              + Sizes.show(UpcallConfig.MIN_CAP_BYTES)
              + ", not "
              + Sizes.show(volumeSize));
    }
    return config.withCapBytes(volumeSize);
  }
}
