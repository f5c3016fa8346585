package dev.upcall.cli.transfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The host's errors in words; Java's own messages are often no more than the path. */
public final class HostErrors {
  private HostErrors() {}

  /** What went wrong, without the path. */
  public static String message(IOException error) {
    return switch (error) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "does not exist";
      case FileAlreadyExistsException _ -> "already exists";
      case DirectoryNotEmptyException _ -> "is not empty";
      case NotDirectoryException _ -> "is not a directory";
      case FileSystemLoopException _ -> "too many symbolic links";
      case FileSystemException other when other.getReason() != null ->
          String.valueOf(other.getReason());
      default -> String.valueOf(error.getMessage());
    };
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
