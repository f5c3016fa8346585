package dev.upcall.bench;

import dev.upcall.bench.ecommerce.study.EcommerceRun;
import dev.upcall.bench.ecommerce.study.StudySize;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
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

/** Makes the study of e-commerce storage again. Claims go to standard output. */
@Command(
    name = "ecommerce",
    description = {
      "Block traffic of TPC-W, RUBiS and TPC-C before a modelled drive, on one page.",
      "All time is virtual: the same size gives the same figures on every machine. Writes"
          + " ecommerce.html and ecommerce.json after each part, so that Ctrl-C leaves what was"
          + " made.",
    },
    mixinStandardHelpOptions = true)
final class EcommerceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "quick (seconds; too small to decide anything), standard (a sixteenth of the paper's"
              + " tables, three seeds, half an hour), or full (five seeds, half an hour of virtual"
              + " time each, several hours). Default: standard")
  private StudySize size = StudySize.STANDARD;

  @Mixin private ReportFiles files = new ReportFiles();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = files.folder(spec.commandLine());
    // Nothing is timed: the lab is for progress, facts and Ctrl-C.
    Settings settings = new Settings(1, 10, 0, size == StudySize.QUICK, folder);
    try (Lab lab = new Lab(settings, spec.commandLine().getErr())) {
      Path page = folder.resolve("ecommerce.html");
      Path data = folder.resolve("ecommerce.json");
      EcommerceRun run = new EcommerceRun(lab, size, page, data);
      StudyReport report;
      try {
        report = run.run();
      } catch (IOException broken) {
        if (lab.isStopped()) {
          return Main.STOPPED;
        }
        throw broken;
      }
      files.say(spec.commandLine(), report, page, data);
      return run.hasFailures() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }
  }
}
