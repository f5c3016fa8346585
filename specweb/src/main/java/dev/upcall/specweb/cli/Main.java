package dev.upcall.specweb.cli;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.FileSetFolder;
import dev.upcall.specweb.report.ReportPage;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code upcall specweb} command: a load in the manner of SPECweb96, and its file set. */
@Command(
    name = "upcall specweb",
    description = {
      "A load in the manner of SPECweb96, for any HTTP server, and its file set.",
      "For research: no number measured with it may be called a SPECweb96 result.",
    },
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true)
public final class Main {
  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  /** Runs the command and ends the process: 0 done, 1 failed or different, 2 wrong usage. */
  public static void main(String[] args) {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    System.exit(unlessUnwritten(commandLine().execute(args)));
  }

  /** A command whose results cannot be written has failed, whatever it has done. */
  private static int unlessUnwritten(int code) {
    if (!System.out.checkError()) {
      return code;
    }
    System.err.println("specweb: cannot write to standard output");
    return code == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : code;
  }

  /** The command line, which a test can give its own writers. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Main());
    line.addSubcommand(new RunCommand());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler(Main::wrongUsage);
    line.setExecutionExceptionHandler(Main::report);
    String version = Main.class.getPackage().getImplementationVersion();
    line.getCommandSpec().version("specweb " + (version == null ? "(not from a jar)" : version));
    return line;
  }

  private static int wrongUsage(CommandLine.ParameterException wrong, String[] given) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    wrong
        .getCommandLine()
        .getErr()
        .println("specweb: " + wrong.getMessage() + " (see: " + command + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private static int report(Exception e, CommandLine line, CommandLine.ParseResult parsed)
      throws Exception {
    if (!(e instanceof IOException)) {
      throw e;
    }
    line.getErr().println("specweb: " + (e.getClass() == IOException.class ? e.getMessage() : e));
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Command(
      name = "files",
      description = "Writes the file set into a folder.",
      mixinStandardHelpOptions = true)
  int files(
      @Parameters(paramLabel = "DIR", description = "the folder; made if absent") Path folder,
      @ArgGroup(multiplicity = "0..1") @Nullable Size size)
      throws IOException {
    FileSet set = setOf(size);
    PrintWriter err = spec.commandLine().getErr();
    Progress progress =
        new Progress("written", set.totalBytes(), System::nanoTime, new StatusLine(err));
    new FileSetFolder(set, folder).write(progress);
    progress.finish();
    say("%d files, %d bytes, in %s", set, folder);
    return CommandLine.ExitCode.OK;
  }

  @Command(
      name = "check",
      description = "Compares a folder with the file set, byte by byte.",
      mixinStandardHelpOptions = true)
  int check(
      @Parameters(paramLabel = "DIR", description = "the folder") Path folder,
      @ArgGroup(multiplicity = "0..1") @Nullable Size size)
      throws IOException {
    FileSet set = setOf(size);
    PrintWriter err = spec.commandLine().getErr();
    Progress progress =
        new Progress("compared", set.totalBytes(), System::nanoTime, new StatusLine(err));
    List<String> differences = new FileSetFolder(set, folder).check(progress);
    progress.finish();
    if (differences.isEmpty()) {
      say("%d files, %d bytes, as they should be in %s", set, folder);
      return CommandLine.ExitCode.OK;
    }
    differences.forEach(err::println);
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Command(
      name = "page",
      description = "Makes the page of a report again, from its JSON.",
      mixinStandardHelpOptions = true)
  int page(
      @Parameters(paramLabel = "JSON", description = "written by \"run --json\"") Path json,
      @Parameters(paramLabel = "HTML", description = "the page; written over") Path html)
      throws IOException {
    Files.writeString(html, ReportPage.of(Files.readString(json)));
    return CommandLine.ExitCode.OK;
  }

  private FileSet setOf(@Nullable Size size) {
    try {
      Size wanted = size == null ? new Size() : size;
      return RunOptions.fileSet(wanted.directories, wanted.opsPerSecond);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private void say(String format, FileSet set, Path folder) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(format + "%n", set.fileCount(), set.totalBytes(), folder);
    out.flush();
  }

  /** How large the set is: by its directories or by the load that it is for. */
  static final class Size {
    @Option(
        names = "--dirs",
        paramLabel = "N",
        description = "directories of 36 files and 4.9 MiB each (default: 100)")
    private @Nullable Integer directories;

    @Option(
        names = "--rate",
        paramLabel = "OPS",
        description = "as many directories as a load of OPS requests a second asks for")
    private @Nullable Double opsPerSecond;
  }
}
