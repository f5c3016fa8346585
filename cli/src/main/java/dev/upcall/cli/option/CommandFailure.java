package dev.upcall.cli.option;

import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A command cannot do what it was asked; the message says what, where and what to do. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String FAILED = "failed";
  private final int exitCode;
  private final String kind;

  private CommandFailure(
      int exitCode, String kind, @Nullable String message, @Nullable Exception reason) {
    super(message, reason);
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
    return new CommandFailure(ExitCode.FAILED, kind, message, null);
  }

  /** It was asked wrongly. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, FAILED, message, null);
  }

  /** A failure of any kind, in words for people and programs. */
  public static CommandFailure of(Exception reason) {
    return switch (reason) {
      case CommandFailure failure -> failure;
      case UpcallException failed ->
          failed(failed.failure().getClass().getSimpleName(), failed.failure().message());
      case UncheckedIOException host -> failed(HostWords.withPath(host));
      case IOException host -> failed(HostWords.withPath(host));
      default -> failed("internal error (run with --debug to see where): " + reason);
    };
  }

  /** The same, and how far the command came. */
  public static CommandFailure of(Exception reason, String soFar) {
    CommandFailure failure = of(reason);
    return new CommandFailure(
        failure.exitCode, failure.kind, failure.getMessage() + "; " + soFar, reason);
  }

  public int exitCode() {
    return exitCode;
  }

  /** What programs are told. */
  public String kind() {
    return kind;
  }
}
