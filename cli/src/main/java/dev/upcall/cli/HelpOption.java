package dev.upcall.cli;

import picocli.CommandLine.Option;

/** The option of every command. */
class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;
}
