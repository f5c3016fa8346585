package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.host.DeviceSettings;
import dev.upcall.cli.option.TrafficOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** How long and how often, as all measuring commands are told. */
final class MeasureOptions {
  /** One for each order in which the sides are measured. */
  private static final int QUICK_REPETITIONS = 2;

  private static final int QUICK_MILLIS = 100;

  @Option(
      names = "--quick",
      description = "Tiny inputs, to see that everything works; the figures mean nothing.")
  private boolean quick;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Samples of each entrant, taken in turn. Default: 5")
  private @Nullable Integer repetitions;

  @Option(names = "--seconds", paramLabel = "S", description = "Time of a sample. Default: 3")
  private @Nullable Double seconds;

  @Option(
      names = "--warm-seconds",
      paramLabel = "S",
      description = "The longest warm-up; it ends before when the compiler is quiet. Default: 40")
  private double warmSeconds = 40;

  @Option(
      names = TrafficOptions.POLICY,
      paramLabel = "POLICY",
      description =
          "The I/O scheduler of each store that is measured, with its knobs (docs/blocks.md); engines"
              + " of threads have none, and such a store is not opened. Default: fair")
  private @Nullable String policy;

  @Option(
      names = "--block-traces",
      paramLabel = "DIR",
      description =
          "Each store that is measured writes a block trace into that folder, for upcall blocks; the"
              + " engines of threads do, too.")
  private @Nullable Path traces;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where scratch files go; its device is measured. Default: here")
  private Path directory = Path.of("");

  /**
   * The settings; an error of usage when there are none such.
   *
   * @param kept where inputs stay for the next time, if they do
   * @param ageMinutes how long a sample takes that is about what comes with time
   */
  Settings settings(CommandLine line, @Nullable Path kept, int ageMinutes) {
    double length = seconds == null ? (quick ? QUICK_MILLIS / 1e3 : 3) : seconds;
    int count = repetitions == null ? (quick ? QUICK_REPETITIONS : 5) : repetitions;
    try {
      return new Settings(
          count,
          (int) Math.round(length * 1e3),
          quick ? QUICK_MILLIS : (int) Math.round(warmSeconds * 1e3),
          quick,
          directory,
          kept,
          ageMinutes,
          new DeviceSettings(policy, traces == null ? null : Lab.folder(traces)));
    } catch (IllegalArgumentException | IOException wrong) {
      throw new CommandLine.ParameterException(line, String.valueOf(wrong.getMessage()));
    }
  }
}
