package dev.upcall.nio.channel;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Failures of a store as the exceptions that {@code java.nio.file} declares; docs/nio.md. */
public final class Failures {
  private Failures() {}

  /** A call of the store about a path. */
  public static <T> T of(Path path, Supplier<T> call) throws IOException {
    try {
      return call.get();
    } catch (UpcallException failed) {
      throw exception(failed, path.toString(), null);
    }
  }

  /** A call that moves or copies; what does not exist is the source, what exists the target. */
  public static <T> T of(Path source, Path target, Supplier<T> call) throws IOException {
    try {
      return call.get();
    } catch (UpcallException failed) {
      throw exception(failed, source.toString(), target.toString());
    }
  }

  /** A path for the store; throws {@link UpcallException}. */
  public static StorePath parsed(String absolute) {
    return UpcallException.value(StorePath.parse(absolute));
  }

  /**
   * The exception for a failure.
   *
   * @param other a second path, where there is one: the target
   */
  public static IOException exception(UpcallException failed, String path, @Nullable String other) {
    String second = other == null ? path : other;
    FileSystemException exception =
        switch (failed.failure()) {
          case Failure.NotFound _ -> new NoSuchFileException(path, other, null);
          case Failure.AlreadyExists _ -> new FileAlreadyExistsException(second);
          case Failure.DirectoryNotEmpty _ -> new DirectoryNotEmptyException(second);
          case Failure.NotADirectory _ -> new FileSystemException(path, other, "Not a directory");
          case Failure.IsADirectory _ -> new FileSystemException(path, other, "Is a directory");
          case Failure.LinkLoop _ ->
              new FileSystemException(path, other, "Too many levels of symbolic links");
          case Failure.Closed _ -> throw closed(failed);
          case Failure any -> new FileSystemException(path, other, any.message());
        };
    exception.initCause(failed);
    return exception;
  }

  private static ClosedFileSystemException closed(UpcallException failed) {
    ClosedFileSystemException closed = new ClosedFileSystemException();
    closed.initCause(failed);
    return closed;
  }
}
