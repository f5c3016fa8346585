package dev.upcall;

import dev.upcall.completion.Failure;
import dev.upcall.content.Texts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A page of a directory's entries, in ascending order of their names' UTF-8 bytes.
 *
 * <p>Each entry is as of some moment between request and completion. Entries that existed all that
 * time and while earlier pages were read are listed exactly once.
 *
 * @param directory the directory itself
 * @param entries the entries, symbolic links not followed
 * @param nextAfter what to give as {@code afterName} for the next page; empty at the end
 */
public record Listing(FileInfo directory, List<FileInfo> entries, Optional<String> nextAfter) {
  /** The most entries of one page. */
  public static final int MAX_ENTRIES = 4096;

  /** Checks that nothing is missing. */
  public Listing {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(entries, "entries");
    Objects.requireNonNull(nextAfter, "nextAfter");
  }

  /**
   * What became of an entry of a directory; see {@link dev.upcall.stage.StageFiles#changes}.
   *
   * @param path the directory, as the program has named it, and the entry's name; of {@link
   *     Kind#OVERFLOWED} the directory itself
   * @param scn the commit that did it; all that one commit did has the same
   */
  public record Change(Kind kind, StorePath path, long scn) {
    /** Checks that nothing is missing. */
    public Change {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(path, "path");
    }

    /** What happened. */
    public enum Kind {
      /** The name leads to something new: made, cloned, moved there, or in the place of another. */
      CREATED,
      /** Content or metadata of what the name leads to; of a directory, its metadata. */
      MODIFIED,
      /** The name is gone: deleted, moved away, expired and collected. */
      DELETED,
      /** Changes are missing from here on, up to what is there now: look at the directory. */
      OVERFLOWED
    }
  }

  /** In which order names come. */
  public enum Direction {
    /** From the lowest of the names' UTF-8 bytes up. */
    ASCENDING,
    /** From the highest down. */
    DESCENDING;

    /** The other one. */
    public Direction opposite() {
      return this == ASCENDING ? DESCENDING : ASCENDING;
    }
  }

  /**
   * Which names of a directory are asked for.
   *
   * @param beyond names beyond this one only, in the direction; it need not exist; empty for all,
   *     from the first or the last
   * @param limit 1 to {@link #MAX_ENTRIES}
   */
  public record Range(Optional<String> beyond, Direction direction, int limit) {
    /** Checks that nothing is missing. */
    public Range {
      Objects.requireNonNull(beyond, "beyond");
      Objects.requireNonNull(direction, "direction");
    }

    /** From the first name, or from the last. */
    public Range(Direction direction, int limit) {
      this(Optional.empty(), direction, limit);
    }

    /** The same, from beyond a name. */
    public Range withBeyond(String name) {
      return new Range(Optional.of(Objects.requireNonNull(name, "name")), direction, limit);
    }
  }

  /**
   * Names of a directory's entries, without a look at what they lead to.
   *
   * @param names in the direction that was asked for
   * @param hasMore whether names may follow
   */
  public record Names(List<String> names, boolean hasMore) {
    /** Checks that nothing is missing. */
    public Names {
      Objects.requireNonNull(names, "names");
    }
  }

  /** Whether entries may follow. */
  public boolean hasMore() {
    return nextAfter.isPresent();
  }

  /** Orders names by their UTF-8 bytes, as a directory has them. */
  public static int compareNames(String left, String right) {
    Objects.requireNonNull(left, "left");
    Objects.requireNonNull(right, "right");
    int at = 0;
    int end = Math.min(left.length(), right.length());
    while (at < end && left.charAt(at) == right.charAt(at)) {
      at++;
    }
    if (at == end) {
      return Integer.compare(left.length(), right.length());
    }
    return Integer.compare(rank(left.charAt(at)), rank(right.charAt(at)));
  }

  /** UTF-8 sorts what takes two surrogates behind everything else. */
  private static int rank(char unit) {
    return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
  }

  /** Why a page cannot be asked for like this, if it cannot. */
  public static Optional<Failure> refuses(String afterName, int limit) {
    Objects.requireNonNull(afterName, "afterName");
    if (limit < 1 || limit > MAX_ENTRIES) {
      return Optional.of(
          new Failure.Invalid("a page has 1 to %d entries, not %d".formatted(MAX_ENTRIES, limit)));
    }
    byte[] after = Texts.utf8(afterName).orElse(null);
    boolean isName = after != null && after.length <= StorePath.MAX_NAME_BYTES;
    return isName
        ? Optional.empty()
        : Optional.of(new Failure.Invalid("the name to continue after is not a name"));
  }
}
