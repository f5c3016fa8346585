package dev.upcall.cli.option;

import dev.upcall.UpcallConfig;
import picocli.CommandLine.Option;

/** Looking at a store without a change to its file; for commands that look. */
public final class ReadOnlyOption {
  @Option(
      names = "--read-only",
      description =
          "Leave the store's file as it is, byte for byte; it need not be writable. Also opens a"
              + " damaged store, with what is left of it, and says what is missing.")
  public boolean readOnly;

  /** A configuration with it. */
  public UpcallConfig in(UpcallConfig config) {
    return config.withReadOnly(readOnly);
  }
}
