package dev.upcall.cli;

/** The exit codes of all commands. */
final class ExitCode {
  /** All done. */
  static final int OK = 0;

  /** Failed; standard error says why. */
  static final int FAILED = 1;

  /** The command line itself was wrong. */
  static final int USAGE = 2;

  /** Partly done, or problems were found; they were listed. */
  static final int PARTLY = 3;

  private ExitCode() {}
}
