package dev.upcall.cli.option;

import picocli.CommandLine.Option;

/** Options of every command that does something. */
public final class OutputOptions extends HelpOption {
  @Option(
      names = "--json",
      description = "Write one JSON document to standard output; messages go to standard error.")
  public boolean json;

  @Option(names = "--debug", description = "Show where an error came from.")
  public boolean debug;
}
