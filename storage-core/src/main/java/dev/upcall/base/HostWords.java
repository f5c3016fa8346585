package dev.upcall.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

/** The host's errors in words; Java's own messages are often no more than the path. */
public final class HostWords {
  private HostWords() {}

  /** What went wrong, without the path. */
  public static String of(IOException error) {
    Objects.requireNonNull(error, "error");
    return switch (error) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "does not exist";
      case FileAlreadyExistsException _ -> "already exists";
      case DirectoryNotEmptyException _ -> "is not empty";
      case NotDirectoryException _ -> "is not a directory";
      case FileSystemLoopException _ -> "too many symbolic links";
      case FileSystemException other when other.getReason() != null ->
          String.valueOf(other.getReason());
      default -> error.getMessage() == null ? error.toString() : error.getMessage();
    };
  }

  /** What went wrong below a stream, without the path. */
  public static String of(UncheckedIOException error) {
    IOException cause = Objects.requireNonNull(error, "error").getCause();
    return cause == null ? String.valueOf(error.getMessage()) : of(cause);
  }

  /** What went wrong, with the path if the error names one. */
  public static String withPath(IOException error) {
    Objects.requireNonNull(error, "error");
    return error instanceof FileSystemException named && named.getFile() != null
        ? named.getFile() + ": " + of(error)
        : of(error);
  }

  /** What went wrong below a stream, with the path if the error names one. */
  public static String withPath(UncheckedIOException error) {
    IOException cause = Objects.requireNonNull(error, "error").getCause();
    return cause == null ? String.valueOf(error.getMessage()) : withPath(cause);
  }
}
