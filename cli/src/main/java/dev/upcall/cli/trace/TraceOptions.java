package dev.upcall.cli.trace;

import dev.upcall.cli.option.OutputOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which records are looked at. */
final class TraceOptions {
  @Mixin OutputOptions output = new OutputOptions();

  @Option(
      names = "--from",
      paramLabel = "DIR|FILE",
      description =
          "A directory into which serve --record writes or wrote, or one file of it. Default: what a"
              + " served store has in memory.")
  @Nullable Path from;

  @Option(
      names = "--store",
      paramLabel = "PATH",
      description = "Which served store, where there is no --from. Default: as of other commands.")
  @Nullable Path store;

  @Option(
      names = "--run",
      paramLabel = "N",
      description = "Which run of the store, with --from: 1 is the newest. Default: 1.")
  int run = 1;
}
