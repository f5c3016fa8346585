package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.largeobject.study.LargeObjectsRun;
import dev.upcall.bench.largeobject.study.StudySize;
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

/** Makes the large-object paper's experiments again. Claims go to standard output. */
@Command(
    name = "large-objects",
    description = {
      "Inserts and deletes in the middle of large objects: ESM, Starburst and EOS, on one page.",
      "Counts what the paper's disk would do; then measures the same streams on the store, whose"
          + " volumes lie in --out meanwhile. Writes large-objects.html and large-objects.json after"
          + " each experiment, so that Ctrl-C leaves what was made.",
    },
    mixinStandardHelpOptions = true)
final class LargeObjectsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "quick (seconds; too few operations to decide most claims), standard (what the paper did,"
              + " three seeds; a fifth of the operations on the store; half an hour or so on two"
              + " idle cores), or full (nine seeds; all operations on the store, and objects of 10 GB, too,"
              + " which takes hours and 25 GB of room). Default: standard")
  private StudySize size = StudySize.STANDARD;

  @Mixin private ReportFiles files = new ReportFiles();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = files.folder(spec.commandLine());
    // Nothing is sampled: the lab is for volumes, progress, facts and Ctrl-C.
    Settings settings = new Settings(1, 10, 0, size == StudySize.QUICK, folder);
    try (Lab lab = new Lab(settings, spec.commandLine().getErr())) {
      Path page = folder.resolve("large-objects.html");
      Path data = folder.resolve("large-objects.json");
      LargeObjectsRun run = new LargeObjectsRun(lab, size, page, data);
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
