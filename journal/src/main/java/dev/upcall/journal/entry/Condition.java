package dev.upcall.journal.entry;

import java.util.Objects;
import java.util.Optional;

/**
 * What must hold of what is under a name for a request to change it; looked at when the store does
 * the request, not when it is asked.
 *
 * @param existence whether something must be there
 * @param version the only state of the file in which it may be changed; none: any
 */
public record Condition(Existence existence, Optional<Version> version) {
  /** Always holds. */
  public static final Condition NONE = new Condition(Existence.ANY, Optional.empty());

  /** Nothing may be there. */
  public static final Condition ABSENT = new Condition(Existence.MUST_NOT_EXIST, Optional.empty());

  /** Checks that nothing is missing. */
  public Condition {
    Objects.requireNonNull(existence, "existence");
    Objects.requireNonNull(version, "version");
  }

  /** Whether something must be there. */
  public enum Existence {
    /** As it may be. */
    ANY,
    /** Something must be there. */
    MUST_EXIST,
    /** Nothing may be there. */
    MUST_NOT_EXIST
  }

  /**
   * One state of one file of the store.
   *
   * @param id the file's
   * @param version which of its states
   */
  public record Version(long id, long version) {}
}
