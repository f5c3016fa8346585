package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.report.Paper;
import dev.upcall.bench.report.PaperRun;
import dev.upcall.bench.report.StudyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where a report goes, what is said of it, and how one of a paper is made. */
final class ReportFiles {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the report goes; made when it is not there. Default: here")
  private Path out = Path.of("");

  @Option(
      names = "--json",
      description = "Print the JSON to standard output too, instead of the claims.")
  private boolean json;

  /** The folder of the report. */
  Path folder(CommandLine line) {
    return folder(line, "--out", out);
  }

  /** An hour of measuring must not end with a place where nothing can be written. */
  static Path folder(CommandLine line, String option, Path path) {
    try {
      return Lab.folder(path);
    } catch (IOException impossible) {
      throw new CommandLine.ParameterException(line, option + ": " + impossible.getMessage());
    }
  }

  /**
   * Makes a paper's experiments again. Page and data have the command's name.
   *
   * @param isQuick whether too little is done to decide anything
   * @return the command's exit code
   */
  int make(CommandLine line, boolean isQuick, Function<Lab, Paper> paper)
      throws IOException, InterruptedException {
    Path folder = folder(line);
    // Nothing is sampled: the lab is for volumes, progress, facts and Ctrl-C.
    Settings settings = new Settings(1, 10, 0, isQuick, folder);
    try (Lab lab = new Lab(settings, line.getErr())) {
      Path page = folder.resolve(line.getCommandName() + ".html");
      Path data = folder.resolve(line.getCommandName() + ".json");
      PaperRun run = new PaperRun(lab, page, data);
      StudyReport report;
      try {
        report = run.make(paper.apply(lab));
      } catch (IOException broken) {
        if (lab.isStopped()) {
          return Main.STOPPED;
        }
        throw broken;
      }
      say(line, report, page, data);
      return run.hasFailures() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }
  }

  /** The claims and the names of the files, or the data. */
  void say(CommandLine line, StudyReport report, Path page, Path data) throws IOException {
    PrintWriter terminal = line.getOut();
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
