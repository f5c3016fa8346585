package dev.upcall.cli.option;

/** A command cannot do what it was asked; the message says what, where and what to do. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int exitCode;

  private CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** It failed. */
  public static CommandFailure failed(String message) {
    return new CommandFailure(ExitCode.FAILED, message);
  }

  /** It was asked wrongly. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  public int exitCode() {
    return exitCode;
  }
}
