package dev.upcall.feed.answer;

import dev.upcall.completion.Failure;

/** What a failure of a request means for those behind it. */
public enum FailureKind {
  /** It may be done later, and is tried again before them. */
  FOR_NOW,
  /** It will never be done. */
  FOR_GOOD,
  /** The store does nothing any more. */
  STORE;

  public static FailureKind of(Failure failure) {
    return switch (failure) {
      case Failure.Busy _,
          Failure.VolumeFull _,
          Failure.LockTimeout _,
          Failure.Deadlock _,
          Failure.Conflict _,
          Failure.Cancelled _ ->
          FOR_NOW;
      case Failure.ReadOnly _,
          Failure.Closed _,
          Failure.Device _,
          Failure.Corrupt _,
          Failure.Unsupported _ ->
          STORE;
      case Failure.NotFound _,
          Failure.AlreadyExists _,
          Failure.NotADirectory _,
          Failure.IsADirectory _,
          Failure.DirectoryNotEmpty _,
          Failure.LinkLoop _,
          Failure.Invalid _,
          Failure.VersionMismatch _,
          Failure.TooLarge _ ->
          FOR_GOOD;
    };
  }
}
