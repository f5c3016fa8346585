package dev.upcall.cli.option;

/** The exit codes of all commands. */
public final class ExitCode {
  /** All done. */
  public static final int OK = 0;

  /** Failed; standard error says why. */
  public static final int FAILED = 1;

  /** The command line itself was wrong. */
  public static final int USAGE = 2;

  /** Partly done, or problems were found; they were listed. */
  public static final int PARTLY = 3;

  /**
   * Ended by Ctrl-C; the JVM answers with it when a signal has ended the process, whatever we say.
   */
  public static final int INTERRUPTED = 130;

  /** Nobody reads standard output any more: as a shell tells that SIGPIPE has ended a command. */
  public static final int READER_GONE = 141;

  /** Ended by SIGTERM; the JVM answers with it likewise. */
  public static final int TERMINATED = 143;

  private ExitCode() {}
}
