package dev.upcall.cli.option;

import dev.upcall.Engine;
import dev.upcall.UpcallConfig;
import dev.upcall.config.TrafficConfig;
import dev.upcall.io.schedule.IoPolicyConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How requests go to the device, and what is kept of them; for commands that serve a store. */
public final class TrafficOptions {
  /** The name of the option that chooses the scheduler. */
  public static final String POLICY = "--io-policy";

  private static final String FILE = "--block-trace";

  @Option(
      names = POLICY,
      paramLabel = "POLICY",
      description =
          "In which order requests go to the device: fair, flat, rotating, noop, deadline,"
              + " anticipatory or cfq, with"
              + " knobs behind it (deadline,depth=32,read=500ms). Default: fair.")
  public @Nullable String policy;

  @Option(
      names = FILE,
      paramLabel = "FILE",
      description =
          "Write each request to the device into that new file, for upcall blocks: time, place, size,"
              + " class and who asks; no contents.")
  public @Nullable Path file;

  @Option(
      names = FILE + "-bytes",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "The trace ends before its file is larger. Default: 1g.")
  public @Nullable Long maxBytes;

  @Option(
      names = "--block-measures",
      description = "Keep the measures of block traffic (upcall.blocks meters).")
  public boolean measures;

  /**
   * A configuration with them.
   *
   * @param directory the current one
   */
  public UpcallConfig in(UpcallConfig config, Path directory) {
    if (policy != null && config.engine() != Engine.FSM) {
      throw CommandFailure.usage(
          POLICY
              + " needs --engine=fsm: the threads of the others send their requests themselves, and"
              + " nothing schedules them");
    }
    if (file == null && maxBytes != null) {
      throw CommandFailure.usage(FILE + "-bytes goes with " + FILE);
    }
    TrafficConfig traffic = TrafficConfig.NONE.withMeasures(measures);
    if (file != null) {
      traffic = traffic.withFile(directory.resolve(file));
    }
    if (maxBytes != null) {
      try {
        traffic = traffic.withMaxBytes(maxBytes);
      } catch (IllegalArgumentException wrong) {
        throw CommandFailure.usage(FILE + "-bytes: " + wrong.getMessage());
      }
    }
    UpcallConfig kept = config.withTraffic(traffic);
    if (policy == null) {
      return kept;
    }
    parsed(policy);
    return kept.withIoPolicy(policy);
  }

  /** What people have written of a policy. */
  public static IoPolicyConfig parsed(String text) {
    try {
      return IoPolicyConfig.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(POLICY + ": " + wrong.getMessage());
    }
  }
}
