package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.report.FsmReport;
import dev.upcall.bench.report.FsmReportRun;
import dev.upcall.bench.report.Size;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
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

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the report goes; made when it is not there. Default: here")
  private Path out = Path.of("");

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

  @Option(
      names = "--json",
      description = "Print the JSON to standard output too, instead of the claims.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Size chosen = quick ? Size.QUICK : size;
    Path folder = folder("--out", out);
    Path scratch = folder("--dir", directory);
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
      FsmReport report;
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
      FsmReportRun.write(report, page, data);
      say(report, page, data);
      return run.hasFailures() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }
  }

  /** An hour of measuring must not end with a place where nothing can be written. */
  private Path folder(String option, Path path) {
    try {
      return Lab.folder(path);
    } catch (IOException impossible) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), option + ": " + impossible.getMessage());
    }
  }

  private void say(FsmReport report, Path page, Path data) throws IOException {
    PrintWriter terminal = spec.commandLine().getOut();
    if (json) {
      terminal.print(Files.readString(data));
    } else {
      ClaimLines.print(terminal, report.claims());
      terminal.println(page);
      terminal.println(data);
    }
    terminal.flush();
  }
}
