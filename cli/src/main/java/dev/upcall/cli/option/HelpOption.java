package dev.upcall.cli.option;

import picocli.CommandLine.Option;

/** The option of every command. */
public class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  public boolean help;
}
