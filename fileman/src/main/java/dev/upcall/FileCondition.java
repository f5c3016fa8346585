package dev.upcall;

import dev.upcall.content.Times;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of what is under a name for a request to change it. It is part of the request and
 * is looked at in the very upcall that applies it, so nobody can come in between; when it does not
 * hold, nothing of the whole batch is done. What earlier requests of the same batch did counts.
 *
 * @param existence {@code AlreadyExists} or {@code NotFound} when it does not hold
 * @param anyOf it must be there and be one of these, else {@code VersionMismatch}; null for
 *     whatever is there or not
 * @param noneOf it must not be one of these, else {@code VersionMismatch}; nothing there is none of
 *     them
 * @param unmodifiedSinceNanos its content must not have changed later than this, in nanoseconds
 *     since 1970, else {@code VersionMismatch}; null for any time
 * @param directory what is there must be a directory, else {@code NotADirectory}
 */
public record FileCondition(
    Existence existence,
    @Nullable List<FileVersion> anyOf,
    List<FileVersion> noneOf,
    @Nullable Long unmodifiedSinceNanos,
    boolean directory) {
  /** Always holds. */
  public static final FileCondition NONE = of(Existence.ANY);

  /** Nothing may be there. */
  public static final FileCondition ABSENT = of(Existence.MUST_NOT_EXIST);

  /** Something must be there. */
  public static final FileCondition PRESENT = of(Existence.MUST_EXIST);

  /** Copies the lists. */
  public FileCondition {
    Objects.requireNonNull(existence, "existence");
    Objects.requireNonNull(noneOf, "noneOf");
    anyOf = anyOf == null ? null : List.copyOf(anyOf);
    noneOf = List.copyOf(noneOf);
  }

  /** Of versions and time only. */
  public FileCondition(
      @Nullable List<FileVersion> anyOf,
      List<FileVersion> noneOf,
      @Nullable Long unmodifiedSinceNanos) {
    this(Existence.ANY, anyOf, noneOf, unmodifiedSinceNanos, false);
  }

  /** Of existence only. */
  public static FileCondition of(Existence existence) {
    return new FileCondition(existence, null, List.of(), null, false);
  }

  /** Holds for one state of one file. */
  public static FileCondition only(FileVersion version) {
    Objects.requireNonNull(version, "version");
    return new FileCondition(List.of(version), List.of(), null);
  }

  /** Holds for what was not changed in content since a moment, and where nothing is. */
  public static FileCondition unmodifiedSince(Instant moment) {
    return new FileCondition(null, List.of(), Times.nanosOf(moment, "moment"));
  }

  /** The same with another expectation of existence. */
  public FileCondition withExistence(Existence other) {
    return new FileCondition(other, anyOf, noneOf, unmodifiedSinceNanos, directory);
  }

  /** The same, and what is there must be a directory. */
  public FileCondition ofDirectory() {
    return new FileCondition(existence, anyOf, noneOf, unmodifiedSinceNanos, true);
  }
}
