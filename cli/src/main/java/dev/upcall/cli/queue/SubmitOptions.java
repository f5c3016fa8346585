package dev.upcall.cli.queue;

import dev.upcall.cli.option.Durations;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.Sizes;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all that is put into a queue has in common. */
final class SubmitOptions {
  @Mixin OutputOptions output = new OutputOptions();

  @Option(
      names = "--queue",
      required = true,
      paramLabel = "DIR",
      description = "The queue's directory.")
  Path queue = Path.of("");

  @Option(
      names = "--create",
      description =
          "Make the queue if there is none. Default: a server has made it (serve --queue).")
  boolean create;

  @Option(
      names = "--producer",
      paramLabel = "NAME",
      description =
          "Who asks: requests of one name are done in their order, and one process at a time has it."
              + " Default: submit.")
  String producer = "submit";

  @Option(
      names = "--sync",
      description =
          "Return when it also survives a loss of power. Default: it survives this process.")
  boolean sync;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "Wait so long (30s, 5m) until it is done, and end as the same command without a queue does.")
  @Nullable Duration await;

  @Option(
      names = "--max-queue",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "Refuse when the queue's files have that size. Default: 1g.")
  long maxBytes = 1L << 30;
}
