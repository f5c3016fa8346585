package dev.upcall.cli.option;

import dev.upcall.UpcallConfig;
import dev.upcall.config.DiskKind;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a store runs with, whatever is done with it. */
public final class TuningOptions {
  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description =
          "Memory of the store (64m, 2g). Default: an eighth of the machine's or its control"
              + " group's, at most 1g and what the JVM allows.")
  public @Nullable Long memory;

  @Option(
      names = "--disk",
      paramLabel = "auto|ring|channel",
      description = "How the store's file is accessed: io_uring, or a pool of threads.")
  public String disk = "auto";

  @Option(
      names = "--gather",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description =
          "How much new content is gathered before it asks for space: 64k to 16m in steps of 64k,"
              + " at most an eighth of the memory. Default: 1m.")
  public @Nullable Long gather;

  @Mixin KeyOptions key = new KeyOptions();

  /**
   * How to open a store with it, and with the defaults of all else.
   *
   * @param host where a path of the command line leads
   */
  public UpcallConfig config(UnaryOperator<Path> host) {
    long memoryBytes = memory == null ? MemoryChoice.standardBytes() : MemoryChoice.checked(memory);
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(memoryBytes).withDisk(diskKind());
    return key.in(gather == null ? config : gathering(config, gather), host);
  }

  private static UpcallConfig gathering(UpcallConfig config, long bytes) {
    try {
      int gatherBytes = (int) Math.min(bytes, Integer.MAX_VALUE);
      return config.withContent(config.limits().content().withGatherBytes(gatherBytes));
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage("--gather: " + wrong.getMessage());
    }
  }

  private DiskKind diskKind() {
    return switch (disk.toLowerCase(Locale.ROOT)) {
      case "auto" -> DiskKind.AUTO;
      case "ring" -> DiskKind.RING;
      case "channel" -> DiskKind.CHANNEL;
      default -> throw CommandFailure.usage("--disk is auto, ring or channel, not '" + disk + "'");
    };
  }
}
