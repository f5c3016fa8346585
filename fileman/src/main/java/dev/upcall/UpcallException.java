package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.util.Objects;

/**
 * An expected outcome other than success, as calls that wait and stages report it: one class for
 * each kind of {@link Failure}, to be caught by kind, with that typed failure inside. Serialisable
 * with it.
 *
 * <pre>{@code
 * byte[] settings;
 * try {
 *   settings = store.readAllBytes("/settings");
 * } catch (UpcallException.NotFound none) {
 *   settings = new byte[0];
 * }
 * }</pre>
 *
 * <p>Programmer's errors are other exceptions: an argument that is missing or out of range, and a
 * store whose thread has died ({@link dev.upcall.fsm.DispatcherStoppedException}).
 */
public abstract sealed class UpcallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What happened; of the kind that the class is named after. */
  private final Failure failure;

  private UpcallException(Failure failure) {
    super(failure.message());
    this.failure = failure;
  }

  /** The exception of a failure's kind. */
  public static UpcallException of(Failure failure) {
    return switch (Objects.requireNonNull(failure, "failure")) {
      case Failure.NotFound kind -> new NotFound(kind);
      case Failure.AlreadyExists kind -> new AlreadyExists(kind);
      case Failure.NotADirectory kind -> new NotADirectory(kind);
      case Failure.IsADirectory kind -> new IsADirectory(kind);
      case Failure.DirectoryNotEmpty kind -> new DirectoryNotEmpty(kind);
      case Failure.LinkLoop kind -> new LinkLoop(kind);
      case Failure.Invalid kind -> new Invalid(kind);
      case Failure.Conflict kind -> new Conflict(kind);
      case Failure.Deadlock kind -> new Deadlock(kind);
      case Failure.LockTimeout kind -> new LockTimeout(kind);
      case Failure.VersionMismatch kind -> new VersionMismatch(kind);
      case Failure.VolumeFull kind -> new VolumeFull(kind);
      case Failure.TooLarge kind -> new TooLarge(kind);
      case Failure.Busy kind -> new Busy(kind);
      case Failure.Closed kind -> new Closed(kind);
      case Failure.ReadOnly kind -> new ReadOnly(kind);
      case Failure.Corrupt kind -> new Corrupt(kind);
      case Failure.Device kind -> new Device(kind);
      case Failure.Unsupported kind -> new Unsupported(kind);
      case Failure.Cancelled kind -> new Cancelled(kind);
    };
  }

  /** A completion's value, or its failure thrown. */
  public static <T> T value(Completion<T> completion) {
    Objects.requireNonNull(completion, "completion");
    return switch (completion) {
      case Completion.Done<T>(T value) -> value;
      case Completion.Failed<T>(Failure failure) -> throw of(failure);
    };
  }

  /** Which outcome. */
  public Failure failure() {
    return failure;
  }

  /** No such file, link, snapshot or property. */
  public static final class NotFound extends UpcallException {
    private static final long serialVersionUID = 1L;

    private NotFound(Failure.NotFound failure) {
      super(failure);
    }

    @Override
    public Failure.NotFound failure() {
      return (Failure.NotFound) super.failure();
    }
  }

  /** The name is taken. */
  public static final class AlreadyExists extends UpcallException {
    private static final long serialVersionUID = 1L;

    private AlreadyExists(Failure.AlreadyExists failure) {
      super(failure);
    }

    @Override
    public Failure.AlreadyExists failure() {
      return (Failure.AlreadyExists) super.failure();
    }
  }

  /** A path runs through, or an operation needs, a directory where there is something else. */
  public static final class NotADirectory extends UpcallException {
    private static final long serialVersionUID = 1L;

    private NotADirectory(Failure.NotADirectory failure) {
      super(failure);
    }

    @Override
    public Failure.NotADirectory failure() {
      return (Failure.NotADirectory) super.failure();
    }
  }

  /** An operation on content met a directory. */
  public static final class IsADirectory extends UpcallException {
    private static final long serialVersionUID = 1L;

    private IsADirectory(Failure.IsADirectory failure) {
      super(failure);
    }

    @Override
    public Failure.IsADirectory failure() {
      return (Failure.IsADirectory) super.failure();
    }
  }

  /** A directory that must be empty is not. */
  public static final class DirectoryNotEmpty extends UpcallException {
    private static final long serialVersionUID = 1L;

    private DirectoryNotEmpty(Failure.DirectoryNotEmpty failure) {
      super(failure);
    }

    @Override
    public Failure.DirectoryNotEmpty failure() {
      return (Failure.DirectoryNotEmpty) super.failure();
    }
  }

  /** Symbolic links lead on without end. */
  public static final class LinkLoop extends UpcallException {
    private static final long serialVersionUID = 1L;

    private LinkLoop(Failure.LinkLoop failure) {
      super(failure);
    }

    @Override
    public Failure.LinkLoop failure() {
      return (Failure.LinkLoop) super.failure();
    }
  }

  /** An argument that no store could accept. */
  public static final class Invalid extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Invalid(Failure.Invalid failure) {
      super(failure);
    }

    @Override
    public Failure.Invalid failure() {
      return (Failure.Invalid) super.failure();
    }
  }

  /** Somebody else changed it first; of a transaction nothing has happened: do it again. */
  public static final class Conflict extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Conflict(Failure.Conflict failure) {
      super(failure);
    }

    @Override
    public Failure.Conflict failure() {
      return (Failure.Conflict) super.failure();
    }
  }

  /** Waiting for a lock would have closed a cycle; the transaction is rolled back: do it again. */
  public static final class Deadlock extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Deadlock(Failure.Deadlock failure) {
      super(failure);
    }

    @Override
    public Failure.Deadlock failure() {
      return (Failure.Deadlock) super.failure();
    }
  }

  /** Somebody else held a lock too long; nothing of the request was done. */
  public static final class LockTimeout extends UpcallException {
    private static final long serialVersionUID = 1L;

    private LockTimeout(Failure.LockTimeout failure) {
      super(failure);
    }

    @Override
    public Failure.LockTimeout failure() {
      return (Failure.LockTimeout) super.failure();
    }
  }

  /** A condition on a version does not hold; nothing was done. */
  public static final class VersionMismatch extends UpcallException {
    private static final long serialVersionUID = 1L;

    private VersionMismatch(Failure.VersionMismatch failure) {
      super(failure);
    }

    @Override
    public Failure.VersionMismatch failure() {
      return (Failure.VersionMismatch) super.failure();
    }
  }

  /** The volume, or what it lies on, has no room left. */
  public static final class VolumeFull extends UpcallException {
    private static final long serialVersionUID = 1L;

    private VolumeFull(Failure.VolumeFull failure) {
      super(failure);
    }

    @Override
    public Failure.VolumeFull failure() {
      return (Failure.VolumeFull) super.failure();
    }
  }

  /** A request is larger than a limit; nothing of it was started. */
  public static final class TooLarge extends UpcallException {
    private static final long serialVersionUID = 1L;

    private TooLarge(Failure.TooLarge failure) {
      super(failure);
    }

    @Override
    public Failure.TooLarge failure() {
      return (Failure.TooLarge) super.failure();
    }
  }

  /** A limit of what there may be at once said no; nothing was done. */
  public static final class Busy extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Busy(Failure.Busy failure) {
      super(failure);
    }

    @Override
    public Failure.Busy failure() {
      return (Failure.Busy) super.failure();
    }
  }

  /** What was asked is closing or closed. */
  public static final class Closed extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Closed(Failure.Closed failure) {
      super(failure);
    }

    @Override
    public Failure.Closed failure() {
      return (Failure.Closed) super.failure();
    }
  }

  /** The store takes no changes any more, or never did. */
  public static final class ReadOnly extends UpcallException {
    private static final long serialVersionUID = 1L;

    private ReadOnly(Failure.ReadOnly failure) {
      super(failure);
    }

    @Override
    public Failure.ReadOnly failure() {
      return (Failure.ReadOnly) super.failure();
    }
  }

  /** The disk returned other bytes than were written. */
  public static final class Corrupt extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Corrupt(Failure.Corrupt failure) {
      super(failure);
    }

    @Override
    public Failure.Corrupt failure() {
      return (Failure.Corrupt) super.failure();
    }
  }

  /** The device or the operating system refused. */
  public static final class Device extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Device(Failure.Device failure) {
      super(failure);
    }

    @Override
    public Failure.Device failure() {
      return (Failure.Device) super.failure();
    }
  }

  /** Nothing is wrong with the store, but a module or library is missing; the message names it. */
  public static final class Unsupported extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Unsupported(Failure.Unsupported failure) {
      super(failure);
    }

    @Override
    public Failure.Unsupported failure() {
      return (Failure.Unsupported) super.failure();
    }
  }

  /** The request was given up; its message says whether it may have taken effect. */
  public static final class Cancelled extends UpcallException {
    private static final long serialVersionUID = 1L;

    private Cancelled(Failure.Cancelled failure) {
      super(failure);
    }

    @Override
    public Failure.Cancelled failure() {
      return (Failure.Cancelled) super.failure();
    }
  }
}
