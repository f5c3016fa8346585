package dev.upcall.httpd.files;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.util.Objects;

/** Failures as a client is told of them: by the path that it has asked for. */
public final class Told {
  private Told() {}

  /** The outcome of a request for a fixed path, told of the path that was asked for. */
  public static <T> Completion<T> of(Completion<T> done, StorePath fixed, StorePath asked) {
    Objects.requireNonNull(done, "done");
    Objects.requireNonNull(fixed, "fixed");
    Objects.requireNonNull(asked, "asked");
    return done instanceof Completion.Failed<T>(Failure failure)
        ? Completion.failed(of(failure, fixed, asked))
        : done;
  }

  private static Failure of(Failure failure, StorePath fixed, StorePath asked) {
    String from = fixed.toString();
    String to = asked.toString();
    if (from.equals(to)) {
      return failure;
    }
    return switch (failure) {
      case Failure.NotFound(String what) -> new Failure.NotFound(what.replace(from, to));
      case Failure.AlreadyExists(String what) -> new Failure.AlreadyExists(what.replace(from, to));
      case Failure.NotADirectory(String what) -> new Failure.NotADirectory(what.replace(from, to));
      case Failure.IsADirectory(String what) -> new Failure.IsADirectory(what.replace(from, to));
      case Failure.DirectoryNotEmpty(String what) ->
          new Failure.DirectoryNotEmpty(what.replace(from, to));
      case Failure.LinkLoop(String what) -> new Failure.LinkLoop(what.replace(from, to));
      case Failure.Invalid(String message) -> new Failure.Invalid(message.replace(from, to));
      case Failure.Conflict(String message) -> new Failure.Conflict(message.replace(from, to));
      case Failure.VersionMismatch(String what, String expected, String found) ->
          new Failure.VersionMismatch(what.replace(from, to), expected, found);
      default -> failure;
    };
  }
}
