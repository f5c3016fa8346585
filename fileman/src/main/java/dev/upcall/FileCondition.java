package dev.upcall;

import dev.upcall.content.Times;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What must hold of what is under a name for a request to change it. It is part of the request and
 * is looked at in the very upcall that applies it, so nobody can come in between; when it does not
 * hold, nothing of the whole batch is done. What earlier requests of the same batch did counts.
 *
 * @param existence {@code AlreadyExists} or {@code NotFound} when it does not hold
 * @param anyOf it must be there and be one of these, else {@code VersionMismatch}; empty for
 *     whatever is there or not
 * @param noneOf it must not be one of these, else {@code VersionMismatch}; nothing there is none of
 *     them
 * @param unmodifiedSinceNanos its content must not have changed later than this ({@link
 *     Times#contentChangedNanos}), in nanoseconds since 1970, else {@code VersionMismatch}; empty
 *     for any time
 * @param directory what is there must be a directory, else {@code NotADirectory}
 */
public record FileCondition(
    Existence existence,
    Optional<List<FileVersion>> anyOf,
    List<FileVersion> noneOf,
    OptionalLong unmodifiedSinceNanos,
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
    Objects.requireNonNull(anyOf, "anyOf");
    Objects.requireNonNull(noneOf, "noneOf");
    Objects.requireNonNull(unmodifiedSinceNanos, "unmodifiedSinceNanos");
    anyOf = anyOf.map(List::copyOf);
    noneOf = List.copyOf(noneOf);
  }

  /** Of existence only. */
  public static FileCondition of(Existence existence) {
    return new FileCondition(existence, Optional.empty(), List.of(), OptionalLong.empty(), false);
  }

  /** Holds for one state of one file. */
  public static FileCondition only(FileVersion version) {
    return anyOf(List.of(Objects.requireNonNull(version, "version")));
  }

  /** Holds for any of these states of files; for none of an empty list. */
  public static FileCondition anyOf(List<FileVersion> versions) {
    Objects.requireNonNull(versions, "versions");
    return new FileCondition(
        Existence.ANY, Optional.of(versions), List.of(), OptionalLong.empty(), false);
  }

  /** Holds for all but these states of files, and where nothing is. */
  public static FileCondition noneOf(List<FileVersion> versions) {
    Objects.requireNonNull(versions, "versions");
    return new FileCondition(
        Existence.ANY, Optional.empty(), versions, OptionalLong.empty(), false);
  }

  /** Holds for what was not changed in content since a moment, and where nothing is. */
  public static FileCondition unmodifiedSince(Instant moment) {
    return NONE.withUnmodifiedSinceNanos(Times.nanosOf(moment, "moment"));
  }

  /** The same with another expectation of existence. */
  public FileCondition withExistence(Existence other) {
    return new FileCondition(other, anyOf, noneOf, unmodifiedSinceNanos, directory);
  }

  /** As {@link #unmodifiedSince}, in nanoseconds since 1970, besides what it says now. */
  public FileCondition withUnmodifiedSinceNanos(long nanos) {
    return new FileCondition(existence, anyOf, noneOf, OptionalLong.of(nanos), directory);
  }

  /** The same, and what is there must be a directory. */
  public FileCondition ofDirectory() {
    return new FileCondition(existence, anyOf, noneOf, unmodifiedSinceNanos, true);
  }
}
