package dev.upcall.cli;

import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.HelpOption;
import dev.upcall.cli.shell.Shell;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code upcall} alone: explains itself. */
@Command(
    name = "upcall",
    description = "A durable file store in one file, and an HTTP server for it.",
    versionProvider = RootCommand.Version.class,
    footer = {
      "",
      "Beside these, each with a --help of its own:",
      "  bench     Measure this machine's store against others, and state machines",
      "            against threads.",
      "  specweb   Load an HTTP server in the manner of SPECweb96.",
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 partly done or problems found,",
      "130 ended by Ctrl-C and 143 by SIGTERM, in good order, 141 nobody reads the results.",
      "'upcall COMMAND --help' explains a command."
    })
final class RootCommand implements Callable<Integer> {
  @Mixin HelpOption help = new HelpOption();

  private static final String SHORT_VERSION = "-V";
  private static final String LONG_VERSION = "--version";

  /** What asks for the version. */
  static final List<String> VERSION_NAMES = List.of(SHORT_VERSION, LONG_VERSION);

  @Option(
      names = {SHORT_VERSION, LONG_VERSION},
      versionHelp = true,
      description = "Show the version.")
  boolean version;

  @Spec CommandSpec spec = CommandSpec.create();

  private final Shell shell;

  RootCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    shell
        .out()
        .print(
            """
            upcall keeps files in a store, which is one file of yours: durable, checked, and served over HTTP.

            The three commands to begin with:

              upcall serve DIR      import DIR into the store DIR.upcall here (or bring it up to date)
                                    and serve it on http://127.0.0.1:8080/
              upcall ls -l /        look into the store
              upcall export / OUT   write everything back into a directory

            """);
    spec.commandLine().usage(shell.out());
    return ExitCode.OK;
  }

  /** The version, from the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {text()};
    }

    static String text() {
      String version = RootCommand.class.getPackage().getImplementationVersion();
      return "upcall " + (version == null ? "(not packaged)" : version);
    }
  }
}
