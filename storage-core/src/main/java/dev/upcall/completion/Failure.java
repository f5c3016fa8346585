package dev.upcall.completion;

/**
 * The closed set of expected outcomes other than success. Each says what was wrong, where, and
 * where possible what to do.
 */
public sealed interface Failure {
  /** One sentence for a person. */
  String message();

  /** No such file, segment or entry. */
  record NotFound(String what) implements Failure {
    @Override
    public String message() {
      return what + " does not exist";
    }
  }

  /** The name or id is taken. */
  record AlreadyExists(String what) implements Failure {
    @Override
    public String message() {
      return what + " already exists";
    }
  }

  /** A path runs through, or an operation needs, a directory where there is something else. */
  record NotADirectory(String what) implements Failure {
    @Override
    public String message() {
      return what + " is not a directory";
    }
  }

  /** An operation on content met a directory. */
  record IsADirectory(String what) implements Failure {
    @Override
    public String message() {
      return what + " is a directory";
    }
  }

  /** A directory that must be empty is not. */
  record DirectoryNotEmpty(String what) implements Failure {
    @Override
    public String message() {
      return "directory " + what + " is not empty";
    }
  }

  /** Symbolic links lead on without end. */
  record LinkLoop(String what) implements Failure {
    @Override
    public String message() {
      return "too many symbolic links at " + what;
    }
  }

  /** An argument that no store could accept. */
  record Invalid(String message) implements Failure {}

  /** Somebody else changed it first. */
  record Conflict(String message) implements Failure {}

  /**
   * Waiting for a lock would have closed a cycle in which everybody waits for the next; the
   * transaction that asked is rolled back. Do it again.
   *
   * @param cycle who waits for what, held by whom
   */
  record Deadlock(String cycle) implements Failure {
    @Override
    public String message() {
      return "deadlock: " + cycle + "; do the transaction again";
    }
  }

  /**
   * Somebody else held a lock too long; nothing of the request was done.
   *
   * @param what what is locked, and by whom
   * @param limitNanos how long it was waited for
   */
  record LockTimeout(String what, long limitNanos) implements Failure {
    @Override
    public String message() {
      return "waited %d ms for a lock on %s; try again".formatted(limitNanos / 1_000_000, what);
    }
  }

  /**
   * A request's condition on a version does not hold; nothing was done.
   *
   * @param what the path
   * @param expected the version or versions that would have been right
   * @param found the version that it has; empty when nothing is there
   */
  record VersionMismatch(String what, String expected, String found) implements Failure {
    @Override
    public String message() {
      return found.isEmpty()
          ? "%s does not exist, version %s was expected".formatted(what, expected)
          : "%s has version %s, expected was %s".formatted(what, found, expected);
    }
  }

  /** The volume has no room left below its cap. */
  record VolumeFull(long neededBytes, long freeBytes, long capBytes) implements Failure {
    @Override
    public String message() {
      return "volume full: %d bytes needed, %d free of a cap of %d; delete files, drop snapshots or raise the cap"
          .formatted(neededBytes, freeBytes, capBytes);
    }
  }

  /** One request is larger than a limit; nothing of it was started. */
  record TooLarge(String what, long sizeBytes, long limitBytes) implements Failure {
    @Override
    public String message() {
      return "%s is too large: %d bytes, the limit is %d".formatted(what, sizeBytes, limitBytes);
    }
  }

  /** A bounded queue said no; try again later. */
  record Busy(String queue) implements Failure {
    @Override
    public String message() {
      return "too many requests at once (" + queue + "); try again";
    }
  }

  /** The thing asked is closing or closed. */
  record Closed(String what) implements Failure {
    @Override
    public String message() {
      return what + " is closed";
    }
  }

  /** The store takes no changes any more, and why. */
  record ReadOnly(String reason) implements Failure {
    @Override
    public String message() {
      return "the store is read-only: " + reason;
    }
  }

  /**
   * The disk returned bytes that are not those that were written.
   *
   * @param offsetBytes where on the volume
   */
  record Corrupt(String volume, String structure, long offsetBytes, long expected, long found)
      implements Failure {
    @Override
    public String message() {
      return "%s is corrupt: %s at byte offset %d: checksum or identity 0x%x expected, 0x%x found"
          .formatted(volume, structure, offsetBytes, expected, found);
    }
  }

  /** The device or the operating system refused. */
  record Device(String operation, String detail) implements Failure {
    @Override
    public String message() {
      return operation + " failed: " + detail;
    }
  }

  /** The request was given up before it took effect. */
  record Cancelled(String what) implements Failure {
    @Override
    public String message() {
      return what + " was cancelled";
    }
  }
}
