package dev.upcall.bench;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.timeline.TimelinePage;
import dev.upcall.bench.timeline.TimelineRun;
import dev.upcall.bench.timeline.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One bad quarter of a second as a page. */
@Command(
    name = "timeline",
    description = {
      "Durable creates of 4 KiB by one caller; of the quarter of a second with the slowest a page:",
      "what the caller, the store's thread and the device did in it, by the flight recorder.",
    },
    mixinStandardHelpOptions = true)
final class TimelineCommand implements Callable<Integer> {
  private static final long QUICK_CREATES = 300;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private MeasureOptions options = new MeasureOptions();

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Where the page goes. Default: timeline.html")
  private Path file = Path.of("timeline.html");

  @Option(
      names = "--skip",
      paramLabel = "N",
      description = "Creates before the first that is looked at. Default: 20000")
  private long skipped = 20_000;

  @Option(
      names = "--creates",
      paramLabel = "N",
      description = "Creates that are looked at. Default: 140000")
  private long counted = 140_000;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = spec.commandLine();
    if (skipped < 0 || counted < 1) {
      throw new CommandLine.ParameterException(
          line, "--skip is 0 at least and --creates 1, not %d and %d".formatted(skipped, counted));
    }
    try (Lab lab =
        new Lab(options.settings(line, null, Settings.Age.FULL.minutes()), line.getErr())) {
      boolean quick = lab.settings().quick();
      DeviceChoice device =
          new DeviceChoice(new Fields("timeline", lab.settings().device().workerOptions()));
      Window worst =
          new TimelineRun(
                  lab.scratch().resolve("timeline.upcall"),
                  device.in(UpcallConfig.DEFAULT),
                  quick ? 0 : skipped,
                  quick ? QUICK_CREATES : counted)
              .run();
      Files.writeString(file, TimelinePage.of(worst, Machine.describe(lab)));
      line.getOut()
          .printf(
              "the slowest create of %,d took %.2f ms: %s%n",
              quick ? QUICK_CREATES : counted, worst.worstNanos() / 1e6, file);
      line.getOut().flush();
      return CommandLine.ExitCode.OK;
    }
  }
}
