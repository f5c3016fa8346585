package dev.upcall.cli;

import picocli.CommandLine.Option;

/** Options of every command that does something. */
final class OutputOptions extends HelpOption {
  @Option(
      names = "--json",
      description = "Write one JSON document to standard output; messages go to standard error.")
  boolean json;

  @Option(names = "--debug", description = "Show where an error came from.")
  boolean debug;
}
