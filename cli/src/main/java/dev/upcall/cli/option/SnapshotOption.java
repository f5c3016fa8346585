package dev.upcall.cli.option;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which state of the store is read. */
public final class SnapshotOption {
  @Option(
      names = "--snapshot",
      paramLabel = "NAME",
      description = "As of this snapshot (see: upcall snapshot --help). Default: as it is now.")
  public @Nullable String name;
}
