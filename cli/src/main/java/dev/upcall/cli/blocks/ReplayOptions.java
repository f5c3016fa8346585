package dev.upcall.cli.blocks;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.TrafficOptions;
import dev.upcall.config.DiskKind;
import dev.upcall.io.Disk;
import dev.upcall.io.replay.ReplayConfig;
import dev.upcall.io.schedule.IoPolicyConfig;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a trace is played. */
final class ReplayOptions {
  private static final String STANDARD_POLICY = "noop,merge=0,depth=" + ReplayConfig.MAX_DEPTH;

  @Option(
      names = "--overwrite",
      paramLabel = "TARGET",
      description = "The target once more: what is on it may be written over.")
  @Nullable Path overwrite;

  @Option(
      names = "--reads-only",
      description = "Play reads alone; the target stays as it is, and need not be named twice.")
  boolean readsOnly;

  @Option(
      names = "--scale",
      description =
          "Where the target is smaller than the device of the trace, put places there in proportion."
              + " Default: that is refused.")
  boolean scale;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "Size of the scratch file. Default: as far as the trace reaches.")
  @Nullable Long scratchBytes;

  @Option(
      names = "--speed",
      paramLabel = "X",
      description =
          "So many times as fast as it was recorded; 0: as fast as the target does it. Default: 1.")
  double speed = 1;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Requests under way at most. Default: 32.")
  int depth = 32;

  @Option(
      names = TrafficOptions.POLICY,
      paramLabel = "POLICY",
      description =
          "In which order they go to the target: noop, deadline, anticipatory, cfq, fair,"
              + " flat or rotating, with"
              + " knobs behind it. Default: as they come, one by one.")
  @Nullable String policy;

  @Option(
      names = "--disk",
      paramLabel = "auto|ring|channel",
      description = "How the target is accessed: io_uring, or a pool of threads.")
  String disk = "auto";

  IoPolicyConfig policy() {
    return TrafficOptions.parsed(policy == null ? STANDARD_POLICY : policy);
  }

  DiskKind disk() {
    return switch (disk.toLowerCase(Locale.ROOT)) {
      case "auto" -> DiskKind.AUTO;
      case "ring" -> DiskKind.RING;
      case "channel" -> DiskKind.CHANNEL;
      default -> throw CommandFailure.usage("--disk is auto, ring or channel, not '" + disk + "'");
    };
  }

  /**
   * All of it together.
   *
   * @param fromBlocks as far as the trace reaches
   * @param toBlocks what the target has
   */
  ReplayConfig config(long fromBlocks, long toBlocks) {
    try {
      return new ReplayConfig(
          speed, depth, !readsOnly, new ReplayConfig.Scale(Math.max(1, fromBlocks), toBlocks));
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage("--" + wrong.getMessage());
    }
  }

  /** Blocks of a scratch file. */
  long scratchBlocks(long fromBlocks) {
    if (scratchBytes == null) {
      return Math.max(1, fromBlocks);
    }
    if (scratchBytes < Disk.BLOCK_BYTES || scratchBytes % Disk.BLOCK_BYTES != 0) {
      throw CommandFailure.usage("--size is whole blocks of 4k, and at least one");
    }
    return scratchBytes / Disk.BLOCK_BYTES;
  }
}
