package dev.upcall.cli.transfer;

import dev.upcall.base.HostWords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;

/** The host's errors as a command says them. */
public final class HostErrors {
  private HostErrors() {}

  /** What went wrong, without the path. */
  public static String message(IOException error) {
    return HostWords.of(error);
  }

  /** What went wrong below a stream, without the path. */
  public static String message(UncheckedIOException error) {
    IOException cause = error.getCause();
    return cause == null ? String.valueOf(error.getMessage()) : message(cause);
  }

  /** What went wrong below a stream, with the path if the error names one. */
  public static String messageWithPath(UncheckedIOException error) {
    IOException cause = error.getCause();
    return cause == null ? String.valueOf(error.getMessage()) : messageWithPath(cause);
  }

  /** What went wrong, with the path if the error names one. */
  public static String messageWithPath(IOException error) {
    return error instanceof FileSystemException named && named.getFile() != null
        ? named.getFile() + ": " + message(error)
        : message(error);
  }
}
