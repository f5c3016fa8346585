package dev.upcall.completion;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The closed set of expected outcomes other than success. Each says what was wrong, where, and
 * where possible what to do.
 */
public sealed interface Failure extends Serializable {
  /** One sentence for a person. */
  default String message() {
    return switch (this) {
      case NotFound(String what) -> what + " does not exist";
      case AlreadyExists(String what) -> what + " already exists";
      case NotADirectory(String what) -> what + " is not a directory";
      case IsADirectory(String what) -> what + " is a directory";
      case DirectoryNotEmpty(String what) -> "directory " + what + " is not empty";
      case LinkLoop(String what) -> "too many symbolic links at " + what;
      case Deadlock(String cycle) -> "deadlock: " + cycle + "; do the transaction again";
      case LockTimeout(String what, long limitNanos) ->
          "waited %d ms for a lock on %s; try again".formatted(limitNanos / 1_000_000, what);
      case VersionMismatch(String what, String expected, String found) ->
          found.isEmpty()
              ? "%s does not exist, version %s was expected".formatted(what, expected)
              : "%s has version %s, expected was %s".formatted(what, found, expected);
      case VolumeFull(long neededBytes, long freeBytes, long capBytes, String device) ->
          device.isEmpty()
              ? "volume full: %d bytes needed, %d free of a cap of %d; delete files, drop snapshots or raise the cap"
                  .formatted(neededBytes, freeBytes, capBytes)
              : freeBytes == VolumeFull.NOT_OF_ROOM
                  ? "%s: %d bytes more are needed; raise that limit, or delete files of the store"
                      .formatted(device, neededBytes)
                  : "no room on %s: %d bytes needed, %d free; make room there, or delete files of the store"
                      .formatted(device, neededBytes, freeBytes);
      case TooLarge(String what, long size, long limit, String unit) ->
          "%s is too large: %d %s, the limit is %d".formatted(what, size, unit, limit);
      case Busy(String what, String remedy) -> "too many " + what + "; " + remedy;
      case Closed(String what) -> what + " is closed";
      case ReadOnly(String reason) -> "the store is read-only: " + reason;
      case Corrupt corrupt -> corrupt.words();
      case Device(String operation, String detail) -> operation + " failed: " + detail;
      case Unsupported(String what, String why) -> what + ": " + why;
      case Cancelled(String what) -> what + " was cancelled";
      case Invalid(String message) -> message;
      case Conflict(String message) -> message;
    };
  }

  /** No such file, segment or entry. */
  record NotFound(String what) implements Failure {
    /** Checks that nothing is missing. */
    public NotFound {
      Objects.requireNonNull(what, "what");
    }
  }

  /** The name or id is taken. */
  record AlreadyExists(String what) implements Failure {
    /** Checks that nothing is missing. */
    public AlreadyExists {
      Objects.requireNonNull(what, "what");
    }
  }

  /** A path runs through, or an operation needs, a directory where there is something else. */
  record NotADirectory(String what) implements Failure {
    /** Checks that nothing is missing. */
    public NotADirectory {
      Objects.requireNonNull(what, "what");
    }
  }

  /** An operation on content met a directory. */
  record IsADirectory(String what) implements Failure {
    /** Checks that nothing is missing. */
    public IsADirectory {
      Objects.requireNonNull(what, "what");
    }
  }

  /** A directory that must be empty is not. */
  record DirectoryNotEmpty(String what) implements Failure {
    /** Checks that nothing is missing. */
    public DirectoryNotEmpty {
      Objects.requireNonNull(what, "what");
    }
  }

  /** Symbolic links lead on without end. */
  record LinkLoop(String what) implements Failure {
    /** Checks that nothing is missing. */
    public LinkLoop {
      Objects.requireNonNull(what, "what");
    }
  }

  /** An argument that no store could accept. */
  record Invalid(String message) implements Failure {
    /** Checks that nothing is missing. */
    public Invalid {
      Objects.requireNonNull(message, "message");
    }
  }

  /** Somebody else changed it first. */
  record Conflict(String message) implements Failure {
    /** Checks that nothing is missing. */
    public Conflict {
      Objects.requireNonNull(message, "message");
    }
  }

  /**
   * Waiting for a lock would have closed a cycle in which everybody waits for the next; the
   * transaction that asked is rolled back. Do it again.
   *
   * @param cycle who waits for what, held by whom
   */
  record Deadlock(String cycle) implements Failure {
    /** Checks that nothing is missing. */
    public Deadlock {
      Objects.requireNonNull(cycle, "cycle");
    }
  }

  /**
   * Somebody else held a lock too long; nothing of the request was done.
   *
   * @param what what is locked, and by whom
   * @param limitNanos how long it was waited for
   */
  record LockTimeout(String what, long limitNanos) implements Failure {
    /** Checks that nothing is missing. */
    public LockTimeout {
      Objects.requireNonNull(what, "what");
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
    /** Checks that nothing is missing. */
    public VersionMismatch {
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(expected, "expected");
      Objects.requireNonNull(found, "found");
    }
  }

  /**
   * The volume has no room left below its cap, or what it lies on has none for it.
   *
   * @param neededBytes what was wanted
   * @param freeBytes what is free of the volume, or on the device; {@link #NOT_OF_ROOM}
   * @param capBytes what the volume may grow to; 0 for a full device
   * @param device which file system, what for, and the words of the operating system; empty when
   *     the volume is at its cap
   */
  record VolumeFull(long neededBytes, long freeBytes, long capBytes, String device)
      implements Failure {
    /** For free bytes: the volume's file may not become larger, whatever is free on the device. */
    public static final long NOT_OF_ROOM = -1;

    /** Checks that nothing is missing. */
    public VolumeFull {
      Objects.requireNonNull(device, "device");
    }

    /** Below the cap. */
    public VolumeFull(long neededBytes, long freeBytes, long capBytes) {
      this(neededBytes, freeBytes, capBytes, "");
    }
  }

  /**
   * One request is larger than a limit; nothing of it was started.
   *
   * @param what what is too large
   * @param size how large it is
   * @param limit how large it may be
   * @param unit in what both are counted, in the plural
   */
  record TooLarge(String what, long size, long limit, String unit) implements Failure {
    /** Checks that nothing is missing. */
    public TooLarge {
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(unit, "unit");
    }

    /** Too many bytes. */
    public TooLarge(String what, long sizeBytes, long limitBytes) {
      this(what, sizeBytes, limitBytes, "bytes");
    }
  }

  /**
   * A limit of what there may be at once said no; nothing was done.
   *
   * @param what of what there are too many
   * @param remedy what the caller can do
   */
  record Busy(String what, String remedy) implements Failure {
    /** Checks that nothing is missing. */
    public Busy {
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(remedy, "remedy");
    }

    /** A bounded queue said no; try again later. */
    public Busy(String queue) {
      this("requests at once (" + Objects.requireNonNull(queue, "queue") + ")", "try again");
    }
  }

  /** The thing asked is closing or closed. */
  record Closed(String what) implements Failure {
    /** Checks that nothing is missing. */
    public Closed {
      Objects.requireNonNull(what, "what");
    }
  }

  /** The store takes no changes any more, and why. */
  record ReadOnly(String reason) implements Failure {
    /** Checks that nothing is missing. */
    public ReadOnly {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * The disk returned bytes that are not those that were written.
   *
   * @param offsetBytes where on the volume
   * @param expected what it should be, or as {@code found} where that is not the point
   * @param inFile which file's content it is and where in it; null for anything but content
   */
  record Corrupt(
      String volume,
      String structure,
      long offsetBytes,
      long expected,
      long found,
      @Nullable InFile inFile)
      implements Failure {
    /**
     * A place in a file.
     *
     * @param file the path under which the file was opened, or "segment" and its id
     * @param offsetBytes where in its content the damaged block begins
     */
    public record InFile(String file, long offsetBytes) implements Serializable {
      /** Checks that nothing is missing. */
      public InFile {
        Objects.requireNonNull(file, "file");
      }
    }

    /** Checks that nothing is missing. */
    public Corrupt {
      Objects.requireNonNull(volume, "volume");
      Objects.requireNonNull(structure, "structure");
    }

    /** Something else than the content of a file, or it is not known of which. */
    public Corrupt(String volume, String structure, long offsetBytes, long expected, long found) {
      this(volume, structure, offsetBytes, expected, found, null);
    }

    /** The same, with the place in a file that it is. */
    public Corrupt in(String file, long fileOffsetBytes) {
      return new Corrupt(
          volume, structure, offsetBytes, expected, found, new InFile(file, fileOffsetBytes));
    }

    private String words() {
      String what =
          inFile == null
              ? structure
              : "%s of %s from its byte %d on,"
                  .formatted(structure, inFile.file(), inFile.offsetBytes());
      String where = "%s is corrupt: %s at byte offset %d".formatted(volume, what, offsetBytes);
      return expected == found
          ? where
          : where + ": checksum or identity 0x%x expected, 0x%x found".formatted(expected, found);
    }

    /** There is nothing that could be compared. */
    public static Corrupt missing(String volume, String structure, long offsetBytes) {
      return new Corrupt(volume, structure, offsetBytes, 0, 0);
    }
  }

  /** The device or the operating system refused. */
  record Device(String operation, String detail) implements Failure {
    /** Checks that nothing is missing. */
    public Device {
      Objects.requireNonNull(operation, "operation");
      Objects.requireNonNull(detail, "detail");
    }
  }

  /**
   * Nothing is wrong with the store, but this program lacks what is needed, such as a module, or
   * has it with a fault, such as a codec that throws.
   *
   * @param what what cannot be done
   * @param why what it lacks, or what was thrown
   */
  record Unsupported(String what, String why) implements Failure {
    /** Checks that nothing is missing. */
    public Unsupported {
      Objects.requireNonNull(what, "what");
      Objects.requireNonNull(why, "why");
    }
  }

  /** The request was given up before it took effect. */
  record Cancelled(String what) implements Failure {
    /** Checks that nothing is missing. */
    public Cancelled {
      Objects.requireNonNull(what, "what");
    }
  }
}
