package dev.upcall.cli.option;

/** A command cannot do what it was asked; the message says what, where and what to do. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String FAILED = "failed";
  private final int exitCode;
  private final String kind;

  private CommandFailure(int exitCode, String kind, String message) {
    super(message);
    this.exitCode = exitCode;
    this.kind = kind;
  }

  /** It failed. */
  public static CommandFailure failed(String message) {
    return failed(FAILED, message);
  }

  /**
   * It failed for a reason that the store has a name for.
   *
   * @param kind the name
   */
  public static CommandFailure failed(String kind, String message) {
    return new CommandFailure(ExitCode.FAILED, kind, message);
  }

  /** It was asked wrongly. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, FAILED, message);
  }

  public int exitCode() {
    return exitCode;
  }

  /** What programs are told. */
  public String kind() {
    return kind;
  }
}
