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

  /**
   * Ended by Ctrl-C; the JVM answers with it when a signal has ended the process, whatever we say.
   */
  static final int INTERRUPTED = 130;

  /** Ended by SIGTERM; the JVM answers with it likewise. */
  static final int TERMINATED = 143;

  private ExitCode() {}
}
