package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.report.Paper;
import dev.upcall.bench.report.PaperRun;
import dev.upcall.bench.report.StudyReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Makes a paper's experiments again. Page and data have the command's name. */
abstract class PaperCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ReportFiles files = new ReportFiles();

  /** Whether too little is done to decide anything. */
  abstract boolean isQuick();

  /** What is made. */
  abstract Paper paper(Lab lab);

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = spec.commandLine();
    Path folder = files.folder(line);
    // Nothing is sampled: the lab is for volumes, progress, facts and Ctrl-C.
    Settings settings = new Settings(1, 10, 0, isQuick(), folder);
    try (Lab lab = new Lab(settings, line.getErr())) {
      Path page = folder.resolve(line.getCommandName() + ".html");
      Path data = folder.resolve(line.getCommandName() + ".json");
      PaperRun run = new PaperRun(lab, page, data);
      StudyReport report;
      try {
        report = run.make(paper(lab));
      } catch (IOException broken) {
        if (lab.isStopped()) {
          return Main.STOPPED;
        }
        throw broken;
      }
      files.say(line, report, page, data);
      return run.hasFailures() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }
  }
}
