package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.report.StudyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where a report goes, and what is said of it. */
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
