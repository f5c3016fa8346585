package dev.upcall.journal.entry;

import dev.upcall.completion.Failure;
import java.util.Arrays;
import java.util.Optional;

/** Why a store will never do a request. */
public enum FailureCode {
  /** What it needs is not there. */
  NOT_FOUND(1),
  /** Something is where nothing may be. */
  ALREADY_EXISTS(2),
  /** A path runs through, or it needs, a directory where there is something else. */
  NOT_A_DIRECTORY(3),
  /** It needs a file where there is a directory. */
  IS_A_DIRECTORY(4),
  /** A directory that must be empty is not. */
  DIRECTORY_NOT_EMPTY(5),
  /** Symbolic links lead on without end. */
  LINK_LOOP(6),
  /** No store could do it. */
  INVALID(7),
  /** The file is not in the state that the condition names. */
  VERSION_MISMATCH(8),
  /** It passes a limit of the store. */
  TOO_LARGE(9);

  private final int code;

  FailureCode(int code) {
    this.code = code;
  }

  /** The code of a failure for good; throws {@link IllegalArgumentException} for others. */
  static FailureCode of(Failure why) {
    return switch (why) {
      case Failure.NotFound _ -> NOT_FOUND;
      case Failure.AlreadyExists _ -> ALREADY_EXISTS;
      case Failure.NotADirectory _ -> NOT_A_DIRECTORY;
      case Failure.IsADirectory _ -> IS_A_DIRECTORY;
      case Failure.DirectoryNotEmpty _ -> DIRECTORY_NOT_EMPTY;
      case Failure.LinkLoop _ -> LINK_LOOP;
      case Failure.Invalid _ -> INVALID;
      case Failure.VersionMismatch _ -> VERSION_MISMATCH;
      case Failure.TooLarge _ -> TOO_LARGE;
      case Failure.Conflict _,
          Failure.Deadlock _,
          Failure.LockTimeout _,
          Failure.VolumeFull _,
          Failure.Busy _,
          Failure.Closed _,
          Failure.ReadOnly _,
          Failure.Corrupt _,
          Failure.Device _,
          Failure.Unsupported _,
          Failure.Cancelled _ ->
          throw new IllegalArgumentException("no failure for good: " + why);
    };
  }

  /** The byte that stands for it, in entries and in notes of a store; never 0. */
  public int code() {
    return code;
  }

  /** What that byte stands for, if it stands for anything. */
  public static Optional<FailureCode> of(int code) {
    return Arrays.stream(values()).filter(failure -> failure.code == code).findFirst();
  }
}
