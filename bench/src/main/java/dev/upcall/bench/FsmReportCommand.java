package dev.upcall.bench;

import dev.upcall.bench.fsm.FsmReportRun;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.report.Size;
import dev.upcall.bench.report.StudyReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the report's experiments again. Claims go to standard output, progress to the other. */
@Command(
    name = "fsm-report",
    description = {
      "State machines against threads: the report's experiments again, on one page.",
      "Writes fsm-report.html and fsm-report.json when all is measured; Ctrl-C leaves nothing.",
    },
    mixinStandardHelpOptions = true)
final class FsmReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "quick (five minutes on two cores), standard (25 minutes at most), full (40 minutes at"
              + " most), or tiny (seconds, to see that everything works). Default: standard")
  private Size size = Size.STANDARD;

  @Option(names = "--quick", description = "The same as --size quick.")
  private boolean quick;

  @Mixin private ReportFiles files = new ReportFiles();

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where scratch files go; its device is measured. Default: here")
  private Path directory = Path.of("");

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only experiments with this in their titles: stages, web.")
  private String only = "";

  @Override
  public Integer call() throws IOException, InterruptedException {
    Size chosen = quick ? Size.QUICK : size;
    Path folder = files.folder(spec.commandLine());
    Path scratch = ReportFiles.folder(spec.commandLine(), "--dir", directory);
    Size.Time time = chosen.time();
    Settings settings =
        new Settings(
            time.repetitions(),
            time.sampleMillis(),
            time.warmMillis(),
            chosen == Size.TINY,
            scratch);
    try (Lab lab = new Lab(settings, spec.commandLine().getErr())) {
      FsmReportRun run = FsmReportRun.of(lab, chosen, only);
      if (run.isEmpty()) {
        throw new CommandLine.ParameterException(
            spec.commandLine(), "--only: no experiment has \"" + only + "\" in its title");
      }
      StudyReport report;
      try {
        report = run.run();
      } catch (IOException broken) {
        if (lab.isStopped()) {
          return Main.STOPPED;
        }
        throw broken;
      }
      Path page = folder.resolve("fsm-report.html");
      Path data = folder.resolve("fsm-report.json");
      report.write(page, data);
      files.say(spec.commandLine(), report, page, data);
      return run.hasFailures() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }
  }
}
